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

/** One endpoint of the API. The server mounts it, the web app calls it, OpenAPI and the docs are generated from it. */
export type Endpoint = {
  /** Unique; the OpenAPI operationId. */
  readonly name: string;
  readonly method: Method;
  /** Relative to /api, with `{name}` for parameters. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** The ability that the caller's role must have; set exactly if access is `staff`. */
  readonly ability?: Ability;
  /** The scope that an API key must have; set exactly if access is `apiKey` or `merchant`. Sessions need no scope. */
  readonly scope?: Scope;
  readonly tag: string;
  /** What the endpoint does, in one Portuguese sentence. */
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
  /** The header x-step-up must prove the second factor, if the account has one. */
  readonly stepUp?: true;
  /** The maximum body size, if the default of 64 KiB is too small. */
  readonly maxBodyBytes?: number;
  /** The HTTP status of success; 200 by default. */
  readonly status?: number;
  readonly response: Schema;
  /** The possible media types, if the response is a file instead of JSON; `response` then describes the file's text. */
  readonly file?: readonly string[];
  /** Refusals in addition to those implied by access and schemas. */
  readonly refusals: readonly ErrorCode[];
  /** The call accepts Idempotency-Key, because it moves money or creates something that money arrives by. */
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
