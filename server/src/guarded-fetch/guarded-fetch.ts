import { Agent, request } from 'undici';
import { assertNoOpenTransaction } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import type { AddressRules } from './address-rules.ts';
import { checkUrl } from './check-url.ts';
import { FetchFailed, failureFrom } from './fetch-failed.ts';
import { guardedConnector, type ResolveName, resolveName } from './guarded-connector.ts';

export type GuardedRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most 256 kB. */
  readonly body?: string | Buffer;
};

/** A response, of any HTTP status. */
export type GuardedResponse = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** At most 64 kB; the rest is not read. */
  readonly body: Buffer;
  readonly truncated: boolean;
};

/** The only way to call a user-supplied URL. */
export type GuardedFetch = {
  /**
   * Returns the response, whatever its status. Redirects are not followed.
   * @throws {FetchFailed} if the URL is refused or no response arrives
   */
  send(call: GuardedRequest): Promise<GuardedResponse>;
  close(): Promise<void>;
};

export type GuardedFetchOptions = {
  readonly rules: AddressRules;
  /** The time from the call to the last byte of the response; 15 s by default. */
  readonly timeoutMs?: number;
  /** Replaces the DNS look-up in tests. */
  readonly resolve?: ResolveName;
  /** PEM of the certificate authorities to trust instead of the default ones. */
  readonly ca?: string;
};

const maxRequestBytes = 256 * 1024;
const maxResponseBytes = 64 * 1024;

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { rules, timeoutMs = 15_000, resolve = resolveName, ca } = options;
  const agent = new Agent({
    connect: guardedConnector(rules, resolve, ca === undefined ? {} : { ca }),
    allowH2: false,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16 * 1024,
  });
  return {
    async send(call) {
      assertNoOpenTransaction();
      const { body = null } = call;
      invariant(
        body === null || Buffer.byteLength(body) <= maxRequestBytes,
        'a request is too large to send',
      );
      const url = checkUrl(call.url, rules);
      const abortController = new AbortController();
      const timer = setTimeout(() => abortController.abort(new FetchFailed('timed-out')), timeoutMs);
      try {
        const { method, headers = {} } = call;
        const response = await request(url, {
          dispatcher: agent,
          signal: abortController.signal,
          method,
          headers,
          body,
        });
        const { statusCode: status, headers: responseHeaders } = response;
        return { status, headers: responseHeaders, ...(await readBounded(response.body)) };
      } catch (error) {
        throw failureFrom(abortController.signal.aborted ? abortController.signal.reason : error);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Reads at most `maxResponseBytes`. Leaving the loop early closes the connection, so nothing more is received. */
async function readBounded(stream: AsyncIterable<Buffer>): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxResponseBytes)
      return { body: Buffer.concat(chunks).subarray(0, maxResponseBytes), truncated: true };
  }
  return { body: Buffer.concat(chunks), truncated: false };
}
