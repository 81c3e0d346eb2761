import * as z from 'zod/mini';
import type { Schema } from '../endpoint.ts';
import { fieldTexts } from './field-texts.ts';
import type { Field } from './page.ts';

/** The parts of a JSON Schema that this file reads. */
type Shape = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
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
  const shape = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return fieldsIn(shape as Shape, '', context);
}

function fieldsIn(shape: Shape, prefix: string, context: FieldContext): Field[] {
  const { properties, required } = fieldsOf(shape);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const { kinds, nullable } = kindsOf(field);
    const types = [...new Set(kinds.map(typeOf))];
    // Limits and defaults concern only who sends the field.
    const documented: Field = {
      name: path,
      type: `${types.join(' ou ')}${nullable ? ', ou nulo' : ''}`,
      required: required.includes(name),
      text: [textOf(path, context), ...(context.part === 'response' ? [] : limitsOf(kinds))].join(' '),
    };
    // In this API only the payload of a webhook event is a field with several object variants. The webhooks guide shows an
    // example of each instead.
    const isUnionOfObjects = kinds.filter(({ properties }) => properties !== undefined).length > 1;
    const inner = (isUnionOfObjects ? [] : kinds).flatMap((kind) => [
      ...fieldsIn(kind, `${path}.`, context),
      ...(kind.items === undefined ? [] : fieldsIn(kind.items, `${path}[].`, context)),
    ]);
    return [documented, ...inner];
  });
}

/** The fields of an object. For a schema that is itself a union: those of all variants, required if every variant does. */
function fieldsOf({
  anyOf,
  properties = {},
  required = [],
}: Shape): Required<Pick<Shape, 'properties' | 'required'>> {
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
function kindsOf(field: Shape): { kinds: readonly Shape[]; nullable: boolean } {
  const alternatives =
    field.anyOf ?? (Array.isArray(field.type) ? field.type.map((type) => ({ ...field, type })) : [field]);
  const kinds = alternatives.filter(({ type }) => type !== 'null');
  return { kinds, nullable: kinds.length < alternatives.length };
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

function typeOf({ type, enum: values, const: constant, items, format }: Shape): string {
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

function plural(items: Shape): string {
  if (items.enum !== undefined) return typeOf(items);
  return items.type === 'object' ? 'objetos' : 'textos';
}

/** Sentences about the bounds and the default of a field, which its type does not show. */
function limitsOf(kinds: readonly Shape[]): string[] {
  const [kind = {}] = kinds;
  const { minimum, maximum, minLength, maxLength } = kind;
  // An integer without a maximum has this one.
  const bounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return [
    ...(bounded && minimum !== undefined ? [`De ${minimum} a ${maximum}.`] : []),
    ...(maxLength !== undefined
      ? [`${minLength ? `De ${minLength} a` : 'Até'} ${maxLength} caracteres.`]
      : []),
    ...(kind.default !== undefined && JSON.stringify(kind.default) !== '{}'
      ? [`Padrão: \`${JSON.stringify(kind.default)}\`.`]
      : []),
  ];
}
