"""Answer a batch of questions, or run a given program, and explain the results."""

from collections.abc import Sequence

import torch

from workings.encoder.inputs import PassageInput, TokenizedText
from workings.errors import CheckpointError, ProgramError
from workings.explain import Answer, Explanation
from workings.inference.decoding import decode
from workings.inference.explaining import explain
from workings.inference.forking import use_one_thread_after_fork
from workings.inference.ranking import AnswerPolicy, Candidate, answer_candidates, missing_values
from workings.inference.unsupported import unsupported_reason
from workings.modules import REGISTRY
from workings.network.network import Network
from workings.network.programmer import ScoredProgram
from workings.program import Program


@torch.inference_mode()
def answer_batch(
    network: Network,
    policy: AnswerPolicy,
    questions: Sequence[TokenizedText],
    passages: Sequence[PassageInput],
) -> list[Explanation]:
    """Answer the questions of one batch.

    Args:
        network: The network, in evaluation mode.
        policy: How candidates become answers.
        questions: The questions.
        passages: The passage of each question; questions may share a passage.

    Returns:
        An explanation for each question.

    Raises:
        CheckpointError: If the network writes no program for a question.
        InputError: If a question is longer than the encoder can read.
    """
    use_one_thread_after_fork()
    encoding = network.encoder(questions, passages)
    beam = max(policy.top_k, network.recipe.programmer.beam)
    candidates = answer_candidates(network, encoding, beam)
    if not all(candidates):
        hint = "Load another model, or train this one again."
        raise CheckpointError("The model writes no program at all.", hint=hint)
    return [_decline(explain(ranked, policy)) for ranked in candidates]


def _decline(explanation: Explanation) -> Explanation:
    """Withhold the answer to a question that no program can answer, and say why."""
    reason = unsupported_reason(explanation.question)
    if not reason:
        return explanation
    changes = {"answer": Answer(), "abstained": True, "equation": None, "comparisons": ()}
    return explanation.model_copy(update={**changes, "sentence": reason})


@torch.inference_mode()
def run_program(
    network: Network,
    policy: AnswerPolicy,
    program: Program,
    question: TokenizedText,
    passage: PassageInput,
) -> Explanation:
    """Run a given program instead of one that the network writes.

    Args:
        network: The network, in evaluation mode.
        policy: How candidates become answers.
        program: The program to run.
        question: The question; its words are the side arguments of the program's steps.
        passage: The passage.

    Raises:
        ProgramError: If the program does not type-check, or needs values that the passage lacks.
        InputError: If the question is longer than the encoder can read.
    """
    use_one_thread_after_fork()
    network.grammar.derive(program)
    module = missing_values(program, question, passage)
    if module:
        needed = REGISTRY[module].needs
        source, values = ("question", "numbers") if "question" in needed else ("passage", needed)
        message = f"{module} needs {values}, and none were found in the {source}."
        raise ProgramError(message, hint="List the values of a text with `workings values`.")
    encoding = network.encoder([question], [passage])
    _, question_attention = network.programmer.score(encoding, [program])
    # The program is given, so its probability is one.
    log_probability = encoding.cls.new_zeros(())
    scored = ScoredProgram(0, program, log_probability, torch.stack(question_attention)[:, 0])
    (execution,) = network.run(encoding, [(0, program)], [scored.question_attention])
    answer = decode(execution.step.output, execution.encoding, 0)
    return explain([Candidate(scored, execution, 0, answer)], policy)
