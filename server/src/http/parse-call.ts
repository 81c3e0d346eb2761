// Parses what a caller sent (path parameters, query and body) by the schemas of the contract. What does not parse is
// refused, with messages for the caller in Brazilian Portuguese.

import { type Endpoint, notFoundCode, type Schema } from '@jangada/contract';
import * as z from 'zod/mini';
import { Refusal } from '../refusal.ts';

const typeNames: Readonly<Record<string, string>> = {
  string: 'um texto',
  number: 'um número',
  int: 'um número inteiro',
  boolean: 'true ou false',
  array: 'uma lista',
  object: 'um objeto',
  nan: 'um número',
};

/** Writes the message for an invalid field whose schema defines none, in Brazilian Portuguese. */
const describeIssue: z.core.$ZodErrorMap = (issue) => {
  const field = issue.path?.length ? `O campo ${issue.path.map(String).join('.')}` : 'O corpo';
  switch (issue.code) {
    case 'invalid_type':
      return `${field} deve ser ${typeNames[issue.expected] ?? 'de outro tipo'}.`;
    case 'too_small':
      return `${field} deve ${describeLimit(issue.origin, 'no mínimo', issue.minimum)}.`;
    case 'too_big':
      return `${field} deve ${describeLimit(issue.origin, 'no máximo', issue.maximum)}.`;
    case 'invalid_value':
      return `${field} deve ser um destes: ${issue.values.map(String).join(', ')}.`;
    case 'unrecognized_keys':
      return `Campo desconhecido: ${issue.keys.join(', ')}.`;
    default:
      return `${field} é inválido.`;
  }
};

/** For strings and arrays a limit refers to the length, so the message names characters or items. */
function describeLimit(origin: string, bound: string, limit: number | bigint): string {
  const [singular, plural] = countedUnits[origin] ?? [];
  if (singular === undefined) return `ser ${bound} ${limit}`;
  return `ter ${bound} ${limit} ${Number(limit) === 1 ? singular : plural}`;
}

const countedUnits: Readonly<Record<string, readonly [singular: string, plural: string]>> = {
  string: ['caractere', 'caracteres'],
  array: ['item', 'itens'],
};

/**
 * Parses path parameters. Parameters that do not parse, or that PostgreSQL cannot store, identify nothing, so the call
 * is refused with the endpoint's own "not found" code.
 */
export function parseParams(endpoint: Endpoint, params: unknown): unknown {
  const parsed = endpoint.params?.safeParse(params);
  if (parsed === undefined) return undefined;
  if (!parsed.success || !Object.values(Object(parsed.data)).every((value) => isStorableText(String(value))))
    throw new Refusal(notFoundCode(endpoint));
  return parsed.data;
}

export function parseQuery({ query }: Endpoint, input: unknown): unknown {
  if (query === undefined) return undefined;
  refuseUnstorableText(input, 'INVALID_QUERY');
  return parse(query, input, 'INVALID_QUERY');
}

export function parseBody({ method, body, aliases }: Endpoint, input: unknown): unknown {
  if (body === undefined) return undefined;
  refuseUnstorableText(input, 'INVALID_BODY');
  const canonicalInput = aliases === undefined ? input : resolveAliases(input, aliases);
  const parsed = parse(body, canonicalInput, 'INVALID_BODY');
  if (method === 'PUT') refuseUneditableFields(unknownFields(body, canonicalInput));
  return parsed;
}

/**
 * Returns the names of fields unknown to the schema, nested ones included, for example `taxes.pix.card`. They must be
 * refused: if they were ignored, the change would look as if it had been applied.
 */
function unknownFields(schema: z.core.$ZodType, input: unknown, pathPrefix = ''): string[] {
  if (
    schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniNullable ||
    schema instanceof z.ZodMiniDefault
  )
    return unknownFields(schema._zod.def.innerType, input, pathPrefix);
  if (Array.isArray(input) || typeof input !== 'object' || input === null) return [];
  if (!(schema instanceof z.ZodMiniObject)) return [];
  const fields = new Map(Object.entries(schema.shape));
  return Object.entries(input).flatMap(([name, value]) => {
    const [fieldPath, fieldSchema] = [`${pathPrefix}${name}`, fields.get(name)];
    return fieldSchema === undefined ? [fieldPath] : unknownFields(fieldSchema, value, `${fieldPath}.`);
  });
}

/** Refuses the named fields with FIELD_NOT_EDITABLE; does nothing if there are none. */
export function refuseUneditableFields(names: readonly string[]): void {
  if (names.length === 0) return;
  const message = `Esta chamada não altera: ${names.map((name) => name.slice(0, 60)).join(', ')}.`;
  const fields = names.map((field) => ({ field, message: 'Este campo não se altera aqui.' }));
  throw new Refusal('FIELD_NOT_EDITABLE', { message: message.slice(0, 300), details: { fields } });
}

/**
 * Renames fields that were sent under an alias (an alternative name). A field and its alias with different values are
 * refused with INVALID_BODY.
 */
function resolveAliases(input: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const renamed = new Map<string, unknown>(Object.entries(input));
  for (const [alias, field] of Object.entries(aliases)) {
    if (!renamed.has(alias)) continue;
    if (renamed.has(field) && JSON.stringify(renamed.get(field)) !== JSON.stringify(renamed.get(alias)))
      throw new Refusal('INVALID_BODY', { message: `Envie ${field} ou ${alias}, não os dois.` });
    renamed.set(field, renamed.get(alias));
    renamed.delete(alias);
  }
  return Object.fromEntries(renamed);
}

type RefusalCode = 'INVALID_BODY' | 'INVALID_QUERY';

function parse(schema: Schema, input: unknown, code: RefusalCode): unknown {
  const parsed = schema.safeParse(input, { error: describeIssue });
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

/** Refuses text that PostgreSQL cannot store unchanged: NUL and lone surrogates. */
function refuseUnstorableText(input: unknown, code: RefusalCode, path: readonly string[] = []): void {
  if (typeof input === 'string' && !isStorableText(input)) throw unstorableRefusal(path, code);
  if (typeof input !== 'object' || input === null) return;
  for (const [name, value] of Object.entries(input)) {
    if (!isStorableText(name)) throw unstorableRefusal(path, code);
    refuseUnstorableText(value, code, [...path, name]);
  }
}

function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function unstorableRefusal(path: readonly string[], code: RefusalCode): Refusal {
  const field = path.join('.');
  if (field === '') return new Refusal(code);
  const message = `O campo ${field} tem um caractere que não pode ser guardado.`;
  return new Refusal(code, { message, details: { fields: [{ field, message }] } });
}
