import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressRules } from './address-rules.ts';
import { checkTarget } from './check-url.ts';
import { FetchFailed } from './fetch-failed.ts';
import type { ResolveName } from './resolve-name.ts';

type Target = buildConnector.Options;
type Connection = Exclude<buildConnector.CallbackArgs[1], null>;

// A name with more addresses than this is not tried to the last one.
const addressesTried = 3;
const connectTimeoutMs = 5000;

/**
 * Opens connections only to addresses that were checked: a name is resolved once, each of its addresses must be
 * allowed, and the connection goes to one of them, not to the name, which may lead elsewhere by then. TLS still
 * asks for and verifies the name.
 */
export function guardedConnector(
  rules: AddressRules,
  resolve: ResolveName,
  ca: string | undefined,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    ...(ca === undefined ? {} : { ca }),
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
    // IPv4 first: many machines have no route for the other.
    const ordered = addresses.toSorted((one, other) => isIP(one) - isIP(other));
    return openFirst(target, ordered.slice(0, addressesTried));
  }

  async function openFirst(target: Target, addresses: readonly string[]): Promise<Connection> {
    let failure: unknown;
    for (const address of addresses) {
      try {
        return await open({ ...target, hostname: address });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  function open(target: Target): Promise<Connection> {
    return new Promise((resolve, reject) => {
      connect(target, (...[error, connection]) => (error === null ? resolve(connection) : reject(error)));
    });
  }
}
