"""NumGNN: edges worked out by hand, messages against a slow loop."""

from fractions import Fraction

import pytest
import torch
from torch import Tensor

from tiny import tiny_bert, tiny_tokenizer
from workings.encoder.encoding import Encoding
from workings.encoder.inputs import PassageInput, TokenizedText
from workings.encoder.pretrained import build_encoder
from workings.peers.numgnn import RELATIONS, Graph, NumGNN, QuestionNumbers, make_graph
from workings.settings import EncoderSettings

TEXTS = ("Ada scored 7 points, Ben 3 and Cleo 7.", "Ada scored.", "Who scored over 5 points?", "?")
TOKENIZER = tiny_tokenizer(*TEXTS)
ENCODER = build_encoder(tiny_bert(TOKENIZER), TOKENIZER, EncoderSettings(dropout=0)).eval()


def read(*pairs: tuple[str, str]) -> tuple[Encoding, QuestionNumbers]:
    tokens = [TokenizedText.tokenize(question, TOKENIZER) for question, _ in pairs]
    encoding = ENCODER(tokens, [PassageInput.from_text(text, TOKENIZER) for _, text in pairs])
    return encoding, QuestionNumbers.read(tokens, torch.device("cpu"))


def graph_of(values: list[float], in_question: int = 0) -> Graph:
    """A graph of one row; its last ``in_question`` nodes are numbers of the question."""
    ranks = {value: rank for rank, value in enumerate(sorted(set(values)))}
    of_question = [node >= len(values) - in_question for node in range(len(values))]
    return Graph(
        torch.tensor([[ranks[value] for value in values]], dtype=torch.long),
        torch.tensor([of_question], dtype=torch.bool),
        torch.ones(1, len(values), dtype=torch.bool),
    )


def slow(gnn: NumGNN, nodes: Tensor, values: list[float], in_question: int) -> Tensor:
    """NumGNN by its published formula: one receiver and one sender at a time."""
    matrices = torch.chunk(gnn.relations.weight, RELATIONS, 1)
    for _ in range(gnn.steps):
        updated = []
        for i in range(len(values)):
            message = torch.zeros(nodes.shape[-1])
            for j in range(len(values)):
                if i != j:
                    receiver, sender = (n >= len(values) - in_question for n in (i, j))
                    relation = 4 * receiver + 2 * sender + (values[j] > values[i])
                    gate = torch.sigmoid(gnn.gate(nodes[j]))
                    message = message + gate * (matrices[relation] @ nodes[j])
            updated.append(torch.relu(gnn.own(nodes[i]) + message / max(1, len(values) - 1)))
        nodes = torch.stack(updated)
    return nodes


def test_edges_by_hand() -> None:
    encoding, question_numbers = read((TEXTS[2], TEXTS[0]))
    graph = make_graph(encoding, question_numbers)
    # Nodes 0-2 are the passage's 7, 3 and 7; 3-5 the masked constants; 6 the question's 5.
    assert graph.mask.tolist() == [[True] * 3 + [False] * 3 + [True]]
    edges: dict[tuple[int, int], object] = {
        (receiver, sender): (relation, float(graph.edges()[0, receiver, sender, relation]))
        for _, receiver, sender, relation in graph.edges().nonzero().tolist()
    }
    less_pp, more_pp, less_pq, more_pq, less_qp, more_qp = range(6)
    third = pytest.approx(1 / 3)
    assert edges == {
        (0, 1): (less_pp, third),
        (0, 2): (less_pp, third),  # equal values count as less or equal both ways
        (0, 6): (less_pq, third),
        (1, 0): (more_pp, third),
        (1, 2): (more_pp, third),
        (1, 6): (more_pq, third),
        (2, 0): (less_pp, third),
        (2, 1): (less_pp, third),
        (2, 6): (less_pq, third),
        (6, 0): (more_qp, third),
        (6, 1): (less_qp, third),
        (6, 2): (more_qp, third),
    }


def test_rows_without_numbers() -> None:
    encoding, question_numbers = read(
        (TEXTS[3], TEXTS[1]), (TEXTS[2], TEXTS[1]), (TEXTS[3], TEXTS[0])
    )
    graph = make_graph(encoding, question_numbers)
    assert graph.mask.sum(-1).tolist() == [0, 1, 3]
    nodes = torch.cat([encoding.numbers.pool(encoding.passage), torch.ones(3, 1, 32)], 1)
    assert torch.isfinite(NumGNN(32, 3)(nodes, graph)).all()


def test_batch_without_question_numbers() -> None:
    encoding, question_numbers = read((TEXTS[3], TEXTS[1]))
    graph = make_graph(encoding, question_numbers)
    assert graph.rank.shape == graph.mask.shape == (1, 3)


@pytest.mark.parametrize(
    ("values", "in_question"), [([7, 3, 7, 5], 1), ([1, 2, 2, 9, 4], 2), ([3], 0)]
)
def test_messages_match_a_slow_loop(values: list[float], in_question: int) -> None:
    torch.manual_seed(0)
    gnn, nodes = NumGNN(6, 3), torch.randn(1, len(values), 6)
    expected = slow(gnn, nodes[0], values, in_question)
    assert torch.allclose(gnn(nodes, graph_of(values, in_question))[0], expected, atol=1e-6)


def test_permuting_numbers_permutes_their_vectors() -> None:
    torch.manual_seed(0)
    gnn, nodes, values = NumGNN(6, 3), torch.randn(1, 4, 6), [7.0, 3.0, 7.0, 5.0]
    order = [2, 0, 3, 1]
    moved = gnn(nodes[:, order], graph_of([values[node] for node in order]))
    assert torch.allclose(moved, gnn(nodes, graph_of(values))[:, order], atol=1e-6)


def test_only_the_order_of_values_matters() -> None:
    encoding, question_numbers = read((TEXTS[2], TEXTS[0]))
    shifted = TEXTS[0].replace("7", "107").replace("3", "103")
    tokenizer = tiny_tokenizer(shifted, "Who scored over 105 points?")
    tokens = TokenizedText.tokenize("Who scored over 105 points?", tokenizer)
    encoder = build_encoder(tiny_bert(tokenizer), tokenizer, EncoderSettings(dropout=0)).eval()
    again = encoder([tokens], [PassageInput.from_text(shifted, tokenizer)])
    graph = make_graph(again, QuestionNumbers.read([tokens], torch.device("cpu")))
    assert [n.value for n in again.inputs[0].values.numbers] == [107, Fraction(103), 107]
    assert torch.equal(graph.edges(), make_graph(encoding, question_numbers).edges())


def test_swapping_two_values_changes_only_their_relations() -> None:
    before, after = graph_of([1, 5, 9, 7]).edges(), graph_of([1, 9, 5, 7]).edges()
    changed = {(i, j) for _, i, j, _ in (before != after).nonzero().tolist()}
    assert changed == {(1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2)}


def test_number_of_parameters() -> None:
    width = 6
    count = sum(parameter.numel() for parameter in NumGNN(width, 3).parameters())
    assert count == 8 * width**2 + width**2 + width + (width + 1)
