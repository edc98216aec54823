"""Oracles: the rules that hex games share once more, literal and slow, for checks that compare the two.

Each is a capability: a ruleset that names it in its kit gets the checks that need it. Numbers are given a second time, or read
from the content file itself; where a ruleset's rule is another, it overrides the method that says it.
"""

from hexwar.testing.oracles._combat import Battles, Combat, Fight, Pairs, Pursuits, Reckoning, Retreats, Verdict
from hexwar.testing.oracles._field import Field, Piece, Sheet, sheet_of
from hexwar.testing.oracles._ground import Cost, Movement, Path, Stacking, Zones
from hexwar.testing.oracles._ledger import Books, Entry, Ledger, ledger_of
from hexwar.testing.oracles._lines import ChitCommand, Command, Supply
from hexwar.testing.oracles._plane import OnAPlane, TableTurn
from hexwar.testing.oracles._staging import Places, Staging
from hexwar.testing.oracles._thrown import Thrown
from hexwar.testing.oracles._turn import Arrivals, Chits, Points

__all__ = [
    "Arrivals",
    "Battles",
    "Books",
    "ChitCommand",
    "Chits",
    "Combat",
    "Command",
    "Cost",
    "Entry",
    "Field",
    "Fight",
    "Ledger",
    "Movement",
    "OnAPlane",
    "Pairs",
    "Path",
    "Piece",
    "Places",
    "Points",
    "Pursuits",
    "Reckoning",
    "Retreats",
    "Sheet",
    "Stacking",
    "Staging",
    "Supply",
    "TableTurn",
    "Thrown",
    "Verdict",
    "Zones",
    "ledger_of",
    "sheet_of",
]
