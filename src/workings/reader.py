"""The main entry point: ``Reader`` answers questions about passages and explains the answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from pathlib import Path

from workings.checkpoint.config import load_policy
from workings.checkpoint.model_folder import find_model, load, save
from workings.encoder.inputs import TokenizedText
from workings.errors import CheckpointError, InputError
from workings.explain import Explanation
from workings.inference.excerpt import LongPassage, WholePassage, prepare_passage
from workings.inference.forking import use_one_thread_after_fork
from workings.inference.pipeline import answer_batch, run_program
from workings.inference.ranking import AnswerPolicy
from workings.network.network import Network
from workings.program import Program

# The longest passage, in characters: about the length of a book.
MAX_PASSAGE_LENGTH = 1_000_000
# The most passage tokens in one batch: long passages are answered in smaller batches.
_MAX_BATCH_TOKENS = 16384
# Number of passages (or windows of long passages) cached between questions.
_CACHED_PASSAGES = 64


class Reader:
    """Answers questions about passages and explains how.

    A reader can be pickled. In a forked child process it answers with a single thread, because
    torch's threads do not survive a fork.

    Attributes:
        network: The network that answers.
        policy: The number of programs to report, the minimum confidence and the temperature.
    """

    def __init__(self, network: Network, policy: AnswerPolicy | None = None) -> None:
        """Make a reader of a network.

        Args:
            network: The network; it is switched to evaluation mode.
            policy: How candidates become answers; by default three programs are reported, every
                answer is given, and confidence is the uncalibrated probability.
        """
        use_one_thread_after_fork()
        self.network = network.eval()
        self.network.encoder.cache_passages(_CACHED_PASSAGES)
        self.policy = policy or AnswerPolicy()

    @staticmethod
    def from_pretrained(
        folder: str | Path | None = None,
        *,
        top_k: int = 3,
        threshold: float | None = None,
        fast: bool = False,
    ) -> "Reader":
        """Load a reader from a model folder.

        Args:
            folder: The model folder; by default the weights that ship with the package.
            top_k: Number of programs to report, the best one included.
            threshold: Minimum confidence; below it the reader gives no answer.
            fast: Run the encoder in bfloat16 or 8-bit integers, whichever suits the processor.

        Raises:
            CheckpointError: If the folder is not a complete model folder.
            InputError: If ``top_k`` or ``threshold`` is out of range.
        """
        use_one_thread_after_fork()
        folder = find_model(folder)
        policy = load_policy(folder, top_k=top_k, threshold=threshold)
        return Reader(load(folder, fast=fast), policy)

    def save_pretrained(self, folder: str | Path) -> Path:
        """Write a model folder that ``from_pretrained`` loads.

        Args:
            folder: The folder to write; it is created if it is missing.

        Returns:
            The folder.

        Raises:
            CheckpointError: If the folder cannot be written, or the reader is a fast one.
        """
        if self.network.encoder.fast is not None:
            hint = "Load it again without fast=True, and save that."
            raise CheckpointError("The weights of a fast reader are rounded.", hint=hint)
        return save(self.network, folder, temperature=self.policy.temperature)

    def read(self, passage: str) -> "PassageReader":
        """Prepare a passage for several questions.

        A passage of up to 1,504 tokens is read in full. A longer one is indexed, and only the parts
        that share most words with a question are read for it, up to 448 tokens.

        Args:
            passage: The text.

        Raises:
            InputError: If the passage is empty, too long or not text.
        """
        _check_text(passage, "passage")
        if len(passage) > MAX_PASSAGE_LENGTH:
            message = (
                f"The passage has {len(passage):,} characters, more than {MAX_PASSAGE_LENGTH:,}."
            )
            raise InputError(message, hint="Ask about a shorter part of it.")
        prepared = prepare_passage(passage, self.network.tokenizer)
        return PassageReader(self.network, self.policy, prepared)

    def ask(self, question: str, passage: str) -> Explanation:
        """Answer one question about a passage.

        Args:
            question: The question.
            passage: The text that the question is about.

        Returns:
            The answer with the program and the steps that computed it.

        Raises:
            InputError: If a text is empty, too long or not text.
        """
        return self.read(passage).ask(question)

    def ask_many(self, pairs: Iterable[tuple[str, str]], batch_size: int = 8) -> list[Explanation]:
        """Answer many questions, each about its own passage.

        Questions about the same passage share its preparation. Passages of similar length are
        answered together, whatever their order.

        Args:
            pairs: (question, passage) pairs.
            batch_size: Number of questions answered at a time.

        Returns:
            An explanation for each pair, in the order given.

        Raises:
            InputError: If an item is not a pair of strings, a text is empty, too long or not text,
                or ``batch_size`` is less than 1.
        """
        checked = [
            _check_pair(pair, index) for index, pair in enumerate(_check_list(pairs, _PAIRS))
        ]
        prepared = {passage: self.read(passage).passage for _, passage in checked}
        questions = [_tokenize_question(self.network, question) for question, _ in checked]
        passages = [prepared[passage] for _, passage in checked]
        return _answer_all(self.network, self.policy, questions, passages, batch_size)

    def run(self, program: str | Program, question: str, passage: str) -> Explanation:
        """Run a given program on a passage.

        Args:
            program: The program, such as ``sub(find-num(find), find-num(find))``.
            question: The question; its words determine what each step looks for.
            passage: The text.

        Returns:
            The result of the program with its steps.

        Raises:
            ProgramError: If the program does not parse or type-check, or needs values that the
                passage lacks.
            InputError: If a text is empty, too long or not text.
        """
        return self.read(passage).run(program, question)


class PassageReader:
    """A passage that is ready for questions; made by ``Reader.read``.

    Attributes:
        network: The network that answers.
        policy: How candidates become answers.
        passage: The passage, tokenized or indexed.
    """

    def __init__(
        self, network: Network, policy: AnswerPolicy, passage: WholePassage | LongPassage
    ) -> None:
        self.network, self.policy, self.passage = network, policy, passage

    def ask(self, question: str) -> Explanation:
        """Answer one question about the passage; see ``Reader.ask``."""
        return self.ask_many([question])[0]

    def ask_many(self, questions: Iterable[str], batch_size: int = 8) -> list[Explanation]:
        """Answer many questions about the passage.

        Args:
            questions: The questions.
            batch_size: Number of questions answered at a time.

        Returns:
            An explanation for each question, in the order given.

        Raises:
            InputError: If a question is empty, too long or not text, or ``batch_size`` is less
                than 1.
        """
        listed = _check_list(questions, "Give a list of questions, or call ask with one question.")
        tokenized = [_tokenize_question(self.network, question) for question in listed]
        passages = [self.passage] * len(tokenized)
        return _answer_all(self.network, self.policy, tokenized, passages, batch_size)

    def run(self, program: str | Program, question: str) -> Explanation:
        """Run a given program on the passage; see ``Reader.run``."""
        if not isinstance(program, Program):
            program = Program.parse(_check_string(program, "program"))
        tokenized = _tokenize_question(self.network, question)
        text = self.passage.for_question(tokenized.text)
        return text.explain(run_program(self.network, self.policy, program, tokenized, text.input))


_PAIRS = 'Give (question, passage) pairs, such as [("How many?", "The text.")].'


def _answer_all(
    network: Network,
    policy: AnswerPolicy,
    questions: Sequence[TokenizedText],
    passages: Sequence[WholePassage | LongPassage],
    batch_size: int,
) -> list[Explanation]:
    pairs = zip(questions, passages, strict=True)
    texts = [passage.for_question(question.text) for question, passage in pairs]
    explanations: dict[int, Explanation] = {}
    for batch in _batches([text.input for text in texts], batch_size):
        answers = answer_batch(
            network, policy, [questions[i] for i in batch], [texts[i].input for i in batch]
        )
        for index, answer in zip(batch, answers, strict=True):
            explanations[index] = texts[index].explain(answer)
    return [explanations[index] for index in range(len(questions))]


def _batches(passages: Sequence[Sized], batch_size: int) -> Iterator[list[int]]:
    """Yield the indices of each batch: passages of similar length together, to pad little."""
    if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
        raise InputError(f"batch_size is {batch_size!r}.", hint="Give a whole number from 1 on.")
    first_index: dict[Sized, int] = {}
    for index, passage in enumerate(passages):
        first_index.setdefault(passage, index)

    def key(index: int) -> tuple[int, int]:
        return len(passages[index]), first_index[passages[index]]

    batch: list[int] = []
    for index in sorted(range(len(passages)), key=key):
        # Lengths ascend, so this passage determines the padded length of the whole batch.
        tokens = (len(batch) + 1) * len(passages[index])
        if batch and (len(batch) == batch_size or tokens > _MAX_BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _tokenize_question(network: Network, question: object) -> TokenizedText:
    return TokenizedText.tokenize(_check_text(question, "question"), network.tokenizer)


def _check_list(items: object, hint: str) -> list[object]:
    """Refuse a single text or a mapping, whose iteration would give characters or keys."""
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
        raise InputError(f"A single {type(items).__name__} is not a list.", hint=hint)
    return list(items)


def _check_pair(pair: object, index: int) -> tuple[str, str]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        hint = _PAIRS
        if isinstance(pair, Mapping):
            hint = 'Give pairs: [(item["question"], item["passage"]) for item in items].'
        raise InputError(f"Item {index} is a {type(pair).__name__}, not a pair.", hint=hint)
    question, passage = pair
    return _check_text(question, "question"), _check_text(passage, "passage")


def _check_string(text: object, name: str) -> str:
    if not isinstance(text, str):
        hint = "Give a string; decode bytes first."
        raise InputError(f"The {name} is of type {type(text).__name__}, not text.", hint=hint)
    return text


def _check_text(given: object, name: str) -> str:
    text = _check_string(given, name)
    if not text.strip():
        raise InputError(f"The {name} is empty.", hint=f"Give a {name} of at least one word.")
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError(f"The {name} is binary, not text.", hint="Give plain text.")
    return text
