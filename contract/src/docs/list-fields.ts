import * as z from 'zod/mini';
import type { Schema } from '../endpoint.ts';
import { fieldTexts } from './field-texts.ts';
import type { Field } from './page.ts';

/** The parts of a JSON Schema that this file reads. Zod schemas are converted to it, because it is easier to read. */
type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
};

/** Where a schema is used: the name of the endpoint, and which part of the request, or the response. */
type FieldContext = { readonly endpoint: string; readonly part: 'path' | 'query' | 'body' | 'response' };

/** Lists the fields of a schema, each with its description. A nested field is named by its path (`data[].id`). */
export function listFields(schema: Schema, context: FieldContext): Field[] {
  const io = context.part === 'response' ? 'output' : 'input';
  const jsonSchema = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return fieldsIn(jsonSchema as JsonSchema, '', context);
}

function fieldsIn(schema: JsonSchema, prefix: string, context: FieldContext): Field[] {
  const { properties, required } = fieldsOf(schema);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const { alternatives, isNullable } = alternativesOf(field);
    const types = [...new Set(alternatives.map(typeOf))];
    // Limits and defaults matter only to callers, who send requests and not responses.
    const documented: Field = {
      name: path,
      type: `${types.join(' ou ')}${isNullable ? ', ou nulo' : ''}`,
      required: required.includes(name),
      text: [textOf(path, context), ...(context.part === 'response' ? [] : limitsOf(alternatives))].join(' '),
    };
    // In this API only the payload of a webhook event is a field with several object variants. The webhooks guide shows an
    // example of each instead.
    const isUnionOfObjects = alternatives.filter(({ properties }) => properties !== undefined).length > 1;
    const inner = (isUnionOfObjects ? [] : alternatives).flatMap((alternative) => [
      ...fieldsIn(alternative, `${path}.`, context),
      ...(alternative.items === undefined ? [] : fieldsIn(alternative.items, `${path}[].`, context)),
    ]);
    return [documented, ...inner];
  });
}

/** The fields of an object, or of all variants of a union. A field is required if every variant requires it. */
function fieldsOf({
  anyOf,
  properties = {},
  required = [],
}: JsonSchema): Required<Pick<JsonSchema, 'properties' | 'required'>> {
  if (anyOf === undefined) return { properties, required };
  const variants = anyOf.map(fieldsOf);
  const [first] = variants;
  return {
    properties: Object.assign({}, ...variants.map((variant) => variant.properties)),
    required: (first?.required ?? []).filter((name) =>
      variants.every((variant) => variant.required.includes(name)),
    ),
  };
}

/** The schemas that a field may match other than null, and whether it may be null too. */
function alternativesOf(field: JsonSchema): { alternatives: readonly JsonSchema[]; isNullable: boolean } {
  const oneSchemaPerType = Array.isArray(field.type)
    ? field.type.map((type) => ({ ...field, type }))
    : [field];
  const allAlternatives = field.anyOf ?? oneSchemaPerType;
  const alternatives = allAlternatives.filter(({ type }) => type !== 'null');
  return { alternatives, isNullable: alternatives.length < allAlternatives.length };
}

/**
 * Finds the description of a field in `field-texts.ts`. The most specific key wins: `endpoint/field` (path parameter),
 * `endpoint<field` (query or body), `endpoint:field` (any part), `parent.field`, `field`.
 */
function textOf(path: string, { endpoint, part }: FieldContext): string {
  const names = path.replaceAll('[]', '').split('.');
  const fullName = names.join('.');
  const candidates = [
    ...(part === 'path' ? [`${endpoint}/${fullName}`] : []),
    ...(part === 'body' || part === 'query' ? [`${endpoint}<${fullName}`] : []),
    `${endpoint}:${fullName}`,
    names.slice(-2).join('.'),
    names.at(-1) ?? '',
  ];
  const key = candidates.find((name) => Object.hasOwn(fieldTexts, name));
  if (key === undefined) throw new Error(`The field ${path} of ${endpoint} has no text.`);
  return fieldTexts[key] ?? '';
}

function typeOf({ type, enum: values, const: constant, items, format }: JsonSchema): string {
  if (constant !== undefined) return `\`${String(constant)}\``;
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (type === 'array') return items === undefined ? 'lista' : `lista de ${plural(items)}`;
  if (format === 'date-time') return 'data e hora';
  if (format === 'date') return 'data';
  if (format === 'uuid') return 'uuid';
  return typeNames.get(String(type)) ?? 'texto';
}

const typeNames = new Map([
  ['number', 'número'],
  ['integer', 'inteiro'],
  ['boolean', 'booleano'],
  ['object', 'objeto'],
]);

function plural(items: JsonSchema): string {
  if (items.enum !== undefined) return typeOf(items);
  return items.type === 'object' ? 'objetos' : 'textos';
}

/** Sentences about the bounds and the default of a field, which its type does not show. */
function limitsOf(alternatives: readonly JsonSchema[]): string[] {
  const [first = {}] = alternatives;
  const { minimum, maximum, minLength, maxLength } = first;
  // Zod gives every integer without a maximum this one.
  const hasMaximum = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return [
    ...(hasMaximum && minimum !== undefined ? [`De ${minimum} a ${maximum}.`] : []),
    ...(maxLength !== undefined
      ? [`${minLength ? `De ${minLength} a` : 'Até'} ${maxLength} caracteres.`]
      : []),
    ...(first.default !== undefined && JSON.stringify(first.default) !== '{}'
      ? [`Padrão: \`${JSON.stringify(first.default)}\`.`]
      : []),
  ];
}
