/** An SVG path that keeps each value until the next one stands. */
export function stepPath(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  return `M${first.x} ${first.y}${rest.map(({ x, y }) => `H${x}V${y}`).join('')}`;
}
