import { Resolver } from 'node:dns/promises';
import { isLocalhost } from './check-url.ts';
import { FetchFailed } from './fetch-failed.ts';

/** Resolves a host name to all its IP addresses. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

/**
 * Queries DNS directly instead of the operating system, whose look-ups would share the few threads that password
 * hashing also needs: one slow name would block everything.
 * @throws {FetchFailed} name-not-found, timed-out
 */
export async function resolveName(hostname: string): Promise<readonly string[]> {
  if (isLocalhost(hostname)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: 2500, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const timedOut = answers.some((answer) => answer.status === 'rejected' && isTimeout(answer.reason));
  throw new FetchFailed(timedOut ? 'timed-out' : 'name-not-found');
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ETIMEOUT';
}
