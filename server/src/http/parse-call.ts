import { type Endpoint, notFoundCode, type Schema } from '@jangada/contract';
import * as z from 'zod/mini';
import { Refusal } from '../refusal.ts';

const kinds: Readonly<Record<string, string>> = {
  string: 'um texto',
  number: 'um número',
  int: 'um número inteiro',
  boolean: 'true ou false',
  array: 'uma lista',
  object: 'um objeto',
  nan: 'um número',
};

/** The message for an invalid field whose schema defines none, in Brazilian Portuguese. */
const inWords: z.core.$ZodErrorMap = (issue) => {
  const field = issue.path?.length ? `O campo ${issue.path.map(String).join('.')}` : 'O corpo';
  switch (issue.code) {
    case 'invalid_type':
      return `${field} deve ser ${kinds[issue.expected] ?? 'de outro tipo'}.`;
    case 'too_small':
      return `${field} deve ${bound(issue.origin, 'no mínimo', issue.minimum)}.`;
    case 'too_big':
      return `${field} deve ${bound(issue.origin, 'no máximo', issue.maximum)}.`;
    case 'invalid_value':
      return `${field} deve ser um destes: ${issue.values.map(String).join(', ')}.`;
    case 'unrecognized_keys':
      return `Campo desconhecido: ${issue.keys.join(', ')}.`;
    default:
      return `${field} é inválido.`;
  }
};

/** For strings and arrays a limit refers to the length, so the message names characters or items. */
function bound(origin: string, words: string, limit: number | bigint): string {
  const [one, many] = countable[origin] ?? [];
  if (one === undefined) return `ser ${words} ${limit}`;
  return `ter ${words} ${limit} ${Number(limit) === 1 ? one : many}`;
}

const countable: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['caractere', 'caracteres'],
  array: ['item', 'itens'],
};

/**
 * Parses path parameters. If they do not parse or cannot be stored, they identify nothing: refused with the endpoint's
 * own "not found" code.
 */
export function parseParams(endpoint: Endpoint, params: unknown): unknown {
  const parsed = endpoint.params?.safeParse(params);
  if (parsed === undefined) return undefined;
  if (!parsed.success || !Object.values(Object(parsed.data)).every((value) => isStorableText(String(value))))
    throw new Refusal(notFoundCode(endpoint));
  return parsed.data;
}

export function parseQuery({ query }: Endpoint, given: unknown): unknown {
  if (query === undefined) return undefined;
  refuseUnstorableText(given, 'INVALID_QUERY');
  return parse(query, given, 'INVALID_QUERY');
}

export function parseBody({ method, body, aliases }: Endpoint, given: unknown): unknown {
  if (body === undefined) return undefined;
  refuseUnstorableText(given, 'INVALID_BODY');
  const named = aliases === undefined ? given : rename(given, aliases);
  const parsed = parse(body, named, 'INVALID_BODY');
  if (method === 'PUT') refuseFields(untakenIn(body, named));
  return parsed;
}

/**
 * Names of fields unknown to the schema, nested ones included, for example `taxes.pix.card`: if they were ignored, the
 * change would look as if it had been applied.
 */
function untakenIn(schema: z.core.$ZodType, given: unknown, within = ''): string[] {
  if (
    schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniNullable ||
    schema instanceof z.ZodMiniDefault
  )
    return untakenIn(schema._zod.def.innerType, given, within);
  if (Array.isArray(given) || typeof given !== 'object' || given === null) return [];
  if (!(schema instanceof z.ZodMiniObject)) return [];
  const taken = new Map(Object.entries(schema.shape));
  return Object.entries(given).flatMap(([name, value]) => {
    const [field, inner] = [`${within}${name}`, taken.get(name)];
    return inner === undefined ? [field] : untakenIn(inner, value, `${field}.`);
  });
}

/** Refuses the named fields with FIELD_NOT_EDITABLE; does nothing if there are none. */
export function refuseFields(names: readonly string[]): void {
  if (names.length === 0) return;
  const message = `Esta chamada não altera: ${names.map((name) => name.slice(0, 60)).join(', ')}.`;
  const fields = names.map((field) => ({ field, message: 'Este campo não se altera aqui.' }));
  throw new Refusal('FIELD_NOT_EDITABLE', { message: message.slice(0, 300), details: { fields } });
}

/** Renames aliased fields. A field and its alias with different values are refused with INVALID_BODY. */
function rename(given: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const named = new Map<string, unknown>(Object.entries(given));
  for (const [alias, field] of Object.entries(aliases)) {
    if (!named.has(alias)) continue;
    if (named.has(field) && JSON.stringify(named.get(field)) !== JSON.stringify(named.get(alias)))
      throw new Refusal('INVALID_BODY', { message: `Envie ${field} ou ${alias}, não os dois.` });
    named.set(field, named.get(alias));
    named.delete(alias);
  }
  return Object.fromEntries(named);
}

function parse(schema: Schema, given: unknown, code: 'INVALID_BODY' | 'INVALID_QUERY'): unknown {
  const parsed = schema.safeParse(given, { error: inWords });
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path, message }) => ({
    field: path.map(String).join('.'),
    message,
  }));
  const [first] = fields;
  if (first === undefined) throw new Refusal(code);
  if (first.field === '') throw new Refusal(code, { message: first.message });
  throw new Refusal(code, { message: first.message, details: { fields } });
}

type Code = 'INVALID_BODY' | 'INVALID_QUERY';

/** Refuses text that PostgreSQL cannot store unchanged: NUL and lone surrogates. */
function refuseUnstorableText(given: unknown, code: Code, path: readonly string[] = []): void {
  if (typeof given === 'string' && !isStorableText(given)) throw unkeepable(path, code);
  if (typeof given !== 'object' || given === null) return;
  for (const [name, value] of Object.entries(given)) {
    if (!isStorableText(name)) throw unkeepable(path, code);
    refuseUnstorableText(value, code, [...path, name]);
  }
}

function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function unkeepable(path: readonly string[], code: Code): Refusal {
  const field = path.join('.');
  if (field === '') return new Refusal(code);
  const message = `O campo ${field} tem um caractere que não pode ser guardado.`;
  return new Refusal(code, { message, details: { fields: [{ field, message }] } });
}
