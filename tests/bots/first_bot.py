"""A bot in a program of its own, which needs nothing of hexwar: the action of the sort that it likes best."""

import json
import sys

LIKED = ("resolve", "attack", "join", "move", "ready", "arrive")

for line in sys.stdin:
    asked = json.loads(line)
    kinds = [action["kind"] for action in asked["actions"]]
    best = next((kinds.index(kind) for kind in LIKED if kind in kinds), 0)
    print(json.dumps({"action": best}), flush=True)
