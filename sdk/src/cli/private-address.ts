import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { CommandFailure } from './failure.ts';

/** Networks that only this machine or its own network can reach (RFC 1918, 3927, 4193, 4291, 6598). */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6');

/** @returns whether all addresses of a host name belong to this machine or its own network */
export async function isPrivateHost({ hostname }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  return addresses.every((address) => privateNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
}

async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  if (found.length === 0) throw new CommandFailure(`O nome ${host} não leva a nenhum endereço. Confira-o.`);
  return found.map(({ address }) => address);
}
