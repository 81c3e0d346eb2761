import { isWithin } from '../../json-bounds.ts';

/** Above any page of a bank's list. */
const bounds = { depth: 64, values: 1_000_000 };

/** JSON escapes that PostgreSQL stores neither as text nor as JSON: NUL and lone surrogates. */
const unkeepable = /\\u(?:0000|d[89a-f][\da-f]{2})/i;

/**
 * Parses a bank's JSON and replaces characters that cannot be stored with U+FFFD: one odd character must not leave
 * money unbooked. Throws what JSON.parse throws, and a SyntaxError beyond the bounds.
 */
export function readJson(text: string): unknown {
  if (!isWithin(text, bounds)) throw new SyntaxError('more, or deeper, than any answer of a bank');
  return unkeepable.test(text) ? JSON.parse(text, keepable) : JSON.parse(text);
}

function keepable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;
}
