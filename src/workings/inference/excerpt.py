"""The text read for one question: all of a short passage, the best parts of a long one.

The parts of a long passage become one short text. It is read like any other passage, and the places
of its explanation are then moved back to the whole passage.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from tokenizers import Tokenizer

from workings.encoder.inputs import PassageInput
from workings.explain.explanation import Explanation
from workings.explain.parts_read import JoinedParts
from workings.inference.passage_index import PassageIndex
from workings.values import CharSpan

# Separates the parts. No number, date or sentence continues across so many line feeds.
_GAP = "\n\n\n\n"
# Passages of up to this many tokens are read in full: four windows of 448 tokens that share 96.
MAX_WHOLE_TOKENS = 448 + 3 * (448 - 96)
# Tokens that are read of a longer passage: one window. Models are trained on paragraphs, and more
# text that does not matter costs more accuracy than the missing parts (docs/reliability.md).
MAX_EXCERPT_TOKENS = 448
# A passage with more characters has more tokens; they need not be counted.
_MAX_WHOLE_CHARS = 20 * MAX_WHOLE_TOKENS


class WholePassage:
    """A passage that is read in full, whatever the question.

    Attributes:
        input: The tokens and values of the passage.
    """

    def __init__(self, passage: PassageInput) -> None:
        self.input = passage

    def for_question(self, question: str) -> "WholePassage":  # noqa: ARG002 (as LongPassage)
        """The passage itself."""
        return self

    def explain(self, explanation: Explanation) -> Explanation:
        """The explanation as it is: its places are those of the passage."""
        return explanation


@dataclass(frozen=True)
class PassageExcerpt:
    """The parts of a long passage that are read for one question.

    Attributes:
        parts: The parts.
        input: The tokens and values of the joined parts.
    """

    parts: JoinedParts
    input: PassageInput

    def explain(self, explanation: Explanation) -> Explanation:
        """Turn an explanation of the joined parts into one of the whole passage."""
        return self.parts.to_passage(explanation)


class LongPassage:
    """A passage of which only the parts are read that match the question.

    Attributes:
        index: The lexical index of the passage.
        tokenizer: The tokenizer of the encoder.
    """

    def __init__(self, text: str, tokenizer: Tokenizer) -> None:
        self.index, self.tokenizer = PassageIndex.of(text), tokenizer
        self._sizes: dict[int, int] = {}

    def for_question(self, question: str) -> PassageExcerpt:
        """Choose the blocks of the best windows while they fit into the limit, at least one."""
        chosen: set[int] = set()
        free = MAX_EXCERPT_TOKENS
        for block in dict.fromkeys(chain.from_iterable(self.index.rank(question))):
            free -= self._size(block)
            if free < 0 and chosen:
                break
            chosen.add(block)
        parts = JoinedParts(self.index.text, self._parts(sorted(chosen)), _GAP)
        return PassageExcerpt(parts, PassageInput.from_text(parts.text, self.tokenizer))

    def _size(self, block: int) -> int:
        """The number of tokens of a block, counted when it is first needed."""
        if block not in self._sizes:
            text = self.index.text[slice(*self.index.blocks[block])]
            self._sizes[block] = len(self.tokenizer.encode(text, add_special_tokens=False).ids)
        return self._sizes[block]

    def _parts(self, blocks: Sequence[int]) -> tuple[CharSpan, ...]:
        """Join neighbouring blocks."""
        parts: list[CharSpan] = []
        for start, end in (self.index.blocks[block] for block in blocks):
            if parts and parts[-1][1] == start:
                parts[-1] = parts[-1][0], end
            else:
                parts.append((start, end))
        return tuple(parts)


def prepare_passage(text: str, tokenizer: Tokenizer) -> WholePassage | LongPassage:
    """Prepare a passage for questions: tokenize it, or index it if it is long.

    Raises:
        InputError: If the passage is short and has no tokens.
    """
    if len(text) <= _MAX_WHOLE_CHARS:
        passage = PassageInput.from_text(text, tokenizer)
        if len(passage) <= MAX_WHOLE_TOKENS:
            return WholePassage(passage)
    return LongPassage(text, tokenizer)
