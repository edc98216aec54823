// The numbers that tell that a game has gone on.

/**
 * Calls `heard` with each number, `told` when somebody has said something, and `lost` when the server is away; comes back after that.
 * @param {any} api
 * @param {string} game
 * @param {string} key
 * @param {{ heard: (number: number) => void, told: () => void, lost: () => void }} on
 */
export async function listen(api, game, key, on) {
  return api.listen(`games/${game}/stream`, on.heard, on.lost, on.told);
}
