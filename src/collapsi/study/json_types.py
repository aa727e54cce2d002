"""Typed dicts for the JSON of studies."""

from __future__ import annotations

from typing import Annotated, NotRequired

from collapsi.core.json_types import *
from collapsi.play.enums import PuzzleKind


class StudyPlan(Exact):
    """The plan of a study, the content of its manifest."""

    format: int
    rules: str
    seed: int
    level: str | None
    lengths: Annotated[bool, Doc("Whether the lengths of games are studied.")]
    part: Annotated[int, Doc("Number of deals in a part.")]


class StudyUntil(Exact):
    """Whether a study with `--until` has reached the width of its intervals."""

    wanted: Annotated[float, Doc("The width of the intervals of the wins at which the study stops.")]
    width: Annotated[float, Doc("The width of the widest interval.")]
    reached: Annotated[bool, Doc("Whether that is at most the wanted width.")]


class StudyResult(Exact):
    """The result of a study: every share is an estimate with its 95 % interval."""

    rules: str
    seed: Annotated[int, Doc("Deal n of the study depends on this seed and n only.")]
    deals: int
    level: Annotated[
        str | None,
        Doc("Level of the players whose games were studied; null for perfect play."),
    ]
    wins: Annotated[dict[Seat, Rate], Doc("How often each player wins.")]
    first_out: Annotated[
        dict[Seat, Rate], Doc("With three or four players: how often each is the first to go out.")
    ]
    mean_plies: Annotated[Mean | None, Doc("The mean length of games; null if lengths were not studied.")]
    lengths: list[LengthRate]
    until: NotRequired[
        Annotated[
            StudyUntil,
            Doc("Only with --until: then all intervals are those of confidence sequences."),
        ]
    ]


class StudyEstimate(Exact):
    """The estimated cost of solving all deals of a rule set one by one."""

    rules: str
    measured: Annotated[int, Doc("Number of deals whose cost is known.")]
    cpu_seconds: Annotated[Mean, Doc("CPU seconds of one core for a deal.")]
    nodes: Annotated[float, Doc("Positions searched for a deal.")]
    deals: Annotated[int, Doc("All deals; where the board wraps around, with red's jack in one place.")]
    different: Annotated[int, Doc("Deals up to the symmetries of the board.")]
    core_days: Annotated[float, Doc("Days of one core for the different deals.")]


class ExamPhase(Exact):
    """The wins kept in one phase of the game."""

    plies: Annotated[list[int], Doc("The first and the last ply of the phase.")]
    kept: Rate


class ExamDifficulty(Exact):
    """The wins kept in positions of one difficulty."""

    difficulty: PuzzleKind
    kept: Rate


class ExamResult(Exact):
    """What a player reached in the exam."""

    player: str
    positions: int
    kept: Annotated[Rate, Doc("The won positions in which the move keeps the win.")]
    phases: list[ExamPhase]
    difficulties: list[ExamDifficulty]
    length_lost: Annotated[
        Mean | None,
        Doc("Plies lost to perfect play where the win was kept, and in lost positions; null: no such move."),
    ]
    illegal: Annotated[int, Doc("Illegal moves.")]


class DatasetPlan(Exact):
    """The plan of a dataset, the content of its manifest."""

    format: int
    rules: str
    seed: int
    positions: int
    part: Annotated[int, Doc("Number of positions in a part.")]


class DatasetSplit(Exact):
    """The files of one split of a dataset."""

    positions: int
    files: int
    bytes: int


class Dataset(Exact):
    """A dataset that was written."""

    folder: str
    rules: str
    seed: int
    positions: int
    splits: dict[str, DatasetSplit]
    sources: Annotated[dict[str, int], Doc("Number of positions from each source.")]
    sha256: Annotated[str, Doc("Of the file SHA256SUMS, which has the checksums of the others.")]
