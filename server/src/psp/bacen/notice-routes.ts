import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import { inTransaction } from '../../db/transaction.ts';
import type { Deps } from '../../deps.ts';
import { storeNotices } from '../inbox.ts';
import { notice } from './payloads.ts';

const longestNoticeBytes = 1024 * 1024;

/** The path at which our bank calls: its secret is derived, so it stands in no database and every process knows it. */
export function noticePath({ config, secrets }: Pick<Deps, 'config' | 'secrets'>): string {
  return `/psp/${config.psp.name}/${secrets.derive('psp-path').toString('base64url')}`;
}

/**
 * Takes the bank's notices: kept first, answered then, worked after. Whoever does not know the path learns only
 * that there is nothing here. `onStored` is told after each commit.
 */
export function mountNotices(app: FastifyInstance, deps: Deps, onStored: () => void): void {
  const path = noticePath(deps);
  app.post<{ Params: { adapter: string; secret: string } }>(
    '/psp/:adapter/:secret/pix',
    { bodyLimit: longestNoticeBytes, config: { rateLimit: false } },
    async (request, reply) => {
      const asked = `/psp/${request.params.adapter}/${request.params.secret}`;
      if (!sameText(asked, path) || !isFromBank(deps, request.ip, request.headers))
        return reply.code(404).send();
      const read = notice.safeParse(request.body);
      // Banks try the address with an empty call when it is registered.
      if (!read.success) return reply.code(isEmpty(request.body) ? 200 : 400).send();
      const items = read.data.pix.map(({ endToEndId }, index) => ({
        endToEndId,
        notice: itemAt(request.body, index),
      }));
      if (items.length > 0) {
        await inTransaction(deps, (tx) => storeNotices(tx, items));
        onStored();
      }
      return reply.code(200).send();
    },
  );
}

function sameText(given: string, known: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(known);
  return a.length === b.length && timingSafeEqual(a, b);
}

function isFromBank({ config }: Deps, address: string, headers: Record<string, unknown>): boolean {
  const { webhookCidrs, webhookProofHeader } = config.psp;
  if (
    webhookProofHeader !== undefined &&
    headers[webhookProofHeader.name.toLowerCase()] !== webhookProofHeader.value
  ) {
    return false;
  }
  if (webhookCidrs.length === 0) return true;
  const from = ipaddr.process(address);
  return webhookCidrs.some((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return network.kind() === from.kind() && from.match(network, bits);
  });
}

function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || body === '' || JSON.stringify(body) === '{}';
}

function itemAt(body: unknown, index: number): unknown {
  const { pix } = body as { pix: unknown[] };
  return pix[index];
}
