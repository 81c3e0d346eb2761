import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Refusal } from '../refusal.ts';

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Addresses and networks in one way of writing, each once. Refused with KEY_ADDRESS_INVALID. */
export function readAllowedAddresses(given: readonly string[]): string[] {
  return [...new Set(given.map(canonical))];
}

/** Whether a key that is bound to `allowed` may be used from an address; bound to nothing, it may from any. */
export function isAllowed(allowed: readonly string[], address: string): boolean {
  if (allowed.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  // A socket that takes both kinds tells IPv4 addresses inside IPv6 (RFC 4291, 2.5.5.2).
  const caller = ipaddr.process(address);
  return allowed.some((text) => {
    const [network, bits] = parseNetwork(text) ?? [];
    return network?.kind() === caller.kind() && bits !== undefined && caller.match(network, bits);
  });
}

function canonical(given: string): string {
  const parsed = parseNetwork(given);
  if (parsed === undefined)
    throw new Refusal('KEY_ADDRESS_INVALID', {
      message: `“${given}” não é um endereço IP nem uma rede CIDR, como 203.0.113.7 ou 2001:db8::/48.`,
      details: { address: given },
    });
  const [address, bits] = parsed;
  const whole = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === whole) return address.toString();
  const network = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${network.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}

/** Undefined: it is none. A single address is a network of one. */
function parseNetwork(text: string): Network | undefined {
  const [, address = '', prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  // Forms like 127.1 or 0x7f000001 are addresses to some programs, and nobody means them.
  const whole = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const bits = prefix === undefined ? whole : Number(prefix);
  if (whole === 0 || bits > whole) return undefined;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && bits >= 96)
    return [parsed.toIPv4Address(), bits - 96];
  return [parsed, bits];
}
