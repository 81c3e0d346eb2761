import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Refusal } from '../refusal.ts';

/** A network address and the length of its prefix in bits. */
type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefixBits: number];

/** Normalizes addresses and networks and removes duplicates. Refused with KEY_ADDRESS_INVALID. */
export function normalizeAllowedAddresses(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map(normalizeNetwork))];
}

/**
 * Returns whether a key restricted to the `allowed` networks may be used from an address. An empty list allows any
 * address.
 */
export function isAddressAllowed(allowed: readonly string[], address: string): boolean {
  if (allowed.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  // A dual-stack socket reports IPv4 addresses inside IPv6 (RFC 4291, 2.5.5.2).
  const callerAddress = ipaddr.process(address);
  return allowed.some((text) => {
    const network = parseNetwork(text);
    if (network === undefined) return false;
    const [networkAddress, prefixBits] = network;
    // `match` throws for addresses of different kinds (IPv4 and IPv6).
    return networkAddress.kind() === callerAddress.kind() && callerAddress.match(networkAddress, prefixBits);
  });
}

/** Writes a network with its first address; a network of one address is written as the address alone. */
function normalizeNetwork(text: string): string {
  const parsed = parseNetwork(text);
  if (parsed === undefined)
    throw new Refusal('KEY_ADDRESS_INVALID', {
      message: `“${text}” não é um endereço IP nem uma rede CIDR, como 203.0.113.7 ou 2001:db8::/48.`,
      details: { address: text },
    });
  const [address, prefixBits] = parsed;
  const addressBits = address.kind() === 'ipv4' ? 32 : 128;
  if (prefixBits === addressBits) return address.toString();
  const addressClass = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${addressClass.networkAddressFromCIDR(`${address}/${prefixBits}`)}/${prefixBits}`;
}

/** Parses a CIDR network, or a single address as a network of one address; returns undefined for any other text. */
function parseNetwork(text: string): Network | undefined {
  const [, address = '', prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  // `isIP` returns 0 for text that is not an address. That includes forms like 127.1 or 0x7f000001, which nobody means
  // as addresses.
  const addressBits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const prefixBits = prefix === undefined ? addressBits : Number(prefix);
  if (addressBits === 0 || prefixBits > addressBits) return undefined;
  const parsed = ipaddr.parse(address);
  // An IPv4 network inside IPv6 (`::ffff:0:0/96`) becomes plain IPv4, the form in which callers' addresses are
  // compared.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && prefixBits >= 96)
    return [parsed.toIPv4Address(), prefixBits - 96];
  return [parsed, prefixBits];
}
