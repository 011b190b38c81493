"""The grammar of programs, induced from the type hints of the modules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from workings.errors import ProgramError, did_you_mean
from workings.modules import Module, Signature, all_signatures
from workings.ops.results import Dates, Nothing, Numbers, Result, Span, Spans
from workings.program import Program

# The types that a whole program may give.
ANSWERS: tuple[type[Result], ...] = (Numbers, Span, Spans, Dates, Nothing)


@dataclass(frozen=True)
class Grammar:
    """The well-typed programs over a set of modules. A production is one form of one module."""

    signatures: tuple[Signature, ...]

    @staticmethod
    def of(modules: Mapping[str, type[Module]]) -> "Grammar":
        """The grammar of some modules."""
        return Grammar(all_signatures(modules))

    def shortest(self, usable: Sequence[bool]) -> dict[type[Result], float]:
        """The number of steps of the shortest program of each type.

        Args:
            usable: Which productions may be used.
        """
        shortest: dict[type[Result], float] = dict.fromkeys(
            (form.gives for form in self.signatures), inf
        )
        for _ in self.signatures:  # each round settles at least one type
            for form, allowed in zip(self.signatures, usable, strict=True):
                steps = 1 + sum(shortest.get(kind, inf) for kind in form.takes)
                shortest[form.gives] = min(shortest[form.gives], steps if allowed else inf)
        return shortest

    def derive(self, program: Program) -> list[int]:
        """The productions of a program, in the order in which they are written.

        Raises:
            ProgramError: If the program is not well-typed or uses an unknown module.
        """
        productions: list[int] = []
        self._derive(program, ANSWERS, "an answer", productions)
        return productions

    def _derive(
        self, program: Program, allowed: tuple[type[Result], ...], role: str, productions: list[int]
    ) -> None:
        step = len(productions)  # modules are derived in the order in which they are written
        production = self._production(program, step)
        form = self.signatures[production]
        if form.gives not in allowed:
            raise ProgramError(
                f"{program.name} gives {form.gives.word}, but {role} must be "
                f"{' or '.join(kind.word for kind in allowed)}: {program}.",
                hint=self._suggest(allowed, form.gives),
                step=step,
            )
        productions.append(production)
        inputs = zip(program.children, form.takes, strict=True)
        for number, (child, kind) in enumerate(inputs, 1):
            self._derive(child, (kind,), f"input {number} of {program.name}", productions)

    def _production(self, program: Program, step: int) -> int:
        """The form of a module with as many inputs as the program gives it."""
        forms = {i: form for i, form in enumerate(self.signatures) if form.name == program.name}
        if not forms:
            names = {form.name for form in self.signatures}
            raise ProgramError(
                f"There is no module {program.name!r}.",
                hint=did_you_mean(program.name, names),
                step=step,
            )
        for production, form in forms.items():
            if len(form.takes) == len(program.children):
                return production
        raise ProgramError(
            f"{program.name} was given {len(program.children)} inputs: {program}.",
            hint=f"Write it as {' or '.join(map(str, forms.values()))}.",
            step=step,
        )

    def _suggest(self, allowed: tuple[type[Result], ...], given: type[Result]) -> str:
        """Suggest modules that give an allowed type, preferably from the given type."""
        forms = [form for form in self.signatures if form.gives in allowed]
        converters = [form.name for form in forms if form.takes == (given,)]
        names = converters or [form.name for form in forms]
        return f"{'Wrap it in' if converters else 'Use'} {' or '.join(sorted(set(names)))}."
