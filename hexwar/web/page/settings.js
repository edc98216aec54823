// What a player of this browser wants, for all games.
export const DEFAULTS = { briefing: true, replay: true, single: true, trails: true, sound: false, notify: false, theme: "system", labels: true };
export const TITLES = {
  briefing: "What a game is about, when it begins",
  replay: "Replay what happened when a game is opened, and after each of the others' turns",
  single: "No click where there is only one choice",
  trails: "Show the moves since I last decided",
  sound: "A sound when I am asked",
  labels: "Numbers of hexes on the map",
};

export const settings = {
  all: () => ({ ...DEFAULTS, ...JSON.parse(localStorage.getItem("settings") ?? "{}") }),
  get: (name) => settings.all()[name],
  set(name, value) {
    localStorage.setItem("settings", JSON.stringify({ ...JSON.parse(localStorage.getItem("settings") ?? "{}"), [name]: value }));
  },
};
