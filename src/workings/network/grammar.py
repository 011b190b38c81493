"""Which module may stand where, read off the modules' type hints."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from workings.errors import ProgramError, did_you_mean
from workings.modules import Module, Signature, all_signatures
from workings.ops.results import Dates, Numbers, Result, Span, Spans
from workings.program import Program

# What a person can be told: the types a whole program may give.
ANSWERS: tuple[type[Result], ...] = (Numbers, Span, Spans, Dates)


@dataclass(frozen=True)
class Grammar:
    """The well-typed programs over a set of modules."""

    signatures: tuple[Signature, ...]

    @staticmethod
    def of(modules: Mapping[str, type[Module]]) -> "Grammar":
        return Grammar(all_signatures(modules))

    def shortest(self, usable: Sequence[bool]) -> dict[type[Result], float]:
        """How many steps the shortest usable program of each type takes."""
        least: dict[type[Result], float] = dict.fromkeys(
            (one.gives for one in self.signatures), inf
        )
        for _ in self.signatures:  # each round settles at least one type
            for one, open_ in zip(self.signatures, usable, strict=True):
                steps = 1 + sum(least.get(kind, inf) for kind in one.takes)
                least[one.gives] = min(least[one.gives], steps if open_ else inf)
        return least

    def derive(self, program: Program) -> list[int]:
        """The productions of a program in the order they are written; refuses ill-typed ones."""
        found: list[int] = []
        self._derive(program, ANSWERS, "an answer", found)
        return found

    def _derive(
        self, program: Program, wanted: tuple[type[Result], ...], where: str, found: list[int]
    ) -> None:
        place = self._form(program)
        form = self.signatures[place]
        if form.gives not in wanted:
            raise ProgramError(
                f"{program.name} gives {form.gives.word}, but {where} must be "
                f"{' or '.join(kind.word for kind in wanted)}: {program}.",
                hint=self._suggest(wanted, form.gives),
            )
        found.append(place)
        for number, (child, kind) in enumerate(zip(program.children, form.takes, strict=True), 1):
            self._derive(child, (kind,), f"input {number} of {program.name}", found)

    def _form(self, program: Program) -> int:
        """The form of a module with as many inputs as the program gives it."""
        forms = {i: one for i, one in enumerate(self.signatures) if one.name == program.name}
        if not forms:
            known = {one.name for one in self.signatures}
            raise ProgramError(
                f"There is no module {program.name!r}.", hint=did_you_mean(program.name, known)
            )
        for place, form in forms.items():
            if len(form.takes) == len(program.children):
                return place
        raise ProgramError(
            f"{program.name} was given {len(program.children)} inputs: {program}.",
            hint=f"Write it as {' or '.join(map(str, forms.values()))}.",
        )

    def _suggest(self, wanted: tuple[type[Result], ...], got: type[Result]) -> str:
        """A module that would turn what is there into what is wanted."""
        bridges = [o.name for o in self.signatures if o.gives in wanted and o.takes == (got,)]
        able = bridges or [o.name for o in self.signatures if o.gives in wanted]
        lead = "Wrap it in" if bridges else "Use"
        return f"{lead} {' or '.join(sorted(set(able)))}."
