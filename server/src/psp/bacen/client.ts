import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { Agent, request } from 'undici';
import type * as z from 'zod/mini';
import type { PspConfig } from '../../config.ts';
import { assertNoOpenTransaction } from '../../db/transaction.ts';
import { type AddressRules, guardedConnector, resolveName } from '../../guarded-fetch/index.ts';
import { type BankHealth, PspNotAsked, PspRefused, PspUnknown } from '../psp.ts';
import { createBreaker } from './breaker.ts';
import { token as tokenPayload } from './payloads.ts';
import { type HttpResponse, isNotFound, parseResponse, readRefusalReason } from './read-response.ts';

const defaultTimeoutMs = 10_000;
const connectTimeoutMs = 5000;
/** Only a GET is repeated when its outcome is unknown: any other call may already have been executed. */
const maxGetAttempts = 3;
/** A token is renewed this long before it expires. */
const tokenMarginMs = 30_000;

export type BacenCall = {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** Relative to the base URL, including the query. */
  readonly path: string;
  /** Whether the path is relative to the bank's host and includes its own version: `/v3/gn/pix/{idEnvio}`. */
  readonly fromRoot?: boolean;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether a refusal or "not found" must contain an error code in a format that banks use; without one, PspUnknown is
   * thrown. A proxy in front of the bank can also return 404, and a proxy's answer must never move money.
   */
  readonly needsReason?: boolean;
  /**
   * Whether the call may fail at once, without being made, while the bank does not answer. Only for calls for which
   * somebody waits and may try again. Look-ups, lists, and orders that are marked as sent are always made.
   */
  readonly mayFailFast?: boolean;
  /** Whether a 403 refuses the call: the bank may not let us do this, although it lets us do all else. */
  readonly mayLackScope?: boolean;
  /** The scopes beyond those of the settings that the call needs. */
  readonly scopes?: FurtherScopes;
  /** Whether the call creates a charge, without which nobody can pay, whatever else the bank answers. */
  readonly createsCharge?: boolean;
};

/**
 * Scopes that only some banks know, by the names of BACEN's API Pix. They are asked for apart from all others, and only
 * when they are needed: a bank may refuse every scope because of one that it does not know.
 */
const furtherScopes = {
  due: ['cobv.write', 'cobv.read'],
  recurring: ['rec', 'solicrec', 'cobr', 'payloadlocationrec', 'webhookrec', 'webhookcobr'].flatMap(
    (resource) => [`${resource}.write`, `${resource}.read`],
  ),
} as const satisfies Record<string, readonly string[]>;
export type FurtherScopes = keyof typeof furtherScopes;
/** After the bank refused further scopes, its usual token is tried for so long before they are asked for again. */
const refusedScopesMs = 600_000;

/**
 * HTTP client for a bank that implements API Pix: OAuth2 client credentials, mTLS, timeouts, schema-checked
 * responses.
 */
export type BacenClient = {
  /**
   * Returns the parsed response, or undefined if a GET finds nothing. Repeats a GET whose outcome is unknown. Throws
   * RefusedResponse or PspUnknown.
   */
  call<S extends z.ZodMiniType>(call: BacenCall, schema: S): Promise<z.output<S> | undefined>;
  /** Requests a token, even if there is a valid one, and uses it from then on. Throws like `call`. */
  requestToken(): Promise<GrantedToken>;
  /** Whether the last call reached the bank and our credentials were accepted; undefined before the first call. */
  reachable(): boolean | undefined;
  health(): BankHealth;
  /** How far and how fast a list is read. */
  readonly listLimits: Pick<AccountLimits, 'listPages' | 'listPauseMs'>;
  close(): Promise<void>;
};

export type GrantedToken = {
  readonly value: string;
  /** The scopes as the bank states them, in one text; undefined if it does not. */
  readonly scope: string | undefined;
};

/** The bank's refusal of one call, with its HTTP status. */
export class RefusedResponse extends PspRefused {
  readonly status: number;
  /** The fields that the bank rejected. */
  readonly violatedFields: readonly string[];

  constructor(message: string, { status, violatedFields, ...details }: Omit<RefusedResponse, keyof Error>) {
    super(message, details);
    this.status = status;
    this.violatedFields = violatedFields;
  }
}

/** A response that is no decision on the call itself: a failure, bad credentials, a missing scope, a limit of calls. */
export class UndecidedResponse extends PspUnknown {
  readonly status: number;
  /** The start of the response, as the bank sent it. */
  readonly text: string;

  constructor(message: string, { status, text }: HttpResponse) {
    super(message);
    this.status = status;
    this.text = text.slice(0, 500).toWellFormed();
  }
}

/** The bank did not accept the client's credentials, so no call works. */
export class RefusedCredentials extends UndecidedResponse {}

type TokenKind = 'usual' | FurtherScopes;
type TokenState = {
  /** `endsAt` is a time of `performance.now()`. */
  token?: { readonly value: string; readonly endsAt: number };
  renewal?: Promise<string>;
  /** Until when further scopes, which the bank refused, are not asked for. */
  refusedUntil?: number;
};

/** One HTTP exchange with the bank, for the metrics. */
export type BankExchange = {
  /** Method and resource, without ids: `PUT cob`. */
  readonly operation: string;
  readonly outcome: '2xx' | '3xx' | '4xx' | '5xx' | 'none';
  readonly seconds: number;
};

export type BacenClientOptions = {
  readonly onExchange?: (exchange: BankExchange) => void;
  /** Timeout for one response of the bank. */
  readonly responseTimeoutMs?: number;
  /** Where the bank may be, if somebody else than the operator named its addresses. By default it may be anywhere. */
  readonly addressRules?: AddressRules | undefined;
  /** The share of this process that the account may take: by default as much as the operator's own account needs. */
  readonly limits?: AccountLimits;
};

export type AccountLimits = {
  /** How many network connections there may be to the bank. */
  readonly writes: number;
  readonly reads: number;
  readonly responseBytes: number;
  /** A list with more pages is not read to its end. */
  readonly listPages: number;
  /** The pause before each page after the first few. */
  readonly listPauseMs: number;
};

const houseLimits: AccountLimits = {
  ...{ writes: 48, reads: 16, responseBytes: 8 * 1024 * 1024 },
  ...{ listPages: Number.POSITIVE_INFINITY, listPauseMs: 0 },
};
/**
 * An account of one merchant's own has less traffic, and there may be a thousand of them. Its bank may be of the
 * merchant's own making, and then answers with as much, and as often, as it is let.
 */
export const OWN_ACCOUNT_LIMITS: AccountLimits = {
  ...{ writes: 6, reads: 4, responseBytes: 1024 * 1024 },
  ...{ listPages: 2000, listPauseMs: 50 },
};
/** The items on a page of a list of such an account: with 5 kB for each, they fit into a response. */
export const OWN_ACCOUNT_ITEMS_PER_PAGE = 200;

export function createBacenClient(
  config: PspConfig,
  {
    responseTimeoutMs = defaultTimeoutMs,
    onExchange = () => {},
    limits = houseLimits,
    addressRules,
  }: BacenClientOptions = {},
): BacenClient {
  // Made once and not for each connection: to open a PKCS#12 file may take a while.
  const tls = config.tls && { secureContext: createSecureContext(config.tls) };
  const openAgent = (connections: number) =>
    new Agent({
      connections,
      pipelining: 1,
      connect:
        addressRules === undefined
          ? { timeout: connectTimeoutMs, ...tls }
          : guardedConnector(addressRules, resolveName, tls),
      headersTimeout: responseTimeoutMs,
      bodyTimeout: responseTimeoutMs,
      maxResponseSize: limits.responseBytes,
    });
  // Separate pools: while many charges are being created, a query for a received Pix must not queue behind them.
  const writeConnections = openAgent(limits.writes);
  const readConnections = openAgent(limits.reads);
  const breaker = createBreaker();
  const ownSecrets = [config.clientSecret, encodeURIComponent(config.clientSecret)];
  /** The OAuth2 tokens: the usual one, and those of further scopes. */
  const tokens = new Map<TokenKind, TokenState>();
  let isReachable: boolean | undefined;

  /**
   * `credential`: the token, or what stands for it while there is none. `isOptional`: a failure of the bank here is none
   * of its other services.
   */
  async function exchange(
    url: string,
    credential: string,
    options: Parameters<typeof request>[1],
    isOptional = false,
  ): Promise<HttpResponse> {
    assertNoOpenTransaction();
    const startedAt = performance.now();
    const reportExchange = (outcome: BankExchange['outcome']) =>
      onExchange({
        operation: operationOf(options?.method ?? 'GET', url),
        outcome,
        seconds: (performance.now() - startedAt) / 1000,
      });
    try {
      const { statusCode, body } = await request(url, {
        ...options,
        dispatcher: options?.method === 'GET' ? readConnections : writeConnections,
        signal: AbortSignal.timeout(responseTimeoutMs),
      });
      // A single raw control character, which is invalid in JSON, must not make the whole response unreadable.
      const text = (await body.text()).replace(/\p{Cc}/gu, ' ');
      isReachable = statusCode < 500 || isOptional;
      // Credentials that were refused are counted where the token is asked for, and a token that ended is renewed.
      if (!isReachable) breaker.failed(`O banco respondeu com uma falha dele (${statusCode}).`);
      else if (statusCode !== 401 && url !== config.tokenUrl) breaker.answered();
      reportExchange(statusClass(statusCode));
      // The text of a refusal ends up in errors and in the log, and some banks repeat in it what they were sent.
      const isRefusal = statusCode >= 300;
      return { status: statusCode, text: isRefusal ? without([credential, ...ownSecrets], text) : text };
    } catch (error) {
      isReachable = false;
      breaker.failed(`O banco não respondeu${networkCodeOf(error)}.`);
      reportExchange('none');
      throw new PspUnknown('the bank did not answer', { cause: error });
    }
  }

  async function askForToken(scope: string | undefined, isOptional = false): Promise<HttpResponse> {
    const { clientId, clientSecret } = config;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const isInBody = config.credentialsIn === 'body';
    const headers = {
      ...(!isInBody && { authorization: `Basic ${basic}` }),
      'content-type': 'application/x-www-form-urlencoded',
    };
    // RFC 6749, 4.4.2. Without a scope, the bank grants the scopes assigned to the client.
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      ...(isInBody && { client_id: clientId, client_secret: clientSecret }),
      ...(scope !== undefined && { scope }),
    }).toString();
    return await exchange(config.tokenUrl, basic, { method: 'POST', headers, body }, isOptional);
  }

  async function renewToken(): Promise<GrantedToken> {
    const response = await askForToken(config.scope);
    const { status } = response;
    // The bank responds but is unusable: no call works without a token. `exchange` has counted its own failures.
    if (status >= 300) isReachable = false;
    if (status === 400 || status === 401 || status === 403) {
      breaker.failed(`O banco recusou as credenciais (${status}).`);
      throw new RefusedCredentials(`the bank refused our credentials (${status})`, response);
    }
    if (status >= 300) {
      if (status < 500) breaker.failed(`O banco não deu autorização para as chamadas (${status}).`);
      throw new UndecidedResponse(`the bank gave no token (${status})`, response);
    }
    const { access_token: value, expires_in: seconds, scope } = readToken(response);
    stateOf('usual').token = { value, endsAt: endOf(seconds) };
    return { value, scope: scope ?? undefined };
  }

  /**
   * Asks for a token of further scopes. If the bank refuses them, the usual token stands in: at some banks it covers all
   * that the client may do, and at others the call itself is then refused. Nothing else is to suffer from the refusal.
   */
  async function renewFurtherToken(kind: FurtherScopes): Promise<string> {
    const response = await askForToken(furtherScopes[kind].join(' '), true);
    const { status } = response;
    if (status === 400 || status === 401 || status === 403) {
      stateOf(kind).refusedUntil = performance.now() + refusedScopesMs;
      return await validToken('usual');
    }
    if (status >= 300)
      throw new UndecidedResponse(`the bank gave no token for ${kind} (${status})`, response);
    const { access_token: value, expires_in: seconds } = parseResponse(response, tokenPayload);
    stateOf(kind).token = { value, endsAt: endOf(seconds) };
    return value;
  }

  function stateOf(kind: TokenKind): TokenState {
    const state = tokens.get(kind) ?? {};
    tokens.set(kind, state);
    return state;
  }

  /** Which token a call uses. Without named scopes, the usual one has all that the bank lets the client do. */
  function tokenKindOf({ scopes }: BacenCall): TokenKind {
    if (scopes === undefined || config.scope === undefined) return 'usual';
    const named = config.scope.split(' ');
    if (furtherScopes[scopes].every((scope) => named.includes(scope))) return 'usual';
    return performance.now() < (stateOf(scopes).refusedUntil ?? 0) ? 'usual' : scopes;
  }

  function readToken(response: HttpResponse): z.output<typeof tokenPayload> {
    try {
      return parseResponse(response, tokenPayload);
    } catch (error) {
      isReachable = false;
      breaker.failed('A resposta do banco com a autorização não pôde ser lida.');
      throw error;
    }
  }

  /** Returns the stored token, or a new one. Only one renewal runs at a time, and all callers wait for it. */
  function validToken(kind: TokenKind): Promise<string> {
    const state = stateOf(kind);
    if (state.token !== undefined && performance.now() < state.token.endsAt)
      return Promise.resolve(state.token.value);
    const renew = async () => (kind === 'usual' ? (await renewToken()).value : renewFurtherToken(kind));
    state.renewal ??= renew().finally(() => {
      delete state.renewal;
    });
    return state.renewal;
  }

  /** The base URL without the version of the API. */
  const rootUrl = config.baseUrl.replace(/\/v\d+$/, '');

  async function send(call: BacenCall): Promise<HttpResponse> {
    const { method, path, fromRoot, body, headers } = call;
    for (let attempt = 1; ; attempt += 1) {
      const kind = tokenKindOf(call);
      const tokenValue = await validToken(kind);
      const response = await exchange((fromRoot ? rootUrl : config.baseUrl) + path, tokenValue, {
        method,
        headers: {
          ...headers,
          authorization: `Bearer ${tokenValue}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      // A 401 means that the token is no longer valid and the call was not executed, so it is safe to repeat.
      if (response.status !== 401) return response;
      if (attempt === 2) {
        // Some banks answer so to a call for whose scopes they gave no right, which says nothing about the others.
        if (call.scopes === undefined) breaker.failed('O banco recusou as credenciais (401).');
        return response;
      }
      const state = stateOf(kind);
      if (state.token?.value === tokenValue) delete state.token;
    }
  }

  async function callOnce<S extends z.ZodMiniType>(
    call: BacenCall,
    schema: S,
  ): Promise<z.output<S> | undefined> {
    if (call.mayFailFast && !breaker.admits())
      throw new PspNotAsked('the bank has not answered for some time: it is not asked just now');
    const response = await send(call);
    const { status } = response;
    const problem = `the bank answered ${status} to ${call.method} ${call.path}`;
    const isRedirect = status >= 300 && status < 400;
    // Redirects, failures, bad credentials, time-outs and rate limits are no decision on the call itself.
    const isUndecided =
      isRedirect ||
      status >= 500 ||
      [401, 408, 429].includes(status) ||
      (status === 403 && call.mayLackScope !== true);
    if (isUndecided) throw new UndecidedResponse(problem, response);
    if (status < 400) return parseResponse(response, schema);
    const reason = readRefusalReason(response.text);
    if (call.needsReason && reason.code === undefined)
      throw new UndecidedResponse(`${problem}, and did not say why`, response);
    if (call.method === 'GET' && isNotFound(response)) return undefined;
    throw new RefusedResponse(`${problem}: ${response.text.slice(0, 500).toWellFormed()}`, {
      ...reason,
      status,
    });
  }

  return {
    async call(call, schema) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const response = await callOnce(call, schema);
          if (call.createsCharge) breaker.chargeCreated();
          return response;
        } catch (error) {
          const isUndecided = error instanceof PspUnknown && !(error instanceof PspNotAsked);
          if (call.createsCharge && isUndecided) {
            const status = error instanceof UndecidedResponse ? ` (${error.status})` : '';
            breaker.chargeNotCreated(`O banco não cria cobranças${status}.`);
          }
          const mayRepeat = isUndecided && call.method === 'GET' && attempt < maxGetAttempts;
          if (!mayRepeat) throw error;
          await pause(100 * 4 ** (attempt - 1));
        }
      }
    },
    requestToken: renewToken,
    reachable: () => isReachable,
    health: breaker.health,
    listLimits: limits,
    close: async () => void (await Promise.all([writeConnections.destroy(), readConnections.destroy()])),
  };
}

/** When a token that is valid for so long has to be renewed, as a time of `performance.now()`. */
function endOf(seconds: number): number {
  return performance.now() + Math.max(seconds * 1000 - tokenMarginMs, 1000);
}

/** A shorter text is no secret, and would be found in innocent words. */
const minSecretLength = 4;

function without(secrets: readonly string[], text: string): string {
  return secrets
    .filter(({ length }) => length >= minSecretLength)
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), text);
}

/** The code of a network failure, which tells a wrong address from a refused certificate; empty if it has none. */
function networkCodeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z_]+$/.test(code) ? ` (${code})` : '';
}

/** Path segments that name a resource. All other segments are ids, which must not appear in the metrics. */
const resourcePattern =
  /\/(oauth\/token|gn\/(?:pix(?:\/enviados)?|infracoes|saldo)|pix\/[^/?]+\/devolucao|pix\/[^/?]+|cobr\/[^/?]+\/retentativa|cob[rv]?|rec|solicrec|pix|webhook(?:rec|cobr)?|loc(?:rec)?)(?=[/?]|$)/;

function operationOf(method: string, url: string): string {
  const name = resourcePattern.exec(URL.canParse(url) ? new URL(url).pathname : url)?.[1] ?? 'other';
  return `${method} ${name.replace(/^pix\/[^/]+/, 'pix/{endToEndId}').replace(/^cobr\/[^/]+/, 'cobr/{txid}')}`;
}

function statusClass(status: number): BankExchange['outcome'] {
  if (status < 300) return '2xx';
  if (status < 400) return '3xx';
  return status < 500 ? '4xx' : '5xx';
}
