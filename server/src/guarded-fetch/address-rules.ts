import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';

/** Where calls to user-supplied URLs may go. */
export type AddressRules = {
  /**
   * Whether this machine itself may be called, even without TLS. True only in a sandbox that no other machine can
   * reach.
   */
  readonly allowsLoopback: boolean;
  /** Networks that the operator allows in addition to the public internet. */
  readonly networks: readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];
  /** The ports that may be called on the public internet. */
  readonly ports: readonly number[];
};

const publicPorts = [443, 8443];

export function createAddressRules(
  config: Pick<Config, 'mode' | 'sandboxPublic' | 'webhookAllowCidrs'>,
  ports: readonly number[] = publicPorts,
): AddressRules {
  return {
    allowsLoopback: config.mode === 'sandbox' && !config.sandboxPublic,
    networks: config.webhookAllowCidrs.map((text) => ipaddr.parseCIDR(withPrefixLength(text))),
    ports,
  };
}

/** An address without a prefix length is a network of one address. */
function withPrefixLength(text: string): string {
  if (text.includes('/')) return text;
  return `${text}/${ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128}`;
}

/** Why an IP address may be called: it is public, it is this machine's (sandbox only), or the operator allows it. */
export type AddressPermission = 'public' | 'loopback' | 'allowed';

/** Why this IP address may be called, or undefined if it may not be. */
export function addressPermission(address: string, rules: AddressRules): AddressPermission | undefined {
  if (isIP(address) === 0) return undefined;
  const parsed = ipaddr.parse(address);
  const isAllowedByOperator = rules.networks.some(
    ([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits),
  );
  if (isAllowedByOperator) return 'allowed';
  if (rules.allowsLoopback && parsed.range() === 'loopback') return 'loopback';
  return isPublic(parsed) ? 'public' : undefined;
}

// This address looks public, but Azure uses it to serve each virtual machine its own metadata.
const azureWireServer = '168.63.129.16';

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return address.toString() !== azureWireServer;
  // Global unicast is 2000::/3 (RFC 4291, 2.5.4); IPv4-compatible addresses and translation prefixes lie outside it.
  // An ISATAP address (RFC 5214) contains an IPv4 address, possibly a private one, after 0000:5efe or 0200:5efe.
  const [first = 0, , , , fifth = 0, sixth] = address.parts;
  const isIsatap = sixth === 0x5efe && (fifth & ~0x0200) === 0;
  return first >= 0x2000 && first <= 0x3fff && !isIsatap;
}
