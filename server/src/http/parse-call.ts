import type { Endpoint, ErrorCode, Schema } from '@jangada/contract';
import { errors } from '@jangada/contract';
import { z } from 'zod';
import { Refusal } from '../refusal.ts';

const portuguese = z.locales.pt().localeError;

/** Parameters that do not parse name nothing: the endpoint's own "not found". */
export function parseParams(endpoint: Endpoint, params: unknown): unknown {
  const parsed = endpoint.params?.safeParse(params);
  if (parsed?.success === false) throw new Refusal(notFoundCode(endpoint));
  return parsed?.data;
}

function notFoundCode({ refusals }: Endpoint): ErrorCode {
  return refusals.find((code) => errors[code].status === 404) ?? 'NOT_FOUND';
}

export function parseQuery({ query }: Endpoint, given: unknown): unknown {
  return query && parse(query, given, 'INVALID_QUERY');
}

export function parseBody({ body, aliases }: Endpoint, given: unknown): unknown {
  return body && parse(body, aliases === undefined ? given : rename(given, aliases), 'INVALID_BODY');
}

/** Gives fields that came under another name their own. A field that came under its own name wins. */
function rename(given: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const named = new Map<string, unknown>(Object.entries(given));
  for (const [alias, field] of Object.entries(aliases)) {
    if (!named.has(alias)) continue;
    if (!named.has(field)) named.set(field, named.get(alias));
    named.delete(alias);
  }
  return Object.fromEntries(named);
}

function parse(schema: Schema, given: unknown, code: 'INVALID_BODY' | 'INVALID_QUERY'): unknown {
  // PostgreSQL keeps no NUL in a text; nobody types one.
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(JSON.stringify(given) ?? '')) throw new Refusal(code);
  const parsed = schema.safeParse(given, { error: portuguese });
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path, message }) => ({
    field: path.map(String).join('.'),
    message,
  }));
  const [first] = fields;
  if (first === undefined || first.field === '') throw new Refusal(code);
  throw new Refusal(code, { message: first.message, details: { fields } });
}
