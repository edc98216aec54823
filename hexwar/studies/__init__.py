"""Studies: many games of bots, what came of them, and whether two ways of playing differ.

A study is a `Plan` and some seeds. Seeds decide everything, so the same plan gives the same outcomes whoever plays them: this
process, several (`jobs`), or any `concurrent.futures.Executor` such as that of a Dask cluster (`hexwar.workers.cluster`).
`StudyFile` keeps each outcome as a line as soon as it is there, and goes on where it ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexwar._lazy import lazy

if TYPE_CHECKING:
    from hexwar.studies._arena import Match, Standing, arena, par, standings
    from hexwar.studies._comparing import Comparison, compare
    from hexwar.studies._figures import interval, summary
    from hexwar.studies._report import report
    from hexwar.studies._simulate import Moment, Outcome, Plan, play_one, play_seeds, simulate
    from hexwar.studies._study_file import StudyError, StudyFile, read_study

__all__ = [
    "Comparison",
    "Match",
    "Moment",
    "Outcome",
    "Plan",
    "Standing",
    "StudyError",
    "StudyFile",
    "arena",
    "compare",
    "interval",
    "par",
    "play_one",
    "play_seeds",
    "read_study",
    "report",
    "simulate",
    "standings",
    "summary",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Comparison": "_comparing",
        "Match": "_arena",
        "Moment": "_simulate",
        "Outcome": "_simulate",
        "Plan": "_simulate",
        "Standing": "_arena",
        "StudyError": "_study_file",
        "StudyFile": "_study_file",
        "arena": "_arena",
        "compare": "_comparing",
        "interval": "_figures",
        "par": "_arena",
        "play_one": "_simulate",
        "play_seeds": "_simulate",
        "read_study": "_study_file",
        "report": "_report",
        "simulate": "_simulate",
        "standings": "_arena",
        "summary": "_figures",
    },
)
