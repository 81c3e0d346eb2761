import { Resolver } from 'node:dns/promises';
import { isLocalhost } from './check-url.ts';
import { FetchFailed } from './fetch-failed.ts';

/** Every IP address of a host name. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

/**
 * Asks the name service, not the operating system: its look-ups would take turns in the few threads that password
 * hashes also need, so one slow name would hold up everything.
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
