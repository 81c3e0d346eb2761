/**
 * The maximum depth of nested lists and objects in JSON, and the maximum number of values, lists and objects included.
 */
export type JsonBounds = { readonly depth: number; readonly values: number };

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/**
 * Returns whether untrusted JSON is within bounds, by scanning its characters once before it is parsed: even a small
 * text could exhaust the stack or the time of code that walks it. Invalid JSON is left to the parser.
 */
export function isWithinJsonBounds(json: string, { depth, values }: JsonBounds): boolean {
  let openCount = 0;
  let valueCount = 0;
  for (let position = 0; position < json.length; position += 1) {
    const character = json.charCodeAt(position);
    if (character === quote) {
      position = findClosingQuote(json, position);
      if (position < 0) return true;
    } else if (opening.has(character)) {
      openCount += 1;
      valueCount += 1;
    } else if (closing.has(character)) openCount -= 1;
    else if (character === comma) valueCount += 1;
    if (openCount > depth || valueCount > values) return false;
  }
  return true;
}

/** The position of a string's closing quote; -1 if there is none. */
function findClosingQuote(json: string, begin: number): number {
  let end = json.indexOf('"', begin + 1);
  while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, position: number): boolean {
  let first = position;
  while (json.charCodeAt(first - 1) === backslash) first -= 1;
  return (position - first) % 2 === 1;
}
