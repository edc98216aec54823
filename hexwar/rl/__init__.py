"""Learning: every ruleset as a PettingZoo environment, and a baseline that learns.

An action is chosen token by token, so that one `Discrete` with a mask serves every ruleset, whatever it offers. What a learner
gets is made from the view of its seat. `hexwar.rl.env` needs the extra `rl` (PettingZoo and Gymnasium); tokens, observations and
the baseline need NumPy only. Nothing heavy is imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexwar._lazy import lazy

if TYPE_CHECKING:
    from hexwar.rl._env import HexwarEnv, env
    from hexwar.rl._observation import Encoder
    from hexwar.rl._token_bot import TokenBot
    from hexwar.rl._tokens import NotAToken, Tokens, Walk

__all__ = ["Encoder", "HexwarEnv", "NotAToken", "TokenBot", "Tokens", "Walk", "env"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Encoder": "_observation",
        "HexwarEnv": "_env",
        "NotAToken": "_tokens",
        "TokenBot": "_token_bot",
        "Tokens": "_tokens",
        "Walk": "_tokens",
        "env": "_env",
    },
)
