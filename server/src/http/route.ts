import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf, Role, Scope } from '@jangada/contract';
import type { FileAnswer } from './file-answer.ts';

/** Who calls, as authentication found out. */
export type Caller = {
  readonly userId: number;
  readonly role: Role;
  readonly approved: boolean;
  /** How they showed who they are. */
  readonly by: 'session' | 'apiKey';
  /** Only by API key: which one, null for the account's readable key, and what it may do. */
  readonly key?: { readonly id: string | null; readonly scopes: readonly Scope[] };
  /** SHA-256 of the session token; only by session. */
  readonly sessionHash?: Buffer;
  /** Only by session. */
  readonly signedInAt?: Date;
  /** When the password was last given; only by session. */
  readonly passwordAt?: Date;
  /** When a second factor was last given in this session; only where it was. */
  readonly factorAt?: Date;
};

type FilesOf<E extends Endpoint> = E extends {
  readonly upload: { readonly fields: readonly (infer Field)[] };
}
  ? Readonly<Record<Field & string, Buffer>>
  : undefined;

/** Ties what a call is about to make to the caller's Idempotency-Key, before it is stored. */
export type IdempotencyHandle = {
  /** What an abandoned earlier try of the same call had made. */
  readonly resumed: string | undefined;
  remember(resourceId: string): Promise<void>;
};

/** One parsed call of an endpoint. `caller` is undefined only on public endpoints. */
export type Call<E extends Endpoint> = {
  readonly body: BodyOf<E>;
  readonly query: QueryOf<E>;
  readonly params: ParamsOf<E>;
  /** Of an upload, by their fields: each of them came. */
  readonly files: FilesOf<E>;
  readonly caller: E['access'] extends 'public' ? undefined : Caller;
  readonly requestId: string;
  /** The address that the call came from, behind trusted proxies. */
  readonly address: string;
  readonly userAgent: string;
  /** The random mark of the calling browser (identity/device.ts), which its cookie carries. */
  readonly device?: string | undefined;
  /**
   * The header x-step-up: shows that the second factor was given a moment ago (identity/require-factor.ts).
   * Unknown, and so of no use, where the contract does not say that the endpoint takes it.
   */
  readonly stepUp?: E['stepUp'] extends true | undefined ? string | undefined : unknown;
  /** Only on idempotent endpoints. */
  readonly idempotency?: IdempotencyHandle;
};

export type Route = {
  readonly endpoint: Endpoint;
  readonly handle: (call: Call<Endpoint>) => Promise<unknown>;
};

type AnswerTo<E extends Endpoint> = E extends { readonly file: readonly string[] }
  ? FileAnswer
  : ResponseOf<E>;

/** Ties an endpoint of the contract to the operation that answers it. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<AnswerTo<E>>,
): Route {
  return { endpoint, handle: handle as Route['handle'] };
}
