import { isIP } from 'node:net';
import { type AddressRules, addressPermission } from './address-rules.ts';
import { FetchFailed } from './fetch-failed.ts';

// Labels of letters, digits, hyphens and underscores, of at most 63 characters each and 253 in all.
const hostNamePattern =
  /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
// Names that are meaningful only on a local network (RFC 6761, 6762, 7686, 8375, and those ICANN keeps private).
const localNamePattern =
  /(^|\.)(localhost|local|internal|lan|intranet|private|corp|home|home\.arpa|onion|invalid)$/;

/**
 * Parses a user-supplied URL and refuses it if it is forbidden whatever DNS says. The addresses of a host name are
 * checked when the URL is called (`checkTarget`).
 * @throws {FetchFailed} forbidden-url, forbidden-address
 */
export function checkUrl(text: string, rules: AddressRules): URL {
  // The URL parser tolerates these characters, but the next reader of the URL may parse it differently.
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) throw new FetchFailed('forbidden-url');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw new FetchFailed('forbidden-url');
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  const hostname = bareHostname(url.hostname);
  if (isIP(hostname) !== 0) checkTarget(url, [hostname], rules);
  else checkName(url, rules);
  return url;
}

/** Removes the brackets of an IPv6 address. */
export function bareHostname(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function checkName(url: URL, rules: AddressRules): void {
  if (!hostNamePattern.test(url.hostname)) throw new FetchFailed('forbidden-url');
  const isThisMachine = isLocalhost(url.hostname) && rules.allowsLoopback;
  checkScheme(url, isThisMachine ? ['http:', 'https:'] : ['https:']);
  // If the operator allows private networks, the name may resolve to an address in one of them, where any name and port
  // may be called. The connector checks the address.
  if (isThisMachine || rules.networks.length > 0) return;
  if (!url.hostname.includes('.') || localNamePattern.test(url.hostname))
    throw new FetchFailed('forbidden-address');
  if (!rules.ports.includes(portOf(url))) throw new FetchFailed('forbidden-url');
}

export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname);
}

/**
 * Checks that a URL may be called at each of these addresses: one forbidden address is enough to refuse the call.
 * @throws {FetchFailed} forbidden-url, forbidden-address
 */
export function checkTarget(
  url: Pick<URL, 'protocol' | 'port'>,
  addresses: readonly string[],
  rules: AddressRules,
): void {
  for (const address of addresses) {
    const permission = addressPermission(address, rules);
    if (permission === undefined) throw new FetchFailed('forbidden-address');
    checkScheme(url, permission === 'loopback' ? ['http:', 'https:'] : ['https:']);
    if (permission === 'public' && !rules.ports.includes(portOf(url))) throw new FetchFailed('forbidden-url');
  }
}

function checkScheme({ protocol }: Pick<URL, 'protocol'>, allowed: readonly string[]): void {
  if (!allowed.includes(protocol)) throw new FetchFailed('forbidden-url');
}

function portOf({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
