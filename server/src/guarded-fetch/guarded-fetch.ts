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

export type GuardedAnswer = {
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
   * Any HTTP response counts as one, redirects included: they are not followed.
   * @throws {FetchFailed} when there is none
   */
  send(call: GuardedRequest): Promise<GuardedAnswer>;
  close(): Promise<void>;
};

export type GuardedFetchOptions = {
  readonly rules: AddressRules;
  /** From the call to the last byte of the response; default 15 s. */
  readonly timeoutMs?: number;
  readonly resolve?: ResolveName;
  /** PEM of the certificate authorities to trust instead of the default ones. */
  readonly ca?: string;
};

const maxRequestBytes = 256 * 1024;
const maxAnswerBytes = 64 * 1024;

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { rules, timeoutMs = 15_000, resolve = resolveName, ca } = options;
  const agent = new Agent({
    connect: guardedConnector(rules, resolve, ca),
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
      const timer = new AbortController();
      const timeout = setTimeout(() => timer.abort(new FetchFailed('timed-out')), timeoutMs);
      try {
        const { method, headers = {} } = call;
        const answer = await request(url, { dispatcher: agent, signal: timer.signal, method, headers, body });
        return { status: answer.statusCode, headers: answer.headers, ...(await readBounded(answer.body)) };
      } catch (error) {
        throw failureFrom(timer.signal.aborted ? timer.signal.reason : error);
      } finally {
        clearTimeout(timeout);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Leaving the loop closes the connection, so that the rest of a longer response is not received. */
async function readBounded(stream: AsyncIterable<Buffer>): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxAnswerBytes)
      return { body: Buffer.concat(chunks).subarray(0, maxAnswerBytes), truncated: true };
  }
  return { body: Buffer.concat(chunks), truncated: false };
}
