import { type Endpoint, endpoints, type Schema } from '@jangada/contract';
import { z } from 'zod';

/** The endpoint of `POST /login` and the like. */
export function endpointOf(call: string): Endpoint | undefined {
  return (endpoints as readonly Endpoint[]).find(({ method, path }) => call === `${method} ${path}`);
}

const definition = z.looseObject({ type: z.string() });

/** Whether a schema has a field: `a.b` within one. Defaults, options and checks around an object are looked through. */
export function hasField(schema: unknown, path: string): boolean {
  const [name = '', ...rest] = path.split('.');
  const found = shapeOf(schema)?.[name];
  return found !== undefined && (rest.length === 0 || hasField(found, rest.join('.')));
}

function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  const def = definition.safeParse(schema instanceof Object && 'def' in schema ? schema.def : undefined).data;
  if (def === undefined) return undefined;
  if (def.type === 'object') return z.record(z.string(), z.unknown()).safeParse(def['shape']).data;
  return shapeOf(def['innerType'] ?? def['in']);
}

/** Names under which a body takes a field. */
export function takesField({ body, aliases = {} }: Endpoint, name: string): boolean {
  return hasField(body, aliases[name] ?? name);
}

export type { Schema };
