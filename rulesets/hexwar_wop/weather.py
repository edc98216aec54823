"""4: weather, and which air units it keeps on the ground."""

from __future__ import annotations

from hexwar.engine import PublicEvent, record
from hexwar_wop.flights import HANGAR, is_due
from hexwar_wop.world import Doing, WopState

CLOUDY, PRECIPITATION = "cloudy", "precipitation"


@record
class WeatherSet(PublicEvent[WopState]):
    """The weather of the turn, and the air units that do nothing in it."""

    kind = "weather-set"
    weather: str
    grounded: tuple[str, ...]

    def apply(self, state: WopState) -> None:
        """Note it."""
        state.weather, state.grounded = self.weather, self.grounded

    def __str__(self) -> str:
        return f"weather: {self.weather}" + (f"; grounded: {', '.join(self.grounded)}" if self.grounded else "")


def determine_weather(play: Doing) -> None:
    """4.1, 4.2: one roll for the turn; under clouds one for each air unit; no unit flies in rain."""
    tables = play.world.printed.tables
    face = play.roll("weather", clause="4.1", sides=10, lowest=0)
    weather = tables.weather[play.world.scenario.weather].of(face)
    places, units = play.state.locations, play.world.air_units
    squadrons = [unit for unit in units if places.get(unit) == HANGAR or is_due(play, unit)]
    grounded: list[str] = []
    clause = "4.2.1"
    if weather == CLOUDY:
        clause = "4.2.2"
        low, high = tables.air.cloudy_operates
        rolls = {unit: play.roll(f"{unit} under clouds", clause=clause, sides=10, lowest=0) for unit in squadrons}
        grounded = [unit for unit, rolled in rolls.items() if not low <= rolled <= high]
    elif weather == PRECIPITATION:
        clause, grounded = "4.2.3", squadrons
    play.emit(WeatherSet(weather, tuple(grounded), clause=clause))
