import * as z from 'zod/mini';
import type { Ability } from './abilities.ts';
import type { ErrorCode } from './errors.ts';
import type { Scope } from './scopes.ts';

/**
 * Who may call: anyone; a signed-in user; a user whose role has the endpoint's ability (`staff`); the holder of an API
 * key; or a merchant by API key or by session (`merchant`: x-api-key or session token).
 */
export type Access = 'public' | 'session' | 'staff' | 'apiKey' | 'merchant';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type Schema = z.ZodMiniType;

/** An endpoint as a value. The server mounts it, the web app calls it, OpenAPI and the docs are generated from it. */
export type Endpoint = {
  /** Unique; the OpenAPI operationId. */
  readonly name: string;
  readonly method: Method;
  /** Relative to /api, with `{name}` for parameters. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** The ability required of the role; set exactly if access is `staff`. */
  readonly ability?: Ability;
  /** The scope required of an API key; set exactly if access is `apiKey` or `merchant`. Sessions need none. */
  readonly scope?: Scope;
  readonly tag: string;
  /** One Portuguese sentence: what it does. */
  readonly summary: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Alternative names accepted for body fields: alias → field. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Files uploaded as multipart: exactly one in each of these fields and nothing else, with their maximum sizes. */
  readonly upload?: {
    readonly fields: readonly string[];
    readonly maxFileBytes: number;
    /** Refusals for a missing field, and for a file that is too large. */
    readonly missing: ErrorCode;
    readonly tooLarge: ErrorCode;
  };
  /** Requires the second factor, if one is set up, in the header x-step-up. */
  readonly stepUp?: true;
  /** The maximum body size, if the default of 64 KiB is too small. */
  readonly maxBodyBytes?: number;
  /** Success status; 200 by default. */
  readonly status?: number;
  readonly response: Schema;
  /** Media types, if the response is a file instead of JSON: `response` is its text. */
  readonly file?: readonly string[];
  /** Refusals in addition to those implied by access and schemas. */
  readonly refusals: readonly ErrorCode[];
  /** Moves money, or creates what money arrives by: accepts Idempotency-Key. */
  readonly idempotent?: true;
  /** Whether the call is not part of the specification: another provider of the API may return 404 or 405. */
  readonly beyondSpecification?: true;
  /** A request body that works in the sandbox, shown in the docs and run by the tests. */
  readonly example?: unknown;
};

/** Declares an endpoint, keeping the exact types of its schemas. */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Output<S> = S extends Schema ? z.output<S> : undefined;

/** The server's response. */
export type ResponseOf<E extends Endpoint> = z.input<E['response']>;
/** The parsed body that a handler receives. */
export type BodyOf<E extends Endpoint> = Output<E['body']>;
export type QueryOf<E extends Endpoint> = Output<E['query']>;
export type ParamsOf<E extends Endpoint> = Output<E['params']>;
/** The body that a caller sends. */
export type BodyInput<E extends Endpoint> = E['body'] extends Schema ? z.input<E['body']> : undefined;
export type QueryInput<E extends Endpoint> = E['query'] extends Schema ? z.input<E['query']> : undefined;
export type ParamsInput<E extends Endpoint> = E['params'] extends Schema ? z.input<E['params']> : undefined;

/** The response of calls that only report success. */
export const done = z.object({ success: z.literal(true) });
