import ipaddr from 'ipaddr.js';

/** What one party usually holds of the address space: an IPv4 address, or the 64 bits of an IPv6 network. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : `${parsed.toByteArray().slice(0, 8).join('.')}/64`;
}
