"""Interventions on models whose dependence on their steps is known."""

import json
from pathlib import Path
from random import Random

import pytest
import torch
from torch import Tensor, nn

from handmade import encode
from tiny import PASSAGE as TINY_PASSAGE
from tiny import QUESTION as TINY_QUESTION
from tiny import tiny_network
from workings.analysis.intervention_report import (
    OutcomeExamples,
    intervention_scores,
    summarise_outcomes,
    write_interventions,
)
from workings.analysis.interventions import Outcome, intervene, measure_interventions
from workings.data.records import Passage, Question
from workings.encoder.encoding import Encoding
from workings.inference.decoding import decode
from workings.inference.ranking import Candidate
from workings.modules import REGISTRY, Context
from workings.network.interpreter import Interpreter
from workings.network.network import Execution
from workings.network.programmer import ScoredProgram
from workings.ops.distinct import MentionWeights
from workings.ops.results import Attention, Numbers, Span
from workings.program import Program
from workings.settings import ModuleSettings

PASSAGE = "Ada ran 12 yards. Ben ran 30 yards. Cleo ran 45 yards. Dora rested."
WORDS = "Ada ran 12 yards . Ben ran 30 yards . Cleo ran 45 yards . Dora rested .".split()


def on(word: str, encoding: Encoding) -> Tensor:
    """The whole attention on one word of the passage, for every row."""
    weights = torch.zeros(encoding.passage.shape[:2])
    weights[:, WORDS.index(word)] = 1
    return weights


class FixedFind(nn.Module):
    """Attends to a given word: one for each find of the program."""

    def __init__(self, *words: str) -> None:
        super().__init__()
        self.words = words

    def forward(self, context: Context) -> Attention:
        word = self.words[context.find_index]
        return Attention(on(word, context.encoding), context.question_attention)


class NumberAtAttention(nn.Module):
    """Reads the number that is attended to; with ``leaks`` the question part decides instead."""

    def __init__(self, *, leaks: bool) -> None:
        super().__init__()
        self.leaks = leaks

    def forward(self, context: Context, event: Attention) -> Numbers:
        encoding = context.encoding
        mentions = encoding.numbers
        weights = event.passage.gather(1, mentions.first.clamp(min=0)) * mentions.placed
        if self.leaks:
            asked = event.question.sum(-1, keepdim=True) > 0
            known = torch.zeros_like(weights)
            known[:, 0 if bool(event.question[0, 0] > 0) else 1] = 1  # 12 or 30
            weights = torch.where(asked, known, weights)
        support = encoding.inputs[0].operands
        values = mentions.gather(weights, len(support))
        return Numbers(
            values,
            [support] * len(encoding),
            MentionWeights(weights, mentions.entry, mentions.place),
        )


class WordAtAttention(nn.Module):
    """Answers with the attended word of the passage."""

    def forward(self, _: Context, words: Attention) -> Span:
        weights = torch.cat([torch.zeros_like(words.question), words.passage], 1)
        ends = torch.log(weights + 1e-9)
        return Span(ends, ends)


class KeepFirst(nn.Module):
    """Keeps the attention on the first attended word only."""

    def forward(self, context: Context, found: Attention) -> Attention:
        return Attention(on("Ada", context.encoding), found.question)


class ByPassage(nn.Module):
    """Gives the second event; its operands are the numbers 12 and 30."""

    def forward(self, context: Context, first: Attention, second: Attention) -> Attention:
        read = NumberAtAttention(leaks=False)
        context.details.operands = read(context, first), read(context, second)
        return second


def outcomes(program: str, question: str = "Who ran?", **modules: nn.Module) -> list[Outcome]:
    """Intervene on a program of known modules; the others are the real ones."""
    encoding = encode([(question, PASSAGE)], dtype=torch.float32)
    interpreter = Interpreter(4, ModuleSettings(), REGISTRY)
    for name, module in modules.items():
        interpreter.library[name.replace("_", "-")] = module
    parsed = Program.parse(program)
    steps = len(list(parsed.walk()))
    attention = torch.zeros(steps, 1, encoding.question.shape[1])
    finds = [index for index, part in enumerate(parsed.walk()) if not part.children]
    attention[:, 0, -1] = 1
    attention[finds[0], 0, 0], attention[finds[0], 0, -1] = 1, 0
    with torch.no_grad():
        root = interpreter(parsed, encoding, list(attention))
    execution = Execution(parsed, (0,), (0,), encoding, root)
    scored = ScoredProgram(0, parsed, torch.zeros(()), attention[:, 0])
    candidate = Candidate(scored, execution, 0, decode(root.output, encoding, 0))
    network = tiny_network()
    network.interpreter = interpreter
    return intervene(network, Question("q", question, (), "add-sub"), candidate, Random(0))


SUB = "sub(find-num(find), find-num(find))"


def test_answer_that_reads_its_finds_follows() -> None:
    """12 and 30 differ by 18; 45 instead of 12 gives 15, 45 instead of 30 gives 33."""
    found = outcomes(SUB, find=FixedFind("12", "30"), find_num=NumberAtAttention(leaks=False))
    assert [o.replacement for o in found] == ["other sentence", "other value"] * 2
    assert {o.before for o in found} == {"18"}
    assert [o.after for o in found[1::2]] == ["15", "33"]
    assert all(o.changed and o.followed and o.followed_alone for o in found)


def test_answer_that_reads_the_question_does_not_follow() -> None:
    found = outcomes(SUB, find=FixedFind("12", "30"), find_num=NumberAtAttention(leaks=True))
    assert {o.after for o in found} == {"18"}
    assert not any(o.changed or o.followed for o in found)
    assert all(o.followed_alone for o in found)


def test_relocated_answer_is_the_other_place() -> None:
    found = outcomes(
        "span(relocate(find))", find=FixedFind("30"), relocate=KeepFirst(), span=WordAtAttention()
    )
    assert [(o.module, o.changed, o.followed) for o in found] == [
        ("relocate", True, True),
        ("find", False, False),  # the relocation ignores what was found
    ]
    assert found[0].after == found[0].words in {"Ben", "Cleo", "Dora"}


def test_filter_that_drops_something_is_left_out() -> None:
    found = outcomes(
        "span(filter(find))", find=FixedFind("Cleo"), filter=KeepFirst(), span=WordAtAttention()
    )
    assert (found[0].module, found[0].replacement, found[0].after) == ("filter", "identity", "Cleo")
    assert found[0].followed


def outcome(module: str, kind: str, changed: int, followed: int, alone: int) -> Outcome:
    texts = ("Who <ran>?", "span(find)", "Ben ran", "Ada", "Ben")
    flags = bool(changed), bool(followed), bool(alone)
    return Outcome(module, "other sentence", kind, *texts, *flags)


OUTCOMES = [
    outcome("find", "count", 1, 1, 1),
    outcome("find", "count", 1, 0, 1),
    outcome("find", "add-sub", 0, 0, 1),
    outcome("find", "other", 0, 0, 0),
    outcome("filter", "count", 0, 0, 0),
]


def test_shares_by_kind() -> None:
    rows = summarise_outcomes(OUTCOMES)
    assert [(r.module, r.kind, r.steps, r.changed, r.followed, r.followed_alone) for r in rows] == [
        ("filter", "all", 1, 0, 0, 0),
        ("filter", "count", 1, 0, 0, 0),
        ("find", "all", 4, 0.5, 0.25, 0.75),
        ("find", "count", 2, 1, 0.5, 1),
        ("find", "add-sub", 1, 0, 0, 1),
        ("find", "other", 1, 0, 0, 0),
    ]
    assert summarise_outcomes([]) == []


def test_writes_page_and_json(tmp_path: Path) -> None:
    examples = OutcomeExamples(limit=2)
    for each in OUTCOMES * 2:
        examples.add(each)
    write_interventions(tmp_path, summarise_outcomes(OUTCOMES), examples)
    tree = json.loads((tmp_path / "interventions.json").read_text())
    assert [share["steps"] for share in tree["shares"]] == [1, 1, 4, 2, 1, 1]
    # Of the finds two that followed and two that did not; of the filter's two that did not.
    assert [each["followed"] for each in tree["examples"]].count(True) == 2
    assert len(tree["examples"]) == 6
    page = (tmp_path / "interventions.html").read_text()
    assert "Who &lt;ran&gt;?" in page
    assert 'href="#find-other-sentence"' in page


def test_scores_of_a_network_depend_on_the_seed_only() -> None:
    network = tiny_network()
    texts = (TINY_QUESTION, "How many yards?", "Who kicked in the first quarter?")
    questions = tuple(Question(str(index), text, ()) for index, text in enumerate(texts))
    passages = [Passage("p", TINY_PASSAGE, questions)]
    per_question = list(measure_interventions(network, passages))
    assert len(per_question) == 3
    scores = intervention_scores(network, passages, limit=2, seed=5)
    assert scores == intervention_scores(network, passages, limit=2, seed=5)
    for name, share in scores.items():
        assert name == f"{share.module}/{share.replacement}"
        assert 0 <= share.followed <= share.changed <= 1
    everything = intervention_scores(network, passages)
    assert sum(share.steps for share in everything.values()) == sum(map(len, per_question))
    assert everything


@pytest.mark.parametrize("question", ["Who ran more, Ada or Ben?", "Who ran more?"])
def test_comparison_becomes_the_other_option(question: str) -> None:
    found = outcomes(
        "span(compare-num-gt(find, find))",
        question,
        find=FixedFind("12", "30"),
        compare_num_gt=ByPassage(),
        span=WordAtAttention(),
    )
    other = next(o for o in found if o.replacement == "other event")
    assert (other.before, other.after) == ("30", "12")
    assert other.followed
