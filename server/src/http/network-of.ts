import ipaddr from 'ipaddr.js';

/** What one party usually holds of the address space: an IPv4 address, or the 64 bits of an IPv6 network. */
export function networkOf(address: string): string {
  return prefixOf(address, 64);
}

/** What one party can have without effort: an IPv4 address, or the 48 bits of an IPv6 site, which has 65 536 networks. */
export function siteOf(address: string): string {
  return prefixOf(address, 48);
}

function prefixOf(address: string, bits: 48 | 64): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : `${parsed
        .toByteArray()
        .slice(0, bits / 8)
        .join('.')}/${bits}`;
}
