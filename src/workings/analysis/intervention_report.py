"""Report of interventions: how often answers follow, by module, replacement and kind."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from workings.analysis.error_report import ALL, sample_questions
from workings.analysis.interventions import Outcome, measure_interventions
from workings.data.records import KINDS, Passage
from workings.explain.html import standalone_page, template
from workings.files import write_atomically
from workings.network.network import Network

# Examples to keep of each replacement: so many that followed, and so many that did not.
MAX_EXAMPLES = 10

PEER_NOTE = (
    "Not applicable: this model has no steps whose output could be replaced. "
    "Measure it with --faithfulness."
)


@dataclass(frozen=True)
class InterventionShare:
    """The outcomes of one replacement, for all questions or those of one kind.

    Attributes:
        module: Name of the module.
        replacement: Name of the replacement.
        kind: The kind of question, or ``ALL``.
        steps: Number of steps that were replaced.
        changed: Share of them after which the answer was another one.
        followed: Share of them after which the answer was the one that the replacement leads to.
        followed_alone: The same if the replaced output has no attention over the question.
    """

    module: str
    replacement: str
    kind: str
    steps: int
    changed: float
    followed: float
    followed_alone: float

    def to_json(self) -> dict[str, Any]:
        """The shares as plain data."""
        return asdict(self)


@dataclass
class OutcomeExamples:
    """Keeps the first few outcomes of each replacement.

    Attributes:
        limit: Maximum number that followed, and maximum number that did not.
        examples: The kept outcomes by module and replacement.
    """

    limit: int = MAX_EXAMPLES
    examples: dict[tuple[str, str], list[Outcome]] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        """Keep an outcome if there are fewer than the limit like it."""
        kept = self.examples.setdefault((outcome.module, outcome.replacement), [])
        if sum(other.followed == outcome.followed for other in kept) < self.limit:
            kept.append(outcome)

    def to_json(self) -> list[dict[str, Any]]:
        """The kept outcomes as plain data."""
        return [asdict(outcome) for kept in self.examples.values() for outcome in kept]


def summarise_outcomes(outcomes: Iterable[Outcome]) -> list[InterventionShare]:
    """Count the outcomes of each replacement, for all questions first and then by kind."""
    groups: dict[tuple[str, str, str], list[Outcome]] = {}
    for outcome in outcomes:
        for kind in (ALL, outcome.kind):
            groups.setdefault((outcome.module, outcome.replacement, kind), []).append(outcome)
    kinds = (ALL, *KINDS, "other")
    order = sorted(groups, key=lambda group: (group[0], group[1], kinds.index(group[2])))
    return [_share(*group, groups[group]) for group in order]


def _share(
    module: str, replacement: str, kind: str, outcomes: Sequence[Outcome]
) -> InterventionShare:
    steps = len(outcomes)
    return InterventionShare(
        module,
        replacement,
        kind,
        steps,
        changed=sum(outcome.changed for outcome in outcomes) / steps,
        followed=sum(outcome.followed for outcome in outcomes) / steps,
        followed_alone=sum(outcome.followed_alone for outcome in outcomes) / steps,
    )


def intervention_scores(
    network: Network, passages: Sequence[Passage], limit: int | None = None, seed: int = 0
) -> dict[str, InterventionShare]:
    """Measure how often answers follow replaced steps, to choose between models.

    Args:
        network: The network; it is put into evaluation mode.
        passages: Passages with questions.
        limit: Number of questions, chosen at even intervals; None for all.
        seed: Seed of the choice of places.

    Returns:
        The shares over all kinds by module and replacement, such as ``"find/other sentence"``.
    """
    measured = measure_interventions(network, sample_questions(passages, limit), seed=seed)
    rows = summarise_outcomes(outcome for outcomes in measured for outcome in outcomes)
    return {f"{row.module}/{row.replacement}": row for row in rows if row.kind == ALL}


def write_interventions(
    folder: Path, rows: Sequence[InterventionShare], examples: OutcomeExamples
) -> None:
    """Write ``interventions.json`` and ``interventions.html`` into a folder.

    Args:
        folder: The folder; it is made if it does not exist.
        rows: The shares.
        examples: Outcomes to show on the page.
    """
    tree = {"shares": [row.to_json() for row in rows], "examples": examples.to_json()}
    body = template("interventions.html", __package__).render(
        rows=[row for row in rows if row.kind == ALL],
        kinds=kinds_of(rows),
        followed={(row.module, row.replacement, row.kind): row for row in rows},
        examples=examples.examples,
    )
    page = standalone_page("Interventions", body)
    for name, text in (("json", json.dumps(tree, indent=1)), ("html", page)):
        with write_atomically(folder / f"interventions.{name}") as file:
            file.write(text.encode())


def kinds_of(rows: Iterable[InterventionShare]) -> list[str]:
    """The kinds of question that occur, in the usual order."""
    present = {row.kind for row in rows}
    return [kind for kind in (*KINDS, "other") if kind in present]
