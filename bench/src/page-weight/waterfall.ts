import type { TimedRequest } from './visit.ts';

const millisecondsPerCharacter = 50;

/** The requests of a visit drawn as bars along time, with marks at the first (F) and the largest (L) paint. */
export function drawWaterfall(visit: {
  readonly requests: readonly TimedRequest[];
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
}): string {
  const columnOf = (ms: number) => Math.round(ms / millisecondsPerCharacter);
  const marks = [
    { column: columnOf(visit.firstPaintMs), letter: 'F' },
    { column: columnOf(visit.largestPaintMs), letter: 'L' },
  ];
  const width = Math.max(
    ...visit.requests.map(({ endMs }) => columnOf(endMs)),
    ...marks.map(({ column }) => column),
  );
  const line = (characters: (column: number) => string, text: string) =>
    `${Array.from({ length: width + 1 }, (_, column) => characters(column)).join('')} ${text}`.trimEnd();
  const letterAt = (column: number) => marks.findLast((mark) => mark.column === column)?.letter;
  const bars = visit.requests.map(({ path, startMs, endMs }) =>
    line(
      (column) => {
        if (column >= columnOf(startMs) && column <= columnOf(endMs)) return '=';
        return letterAt(column) === undefined ? ' ' : '|';
      },
      `${Math.round(startMs)}–${Math.round(endMs)} ${path}`,
    ),
  );
  return [
    line((column) => letterAt(column) ?? ' ', `one character is ${millisecondsPerCharacter} ms`),
    ...bars,
  ].join('\n');
}
