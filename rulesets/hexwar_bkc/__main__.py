"""`python -m hexwar_bkc FILE`: what a battlegroup costs, and what is wrong with it."""

from __future__ import annotations

import sys
from pathlib import Path

from hexwar.errors import HexwarError
from hexwar.pieces import load_content
from hexwar_bkc.content import BattlegroupFile, bill, load_armies, price, why_not_battlegroup


def main(arguments: list[str]) -> int:
    """Print the bill of a battlegroup, and a sentence for each breach; 1 if there is one, 2 if it cannot be read."""
    if len(arguments) != 1:
        print("usage: python -m hexwar_bkc FILE, a TOML file with points, army, units, artillery and assets", file=sys.stderr)
        return 2
    try:
        wanted, armies = load_content(Path(arguments[0]), BattlegroupFile), load_armies()
        wrong = why_not_battlegroup(armies, wanted, wanted.points)
    except HexwarError as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 2
    for number, title, cost in bill(armies, wanted):
        print(f"{number:3} {title:<40} {cost:5}")
    print(f"{price(armies, wanted)} of {wanted.points} points")
    for sentence in wrong:
        print(f"- {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
