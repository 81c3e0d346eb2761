/**
 * The maximum depth of nested lists and objects in JSON, and the maximum number of values, lists and objects included.
 */
export type JsonBounds = { readonly depth: number; readonly values: number };

const quote = '"'.charCodeAt(0);
const comma = ','.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const openingBrackets = new Set(['['.charCodeAt(0), '{'.charCodeAt(0)]);
const closingBrackets = new Set([']'.charCodeAt(0), '}'.charCodeAt(0)]);

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
    } else if (openingBrackets.has(character)) {
      openCount += 1;
      // Counts the first value inside; each comma counts one more.
      valueCount += 1;
    } else if (closingBrackets.has(character)) openCount -= 1;
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

/** A quote is escaped if an odd number of backslashes precedes it: each pair of them is an escaped backslash. */
function isEscaped(json: string, position: number): boolean {
  let firstBackslash = position;
  while (json.charCodeAt(firstBackslash - 1) === backslash) firstBackslash -= 1;
  return (position - firstBackslash) % 2 === 1;
}
