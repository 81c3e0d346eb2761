/** How far inside one another the lists and objects of JSON may stand, and how many of them and of further values there may be. */
export type JsonBounds = { readonly depth: number; readonly values: number };

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/**
 * Whether JSON of a stranger keeps within bounds, told from its characters in one pass, before anything is made of it:
 * a small text can otherwise exhaust the stack or the time of whoever walks it. What is no JSON is left to its parser.
 */
export function isWithin(json: string, { depth, values }: JsonBounds): boolean {
  let open = 0;
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === quote) {
      at = endOfText(json, at);
      if (at < 0) return true;
    } else if (opening.has(character)) {
      open += 1;
      count += 1;
    } else if (closing.has(character)) open -= 1;
    else if (character === comma) count += 1;
    if (open > depth || count > values) return false;
  }
  return true;
}

/** Where the quote stands that ends a text; -1: nowhere. */
function endOfText(json: string, begin: number): number {
  let end = json.indexOf('"', begin + 1);
  while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === backslash) first -= 1;
  return (at - first) % 2 === 1;
}
