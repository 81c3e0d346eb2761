import type {
  BodyOf,
  Endpoint,
  ErrorCode,
  MemberRole,
  ParamsOf,
  QueryOf,
  ResponseOf,
  Role,
  Scope,
} from '@jangada/contract';
import type { FileResponse } from './file-response.ts';
import type { IdempotencyKeyClaim, IdempotentResponse } from './idempotency-store.ts';

/** The authenticated caller. */
export type Caller = {
  /** The person who calls; for an API key, the account of the key. */
  readonly userId: number;
  /** The account for which the call acts: the person's own, or another one of which the person is a member. */
  readonly accountId: number;
  /**
   * The person's role in that account; undefined if the session outlived it, and then only calls about the person are
   * admitted. An API key acts like an owner, within its scopes.
   */
  readonly memberRole: MemberRole | undefined;
  /** Whether the person holds that account. */
  readonly isHolder: boolean;
  /** Until when the session looks into that account for the operator's support; absent for members. */
  readonly supportUntil?: Date;
  /** Whether an administrator froze that account. The person themself is not frozen. */
  readonly isAccountFrozen: boolean;
  /** The role of staff of the gateway's operator. */
  readonly role: Role;
  /** Whether the account may receive. */
  readonly approved: boolean;
  /** How the caller authenticated. */
  readonly authMethod: 'session' | 'apiKey';
  /**
   * The API key of the call, if it has one. `id` is set for a scoped key, and null for the key of the account itself.
   */
  readonly key?: { readonly id: string | null; readonly scopes: readonly Scope[] };
  /** SHA-256 of the session's token. Set, like the times below, only for callers with a session. */
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
  /**
   * The id that an interrupted earlier attempt recorded, if any. The attempt may have ended before it stored the
   * resource.
   */
  readonly resumedId: string | undefined;
  /** Records the id. Called before the resource is stored. */
  remember(resourceId: string): Promise<void>;
};

/**
 * Idempotency for calls that write their key and their resource in one SQL statement. The first call to store a key
 * claims it: of several calls with the same key, only that one is carried out.
 */
export type AtomicIdempotencyHandle = IdempotencyHandle & {
  /**
   * Claims the key. `store` must store the key and the resource in one statement (`claimIdempotencyKeysCte`), or return
   * false if the key exists already. In that case the call is handled again from the beginning, without `claim`.
   * Present only on routes with `claimsKeys`, and only while the key may be new.
   */
  readonly claim?: (
    resourceId: string,
    store: (claim: IdempotencyKeyClaim) => Promise<boolean>,
  ) => Promise<void>;
  /**
   * Stores the call's response under its key, for repeated calls. `complete` must store the response in the statement
   * that completes the resource (`storeIdempotentResponsesCte`), and return whether the resource could be completed.
   * Returns the result of `complete`.
   */
  saveResponse(
    resourceId: string,
    body: unknown,
    complete: (response: IdempotentResponse) => Promise<boolean>,
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
  /** The caller's IP address; behind a trusted proxy, the address that the proxy reports. */
  readonly address: string;
  readonly userAgent: string;
  /** The random id of the browser, from its cookie. Set only on calls without a session. */
  readonly device?: string | undefined;
  /**
   * The x-step-up header, which proves that the second factor was entered a moment ago (identity/step-up.ts). Typed
   * `unknown`, and so unusable, unless the endpoint's contract accepts this header.
   */
  readonly stepUp?: E['stepUp'] extends true | undefined ? string | undefined : unknown;
  /** Answers another GET call for the same caller, given its path below /api with its query string. */
  readonly answerCall: (path: string) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Set only for calls with an Idempotency-Key, on endpoints that accept one. */
  readonly idempotency?: AtomicIdempotencyHandle;
};

/** An endpoint with the function that handles its calls. */
export type Route = {
  readonly endpoint: Endpoint;
  readonly handle: (call: Call<Endpoint>) => Promise<unknown>;
  /** Whether the handler stores a new Idempotency-Key itself, in the statement that stores the resource. */
  readonly claimsKeys: boolean;
};

type HandlerResult<E extends Endpoint> = E extends { readonly file: readonly string[] }
  ? FileResponse
  : ResponseOf<E>;

/** Binds an endpoint of the contract to its handler. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<HandlerResult<E>>,
  { claimsKeys = false }: { readonly claimsKeys?: boolean } = {},
): Route {
  return { endpoint, handle: handle as Route['handle'], claimsKeys };
}

/** A response before it is serialised. */
export type RouteResponse = {
  readonly status: number;
  readonly body: unknown;
  /** The error code, if the response is a refusal. */
  readonly errorCode?: ErrorCode;
};
