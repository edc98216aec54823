// Where something went, as paths: smooth lines through the middles of places, and points on the way for pieces that glide.

/** A smooth line through some points.
 * @param {[number, number][]} points */
export function smooth(points) {
  if (points.length < 2) return "";
  const at = (n) => points[Math.max(0, Math.min(points.length - 1, n))], say = (numbers) => numbers.map((it) => it.toFixed(3)).join(" ");
  let path = `M${say(points[0])}`;
  for (let n = 0; n + 1 < points.length; n++) {
    const [a, b, c, d] = [at(n - 1), at(n), at(n + 1), at(n + 2)];
    const one = [b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6], two = [c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6];
    path += `C${say(one)} ${say(two)} ${say(c)}`;
  }
  return path;
}

/** A line that ends before its last point, so that a counter there is not covered.
 * @param {[number, number][]} points
 * @param {number} gap */
export function shortened(points, gap) {
  if (points.length < 2) return points;
  const [x, y] = points[points.length - 1], [u, v] = points[points.length - 2], long = Math.hypot(x - u, y - v);
  if (long <= gap * 1.2) return points;
  return /** @type {[number, number][]} */ ([...points.slice(0, -1), [x - ((x - u) * gap) / long, y - ((y - v) * gap) / long]]);
}

/** The head of an arrow at the end of a line.
 * @param {[number, number][]} points
 * @param {number} size */
export function arrowhead(points, size) {
  if (points.length < 2) return "";
  const [x, y] = points[points.length - 1], [u, v] = points[points.length - 2], long = Math.hypot(x - u, y - v) || 1;
  const [dx, dy] = [(x - u) / long, (y - v) / long];
  const back = [x - dx * size, y - dy * size], side = [-dy * size * 0.55, dx * size * 0.55];
  return `M${x.toFixed(3)} ${y.toFixed(3)}L${(back[0] + side[0]).toFixed(3)} ${(back[1] + side[1]).toFixed(3)}L${(back[0] - side[0]).toFixed(3)} ${(back[1] - side[1]).toFixed(3)}Z`;
}

/** Where somebody is who has gone a part of a way.
 * @param {[number, number][]} points
 * @param {number} part from 0 to 1 */
export function along(points, part) {
  if (points.length < 2) return points[0];
  const lengths = points.slice(1).map(([x, y], n) => Math.hypot(x - points[n][0], y - points[n][1]));
  let left = Math.max(0, Math.min(1, part)) * lengths.reduce((sum, it) => sum + it, 0);
  for (const [n, length] of lengths.entries()) {
    if (left <= length || n === lengths.length - 1) {
      const share = length ? Math.min(1, left / length) : 1;
      return /** @type {[number, number]} */ ([points[n][0] + (points[n + 1][0] - points[n][0]) * share, points[n][1] + (points[n + 1][1] - points[n][1]) * share]);
    }
    left -= length;
  }
  return points[points.length - 1];
}

/** Moves that go on from each other as one: of the same pieces, one ending where the next begins.
 * @param {{pieces: string[], points: string[], side: string, kind: string}[]} trails */
export function joined(trails) {
  const found = [];
  for (const trail of trails) {
    const key = trail.pieces.join(" "), before = found.find((it) => it.pieces.join(" ") === key && it.points.at(-1) === trail.points[0]);
    if (before) before.points = [...before.points, ...trail.points.slice(1)];
    else found.push({ ...trail });
  }
  return found;
}
