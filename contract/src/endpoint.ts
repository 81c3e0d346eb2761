import type * as z from 'zod/mini';
import type { Ability } from './abilities.ts';
import type { ErrorCode } from './errors.ts';
import type { Scope } from './scopes.ts';

/**
 * Who may call: anybody; a signed-in user; whose role has the endpoint's ability (`staff`); the holder of an API key; or
 * either of a merchant's two keys to the house (`merchant`: x-api-key, or the session of the same merchant).
 */
export type Access = 'public' | 'session' | 'staff' | 'apiKey' | 'merchant';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type Schema = z.ZodMiniType;

/** An endpoint as a value. The server mounts it, the web calls it, OpenAPI and the docs are printed from it. */
export type Endpoint = {
  /** Unique; the OpenAPI operationId. */
  readonly name: string;
  readonly method: Method;
  /** Below /api, with `{name}` for parameters. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** What a role must be able to do: exactly where access is `staff`. */
  readonly ability?: Ability;
  /** What an API key must be allowed: exactly where access is `apiKey` or `merchant`. Sessions need none. */
  readonly scope?: Scope;
  readonly tag: string;
  /** One Portuguese sentence: what it does. */
  readonly summary: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Other names under which a body field is accepted: alias → field. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Files that come as multipart, one in each of these fields and nothing besides, and how large each may be. */
  readonly upload?: {
    readonly fields: readonly string[];
    readonly maxFileBytes: number;
    /** How it is refused when a field does not come, and when its file is larger. */
    readonly missing: ErrorCode;
    readonly tooLarge: ErrorCode;
  };
  /** Where a second factor is set up it is asked for: takes the header x-step-up. */
  readonly stepUp?: true;
  /** The largest body, where the usual 64 KiB are too few. */
  readonly maxBodyBytes?: number;
  /** Status of success; 200 when absent. */
  readonly status?: number;
  readonly response: Schema;
  /** Media types of a file that is answered instead of JSON: `response` is its text. */
  readonly file?: readonly string[];
  /** Refusals of its own, beside those that its access and its schemas imply. */
  readonly refusals: readonly ErrorCode[];
  /** Moves money: takes Idempotency-Key. */
  readonly idempotent?: true;
  /** Not part of the specification: another provider may answer 404 or 405. */
  readonly beyond?: true;
  /** A request body that works in the sandbox, shown in the docs and run by the tests. */
  readonly example?: unknown;
};

/** Declares an endpoint, keeping the exact types of its schemas. */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Output<S> = S extends Schema ? z.output<S> : undefined;

/** What the server answers. */
export type ResponseOf<E extends Endpoint> = z.input<E['response']>;
/** What a handler receives, parsed. */
export type BodyOf<E extends Endpoint> = Output<E['body']>;
export type QueryOf<E extends Endpoint> = Output<E['query']>;
export type ParamsOf<E extends Endpoint> = Output<E['params']>;
/** What a caller sends. */
export type BodyInput<E extends Endpoint> = E['body'] extends Schema ? z.input<E['body']> : undefined;
export type QueryInput<E extends Endpoint> = E['query'] extends Schema ? z.input<E['query']> : undefined;
export type ParamsInput<E extends Endpoint> = E['params'] extends Schema ? z.input<E['params']> : undefined;
