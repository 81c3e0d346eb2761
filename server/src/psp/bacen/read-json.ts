import { isWithin } from '../../json-bounds.ts';

/** More than any list of a bank has on a page. */
const bounds = { depth: 64, values: 1_000_000 };

/** JSON escapes of what PostgreSQL keeps neither as text nor in JSON: NUL, and halves of characters. */
const unkeepable = /\\u(?:0000|d[89a-f][\da-f]{2})/i;

/**
 * Reads a bank's JSON so that all of it can be kept, with U+FFFD for what cannot: money must not stay unbooked because of
 * an odd character beside it. Throws what JSON.parse throws, and a SyntaxError beyond what may be walked.
 */
export function readJson(text: string): unknown {
  if (!isWithin(text, bounds)) throw new SyntaxError('more, or deeper, than any answer of a bank');
  return unkeepable.test(text) ? JSON.parse(text, keepable) : JSON.parse(text);
}

function keepable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;
}
