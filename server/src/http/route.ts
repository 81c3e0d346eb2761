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
import type { KeyAnswer, KeyClaim } from './idempotency-store.ts';

/** The authenticated caller. */
export type Caller = {
  readonly userId: number;
  readonly role: Role;
  readonly approved: boolean;
  /** How the caller authenticated. */
  readonly by: 'session' | 'apiKey';
  /** The API key of the call, if it has one. The id is null for the account's first key, which its owner can show again. */
  readonly key?: { readonly id: string | null; readonly scopes: readonly Scope[] };
  /** SHA-256 of the session's token. This and the times below are set only for callers with a session. */
  readonly sessionHash?: Buffer;
  readonly signedInAt?: Date;
  /** When the password was last entered. */
  readonly passwordAt?: Date;
  /** When a second factor was last entered in this session; undefined if it never was. */
  readonly factorAt?: Date;
};

type FilesOf<E extends Endpoint> = E extends {
  readonly upload: { readonly fields: readonly (infer Field)[] };
}
  ? Readonly<Record<Field & string, Buffer>>
  : undefined;

/**
 * Records under a call's Idempotency-Key the id of the resource that the call is about to create, so that a repetition
 * after a crash goes on with that resource instead of creating another.
 */
export type IdempotencyHandle = {
  /** The id that an earlier, interrupted attempt recorded, if any. Its resource may not have been stored. */
  readonly resumedId: string | undefined;
  /** Records the id. Called before the resource is stored. */
  remember(resourceId: string): Promise<void>;
};

/**
 * Idempotency for calls that write their key and their resource in one SQL statement. To claim a key is to store it
 * first: of several calls with one key, only the one that claims it is carried out.
 */
export type AtomicIdempotencyHandle = IdempotencyHandle & {
  /**
   * Claims the key. `store` has to store the resource in the same statement (`claimKeysCte`), or to return false if the
   * key exists already: then the call is handled from the beginning, this time without `claim`. Present only for a route
   * with `claimsKeys`, as long as the key may be new.
   */
  readonly claim?: (resourceId: string, store: (claim: KeyClaim) => Promise<boolean>) => Promise<void>;
  /**
   * Stores the call's response under its key, to be given again when the call is repeated. `complete` has to do so in the
   * statement that finishes the resource (`answerKeysCte`). Returns what `complete` returns: false if the resource could
   * not be finished.
   */
  saveResponse(
    resourceId: string,
    body: unknown,
    complete: (answer: KeyAnswer) => Promise<boolean>,
  ): Promise<boolean>;
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
  /** The caller's IP address: behind a trusted proxy, the one that the proxy names. */
  readonly address: string;
  readonly userAgent: string;
  /** The random id of the browser, from its cookie. Set only on calls without a session. */
  readonly device?: string | undefined;
  /**
   * The x-step-up header: proves that the second factor was entered a moment ago (identity/step-up.ts). Typed
   * `unknown`, and so unusable, unless the contract says that the endpoint accepts it.
   */
  readonly stepUp?: E['stepUp'] extends true | undefined ? string | undefined : unknown;
  /** Only on idempotent endpoints. */
  readonly idempotency?: AtomicIdempotencyHandle;
};

/** An endpoint with the function that handles its calls. */
export type Route = {
  readonly endpoint: Endpoint;
  readonly handle: (call: Call<Endpoint>) => Promise<unknown>;
  /** Whether the handler stores a new Idempotency-Key itself, in the statement that stores the resource. */
  readonly claimsKeys: boolean;
};

type AnswerTo<E extends Endpoint> = E extends { readonly file: readonly string[] }
  ? FileAnswer
  : ResponseOf<E>;

/** Binds an endpoint of the contract to its handler. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<AnswerTo<E>>,
  { claimsKeys = false }: { readonly claimsKeys?: boolean } = {},
): Route {
  return { endpoint, handle: handle as Route['handle'], claimsKeys };
}

/** A response before it is serialised. */
export type Answer = {
  readonly status: number;
  readonly body: unknown;
  /** The error code, if the response is a refusal. */
  readonly errorCode?: ErrorCode;
};
