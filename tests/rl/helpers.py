"""Random play in an environment."""

from __future__ import annotations

from typing import Any

import numpy as np

from hexwar.rl import HexwarEnv


def random_token(env: HexwarEnv, chance: np.random.Generator) -> int:
    """A token that the mask allows."""
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(chance.choice(np.flatnonzero(mask)))


def play(env: HexwarEnv, seed: int) -> dict[str, float]:
    """Play at random to the end: agent -> its reward."""
    chance, rewards = np.random.default_rng(seed), {}
    env.reset(seed=seed)
    for agent in env.agent_iter():
        over: Any = env.terminations[agent] or env.truncations[agent]
        if over:
            rewards[agent] = env.last(observe=False)[1]
        env.step(None if over else random_token(env, chance))
    return rewards
