"""Small map files that several tests read; each shows one part of the format."""

from __future__ import annotations

FORD = """
format = 1
id = "demo/ford"
title = "The ford"

[grid]
layout = "columns"
columns = 4
rows = 3
shifted = "even"
shift = "up"

[terrain]
legend = { "." = "clear", f = "forest", "~" = "lake" }
rows = \"\"\"
. . f f
. . ~ f
. . . -
\"\"\"

[sides]
river = ["0102/N/NE 0202/NE", "0301|0302"]
cliff = ["0401/N 0202/NE"]

[links]
road = ["0101 0102 0103", "0102 0203"]
rail = ["0102 0103"]

[[place]]
name = "Lower Mill"
kind = "town"
hex = "0103"
value = 2
tags = ["port", "supply"]

[[place]]
name = "Twin Oaks"
kind = "city"
hex = "0301 0401"

[areas]
"west bank" = ["0101..0103 0201"]
"north edge" = ["0101..0401"]

[[hex]]
hex = "0303"
terrain = "forest"
properties = { height = 3, name = "Hill 3" }

[provenance]
terrain = "invented"
"""

STEPPE = """
format = 1
id = "demo/steppe"
[grid]
layout = "rows"
columns = 3
rows = 3
shifted = "odd"
shift = "east"
order = "rows-first"
rows_from = "south"
[terrain]
legend = { "." = "clear", w = "woods" }
rows = \"\"\"
  w . .
 . . .
  . . -
\"\"\"
"""


def sheet(prefix: str, rows: int, *, columns: int = 55, extra: str = "", terrain: str = ".") -> str:
    """A sheet of the size and numbering of A Victory Awaits, all of one terrain."""
    block = "\n".join(terrain * columns for _ in range(rows))
    return f"""
format = 1
id = "demo/{prefix.lower()}"
[grid]
layout = "columns"
columns = {columns}
rows = {rows}
shifted = "even"
shift = "up"
prefix = "{prefix}"
[terrain]
legend = {{ "." = "clear", f = "forest" }}
rows = \"\"\"
{block}
\"\"\"
{extra}
"""


CAMPAIGN = """
format = 1
id = "demo/campaign"
title = "Three sheets"

[[sheet]]
map = "demo/l"

[[sheet]]
map = "demo/s"
join = ["S0101 on L0121", "S5501 on L5521"]

[[sheet]]
map = "demo/k"
join = ["K0101 S of S0130"]

[links]
rail = ["S2730 K2701"]

[provenance]
seam = "the north sheet overlaps by guess, the south sheet by rule"
"""
