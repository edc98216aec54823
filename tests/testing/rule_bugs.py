"""Bugs of rules, each with the check that must catch it alone: they are planted in Bridgehead."""

CAUGHT = {
    "dice-are-fair": "dice-are-loaded",
    "pieces-are-conserved": "comrade-lost",
    "places-follow-visits": "places-on-the-way-are-not-taken",
    "stacks-fit": "stacking-one-more",
    "zones-are-right": "zones-with-a-gap",
    "moves-are-right": "zones-free-to-leave",
    "attacks-are-right": "rivers-do-not-halve",
    "losses-are-right": "attackers-lose-nothing",
    "retreats-are-right": "retreat-any-way",
    "pursuits-are-right": "pursuit-too-far",
    "supply-is-right": "supply-through-enemies",
    "command-is-right": "command-range-more",
    "chits-are-kept": "chit-lost",
    "arrivals-are-right": "reinforcements-early",
    "points-are-right": "the-loser-wins",
    "answers-are-right": "supply-through-enemies",
    "staged-games-agree": "retreat-stops-at-full-stacks",
    "thrown-games-agree": "zones-free-to-leave",
    "lone-pursuits-agree": "pursuit-over-the-river",
    "drills": "tie-to-the-attacker",
}
"""Check -> mutant of Bridgehead."""
