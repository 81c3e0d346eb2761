import * as z from 'zod/mini';
import type { Ability } from './abilities.ts';
import type { ErrorCode } from './errors.ts';
import type { RequiredPermission } from './members.ts';
import type { Scope } from './scopes.ts';

/**
 * Who may call an endpoint:
 * - `public`: anyone
 * - `session`: a signed-in user
 * - `staff`: a signed-in user whose role has the endpoint's ability
 * - `apiKey`: the holder of an API key (`x-api-key`)
 * - `merchant`: a merchant, with an API key or a session token
 */
export type Access = 'public' | 'session' | 'staff' | 'apiKey' | 'merchant';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type Schema = z.ZodMiniType;

/** Every endpoint that people call for an account says what their role in it must allow. */
type AccessRule =
  | { readonly access: 'session' | 'merchant'; readonly permission: RequiredPermission }
  | { readonly access: Exclude<Access, 'session' | 'merchant'>; readonly permission?: never };

/**
 * One endpoint of the API. The server mounts endpoints from these declarations, the web app calls them, and the OpenAPI
 * document and the documentation are generated from them.
 */
export type Endpoint = AccessRule & {
  /** Unique; the OpenAPI operationId. */
  readonly name: string;
  readonly method: Method;
  /** Relative to /api, with `{name}` for parameters. */
  readonly path: `/${string}`;
  /** The ability that the caller's role must have; set if and only if access is `staff`. */
  readonly ability?: Ability;
  /** The scope that an API key must have; set if access is `apiKey` or `merchant`. Sessions need no scope. */
  readonly scope?: Scope;
  /** The group of endpoints in the documentation. */
  readonly tag: string;
  /** What the endpoint does, in one Portuguese sentence. */
  readonly summary: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Alternative names that are accepted for fields of the body. Each alias maps to the name of its field. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The body is multipart and has one file in each of these fields, and nothing else. */
  readonly upload?: {
    readonly fields: readonly string[];
    readonly maxFileBytes: number;
    /** The refusal of a body that lacks one of the files. */
    readonly missing: ErrorCode;
    /** The refusal of a file that is larger than `maxFileBytes`. */
    readonly tooLarge: ErrorCode;
  };
  /** If the account has a second factor, the call must carry a recent proof of it in the header x-step-up. */
  readonly stepUp?: true;
  /** The maximum body size, if the default of 64 KiB is too small. */
  readonly maxBodyBytes?: number;
  /** The HTTP status of success; 200 by default. */
  readonly status?: number;
  readonly response: Schema;
  /** The possible media types of a response that is a file, not JSON. `response` then describes the file's text. */
  readonly file?: readonly string[];
  /** The refusals that access and schemas do not already imply (see `refusalCodes`). */
  readonly refusals: readonly ErrorCode[];
  /** The call accepts an Idempotency-Key, because it moves money or creates something that can be paid. */
  readonly idempotent?: true;
  /**
   * The call is beyond the specification (docs/specification.md). Another gateway that implements the specification may
   * respond to it with 404 or 405.
   */
  readonly isExtension?: true;
  /** A batch may hold the call: screens begin with it, and its answer is short. */
  readonly isBatchable?: true;
  /** A request body that succeeds in the sandbox. The documentation shows it, and tests send it. */
  readonly example?: unknown;
};

/** Declares an endpoint. The type parameter keeps the exact types of its schemas. */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Output<S> = S extends Schema ? z.output<S> : undefined;

/** The response as the server's handler returns it. */
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
export const successResponse = z.object({ success: z.literal(true) });
