"""The environment: any ruleset under PettingZoo's AEC interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hexwar.engine import NEUTRAL, Game
from hexwar.errors import HexwarError
from hexwar.facade import new_game
from hexwar.rl._observation import Encoder, Floats
from hexwar.rl._tokens import Mask, NotAToken, Tokens, Walk

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ModuleNotFoundError as missing:
    raise HexwarError(f"{missing.name} is not installed: pip install 'hexwar[rl]'") from missing

Observation = dict[str, Any]


class HexwarEnv(AECEnv):  # type: ignore[misc]  # it comes without types
    """A game as an environment. Agents are seats; a step is one token of an action, and the last token does the action.

    An observation is `{"observation": {"hexes": ..., "units": ..., "globals": ...}, "action_mask": ...}`, made from the view of
    the seat. Rewards come when the game is over: 1 for each seat of the winner, -1 for the loser, so that they sum to 0 over
    the sides (with more sides than two, the others share the -1); 0 for a draw, for neutral seats and for a truncated game.

    Args:
        ruleset: its id.
        scenario: its id; the ruleset's first if not given.
        options: optional rules by id.
        seed: of the first game, as for `hexwar.new_game`; the games after it follow from it.
        seats: for several players a side, as for `hexwar.new_game`. Each seat is an agent.
        max_actions: the actions after which a game is truncated; the scenario's own bound if not given.
        render_mode: "svg" for a picture of what everybody may see, "ansi" for a line of text.
    """

    def __init__(
        self,
        ruleset: str,
        scenario: str | None = None,
        options: Mapping[str, object] | None = None,
        seed: int | str | None = None,
        *,
        seats: str | Mapping[str, str] | None = None,
        max_actions: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        modes = ["ansi", "svg"]
        self.metadata = {"name": f"hexwar_{ruleset}_v0", "render_modes": modes, "is_parallelizable": False}
        if render_mode not in (None, *modes):
            raise HexwarError(f"there is no render mode {render_mode!r}; there are ansi and svg")
        self.render_mode = render_mode
        self._make = {"ruleset": ruleset, "scenario": scenario, "options": options, "seats": seats}
        self._seed, self._episode = seed, 0
        self.game: Game = self._new_game(0)
        """The game that is being played: for the host of the environment, since it has all secrets."""
        self.tokens = Tokens(self.game.ruleset, self.game.world)
        """What the numbers of actions mean."""
        self.encoder = Encoder(self.game.ruleset, self.game.world, self.game.state, self.tokens)
        """What the columns of observations mean."""
        bound = self.game.ruleset.info.scenario(self.game.world.setup.scenario).bound
        self.max_actions = bound if max_actions is None else max_actions
        self.possible_agents: list[str] = list(self.game.world.seats)
        self.agents: list[str] = []
        self._walk: Walk | None = None
        self._seen: dict[str, dict[str, Floats]] = {}
        arrays: dict[str, spaces.Space[Any]] = {
            name: spaces.Box(-np.inf, np.inf, shape, np.float32) for name, shape in self.encoder.shapes.items()
        }
        self.observation_spaces = {
            agent: spaces.Dict(
                {"observation": spaces.Dict(arrays), "action_mask": spaces.Box(0, 1, (self.tokens.size,), np.int8)}
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.tokens.size) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all agents, each with a source of chance of its own."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """One token: see `tokens`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | str | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: its seed, exactly as for `hexwar.new_game`. If it is not given, the next game follows from the seed before; if
                there never was one, the game is a fresh one.
            options: ignored; PettingZoo asks for it.
        """
        if seed is not None:
            self._seed, self._episode = seed, 0
        self.game = self._new_game(self._episode)
        self._episode += 1
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._actions = 0
        self.agent_selection = self.agents[-1]  # so that the first comes next
        self._ask()

    def _new_game(self, episode: int) -> Game:
        seed = self._seed if self._seed is None or episode == 0 else f"{self._seed}/{episode}"
        return new_game(seed=seed, **self._make)  # type: ignore[arg-type]  # checked by `env`

    def _ask(self) -> None:
        """Turn to whoever decides next; those who decide at the same time take turns, action by action."""
        self._seen = {}
        self._walk = None
        if self.game.to_move:
            seats = self.possible_agents
            last = seats.index(self.agent_selection)
            self.agent_selection = min(self.game.to_move, key=lambda seat: (seats.index(seat) - last - 1) % len(seats))
            view = self.game.view(self.agent_selection)
            self._looked = self.agent_selection, view
            assert view.question is not None
            self._walk = Walk(self.tokens, view.question)

    def _must_run(self) -> None:
        if not self.agents:
            raise HexwarError("the game is over or has not begun: call reset() first")

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the agent that is asked sees, its reward, whether the game is over or was cut short for it, and more.

        Args:
            observe: whether to make the observation.
        """
        self._must_run()
        found: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return found

    def observe(self, agent: str) -> Observation:
        """What an agent sees. The mask is empty for those who are not asked now."""
        seen = self._seen.get(agent)
        if seen is None:
            view = self._looked[1] if self._looked[0] == agent and self._walk is not None else self.game.view(agent)
            seen = self._seen[agent] = self.encoder.look(view)
        mask = self.action_mask(agent)
        if self._walk is None or agent != self.agent_selection:
            return {"observation": {name: array.copy() for name, array in seen.items()}, "action_mask": mask}
        return {"observation": self.encoder.with_walk(seen, self._walk), "action_mask": mask}

    def action_mask(self, agent: str) -> Mask:
        """The tokens that an agent may take now, without the cost of an observation; none for those who are not asked."""
        if self._walk is None or agent != self.agent_selection:
            return np.zeros(self.tokens.size, np.int8)
        return self._walk.mask

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Take a token.

        Args:
            action: a token that the mask allows; None for an agent whose game is over.

        Raises:
            NotAToken: the mask does not allow it; nothing has changed.
        """
        self._must_run()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or self._walk is None:
            raise NotAToken(f"{agent} is asked, so a token is needed")
        decided = self._walk.take(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if decided is None:
            return
        self.game.apply(decided, agent)
        self._actions += 1
        self._ask()
        if self.game.result is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = self._verdict(self.game.result.winner)
        elif self._actions >= self.max_actions:
            self.truncations = dict.fromkeys(self.agents, True)
            self._walk = None
        self._accumulate_rewards()

    def _verdict(self, winner: str | None) -> dict[str, float]:
        seats, losers = self.game.world.seats, len(self.game.world.sides) - 1
        if winner is None or not losers:
            return dict.fromkeys(self.agents, 0.0)
        worth = {side: 1.0 if side == winner else -1.0 / losers for side in self.game.world.sides} | {NEUTRAL: 0.0}
        return {agent: worth[seats[agent]] for agent in self.agents}

    def render(self) -> str | None:
        """What everybody may see: a picture as SVG, or a line of text."""
        if self.render_mode == "svg":
            from hexwar.render import game_svg

            return game_svg(self.game.view(None))
        return repr(self.game.view(None)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


env = HexwarEnv
"""As PettingZoo's environments are made: `env("bridgehead")`."""
