import type {
  BodyOf,
  Endpoint,
  ErrorCode,
  ParamsOf,
  QueryOf,
  ResponseOf,
  Role,
  Scope,
} from '@jangada/contract';
import type { FileAnswer } from './file-answer.ts';

/** The authenticated caller. */
export type Caller = {
  readonly userId: number;
  readonly role: Role;
  readonly approved: boolean;
  /** How the caller authenticated. */
  readonly by: 'session' | 'apiKey';
  /** The API key of the call, if it has one: its id (null for the account's readable key) and its scopes. */
  readonly key?: { readonly id: string | null; readonly scopes: readonly Scope[] };
  /** SHA-256 of the session token; only of a session. */
  readonly sessionHash?: Buffer;
  /** Only of a session. */
  readonly signedInAt?: Date;
  /** When the password was last entered; only of a session. */
  readonly passwordAt?: Date;
  /** When a second factor was last entered in this session; undefined if it never was. */
  readonly factorAt?: Date;
};

type FilesOf<E extends Endpoint> = E extends {
  readonly upload: { readonly fields: readonly (infer Field)[] };
}
  ? Readonly<Record<Field & string, Buffer>>
  : undefined;

/** Links the resource that a call is about to create to the call's Idempotency-Key, before the resource is stored. */
export type IdempotencyHandle = {
  /** The id of the resource that an earlier, abandoned attempt of this call created; undefined if none did. */
  readonly resumed: string | undefined;
  remember(resourceId: string): Promise<void>;
};

/** One parsed call of an endpoint. `caller` is undefined only on public endpoints. */
export type Call<E extends Endpoint> = {
  readonly body: BodyOf<E>;
  readonly query: QueryOf<E>;
  readonly params: ParamsOf<E>;
  /** Uploaded files by field; every field is present. */
  readonly files: FilesOf<E>;
  readonly caller: E['access'] extends 'public' ? undefined : Caller;
  readonly requestId: string;
  /** The caller's address, as established behind trusted proxies. */
  readonly address: string;
  readonly userAgent: string;
  /** The random identifier of the calling browser, from its cookie; only of calls without a session. */
  readonly device?: string | undefined;
  /**
   * The x-step-up header: proves that the second factor was entered a moment ago (identity/step-up.ts). Typed
   * `unknown`, and so unusable, unless the contract says that the endpoint accepts it.
   */
  readonly stepUp?: E['stepUp'] extends true | undefined ? string | undefined : unknown;
  /** Only on idempotent endpoints. */
  readonly idempotency?: IdempotencyHandle;
};

/** An endpoint with the function that handles its calls. */
export type Route = {
  readonly endpoint: Endpoint;
  readonly handle: (call: Call<Endpoint>) => Promise<unknown>;
};

type AnswerTo<E extends Endpoint> = E extends { readonly file: readonly string[] }
  ? FileAnswer
  : ResponseOf<E>;

/** Binds an endpoint of the contract to its handler. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<AnswerTo<E>>,
): Route {
  return { endpoint, handle: handle as Route['handle'] };
}

/** A response before it is serialised. */
export type Answer = {
  readonly status: number;
  readonly body: unknown;
  /** The error code, if the response is a refusal. */
  readonly refused?: ErrorCode;
};
