import ipaddr from 'ipaddr.js';

/** Returns the address range that one party usually has: a single IPv4 address, or an IPv6 /64 network. */
export function networkOf(address: string): string {
  return prefixOf(address, 64);
}

/** Returns the range that one party can easily get: a single IPv4 address, or an IPv6 /48 site of 65,536 networks. */
export function siteOf(address: string): string {
  return prefixOf(address, 48);
}

function prefixOf(address: string, bits: 48 | 64): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const prefix = parsed.toByteArray().slice(0, bits / 8);
  return `${prefix.join('.')}/${bits}`;
}
