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

/** An Idempotency-Key that can be written together with the resource of its call. */
export type KeyWithResource = IdempotencyHandle & {
  /**
   * Only of a route that claims its keys itself, while the key may be new: `store` must store the resource together with
   * the claim (`claimKeysCte`), or return false because the key is not new. Then the call is begun again, without this.
   */
  readonly claim?: (resourceId: string, store: (claim: KeyClaim) => Promise<boolean>) => Promise<void>;
  /**
   * Stores the response of the call together with what completes its resource (`answerKeysCte`). `complete` returns
   * false if the resource could not be completed, and is what this function returns.
   */
  answer(
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
  readonly idempotency?: KeyWithResource;
};

/** An endpoint with the function that handles its calls. */
export type Route = {
  readonly endpoint: Endpoint;
  readonly handle: (call: Call<Endpoint>) => Promise<unknown>;
  /** Whether the handler claims a new Idempotency-Key itself, in the statement that stores its resource. */
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
  readonly refused?: ErrorCode;
};
