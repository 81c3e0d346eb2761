import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { buildConnector } from 'undici';
import type { AddressRules } from './address-rules.ts';
import { checkTarget, isLocalhost } from './check-url.ts';
import { FetchFailed } from './fetch-failed.ts';

type Target = buildConnector.Options;
type Connection = Exclude<buildConnector.CallbackArgs[1], null>;

/** Whom TLS trusts, and how it identifies us; by default the authorities of the system, and not at all. */
type TlsOptions = Pick<ConnectionOptions, 'ca' | 'secureContext'>;

/** How many addresses of one name are tried, one after another. */
const maxAddresses = 3;
const connectTimeoutMs = 5000;

/**
 * Opens connections only to checked addresses, against DNS rebinding: a name is resolved once, all its addresses must
 * be allowed, and the connection is made to one of these addresses instead of to the name, which might resolve
 * differently a moment later. TLS still sends and verifies the name.
 */
export function guardedConnector(
  rules: AddressRules,
  resolve: ResolveName,
  tls: TlsOptions = {},
): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    ...tls,
  });
  return (target, callback) => {
    openChecked(target).then(
      (connection) => callback(null, connection),
      (error: Error) => callback(error, null),
    );
  };

  async function openChecked(target: Target): Promise<Connection> {
    const { hostname } = target;
    const addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
    if (addresses.length === 0) throw new FetchFailed('name-not-found');
    checkTarget(target, addresses, rules);
    // IPv4 addresses come first, because many machines have no IPv6 route.
    const ordered = addresses.toSorted((left, right) => isIP(left) - isIP(right));
    return openFirst(target, ordered.slice(0, maxAddresses));
  }

  async function openFirst(target: Target, addresses: readonly string[]): Promise<Connection> {
    let lastError: unknown;
    for (const address of addresses) {
      try {
        return await open({ ...target, hostname: address });
      } catch (error) {
        lastError = error;
      }
    }
    throw lastError;
  }

  function open(target: Target): Promise<Connection> {
    return new Promise((resolve, reject) => {
      connect(target, (...[error, connection]) => (error === null ? resolve(connection) : reject(error)));
    });
  }
}

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
