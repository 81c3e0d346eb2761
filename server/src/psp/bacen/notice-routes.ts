import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { inTransaction } from '../../db/transaction.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../refusal.ts';
import { type Notice, storeNotices } from '../inbox.ts';
import { notice, noticeItem } from './payloads.ts';

const longestNoticeBytes = 1024 * 1024;
const mostItems = 1000;

/** The path at which our bank calls: its secret is derived, so it stands in no database and every process knows it. */
export function noticePath({ config, secrets }: Pick<Deps, 'config' | 'secrets'>): string {
  return `/psp/${config.psp.name}/${secrets.derive('psp-path').toString('base64url')}`;
}

type NoticeDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>;
type Asked = { readonly Params: { readonly adapter: string; readonly secret: string } };

/**
 * Takes the bank's notices: kept first, answered then, worked after. Whoever does not know the path learns only
 * that there is nothing here, and before anything of their body is read. Some banks try the registered address itself,
 * without the `/pix` that they add for notices. `onStored` is told after each commit.
 */
export function mountNotices(app: FastifyInstance, deps: NoticeDeps, onStored: () => void): void {
  const path = noticePath(deps);
  const onRequest = async ({ params, ip, headers }: FastifyRequest<Asked>) => {
    const known = sameText(`/psp/${params.adapter}/${params.secret}`, path);
    if (!known || !isFromBank(deps, ip, headers)) throw new Refusal('NOT_FOUND');
  };
  const options = { bodyLimit: longestNoticeBytes, onRequest };
  const take = async ({ body, log }: FastifyRequest<Asked>, reply: FastifyReply) => {
    // Banks try the address with a call that tells of no Pix.
    if (!tellsOfPix(body)) return reply.code(200).send();
    const read = notice.safeParse(body);
    if (!read.success) return reply.code(400).send();
    const { kept, ignored } = readItems(read.data.pix);
    if (ignored > 0) log.warn({ ignored, kept: kept.length }, 'items of a notice were ignored');
    if (kept.length > 0) {
      await inTransaction(deps, (tx) => storeNotices(tx, kept));
      onStored();
    }
    return reply.code(200).send();
  };
  app.post<Asked>('/psp/:adapter/:secret', options, take);
  app.post<Asked>('/psp/:adapter/:secret/pix', options, take);
}

function tellsOfPix(body: unknown): boolean {
  return typeof body === 'object'
    ? body !== null && (Array.isArray(body) || 'pix' in body)
    : body !== undefined;
}

/** What fits, each id once. What is left out comes to us by reconciliation, if it is money at all. */
function readItems(items: readonly unknown[]): { kept: Notice[]; ignored: number } {
  const kept = new Map<string, Notice>();
  let ignored = 0;
  for (const item of items) {
    const id = noticeItem.safeParse(item).data?.endToEndId;
    if (id === undefined || (!kept.has(id) && kept.size >= mostItems)) ignored += 1;
    else if (!kept.has(id)) kept.set(id, { endToEndId: id, notice: storable(item) });
  }
  return { kept: [...kept.values()], ignored };
}

/** Without what PostgreSQL keeps in no jsonb: NUL, and halves of characters. */
function storable(item: unknown): unknown {
  const text = JSON.stringify(item).replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][\da-f]{2})/g, '$1');
  return JSON.parse(text);
}

function sameText(given: string, known: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(known);
  return a.length === b.length && timingSafeEqual(a, b);
}

function isFromBank({ config }: NoticeDeps, address: string, headers: Record<string, unknown>): boolean {
  const { webhookCidrs, webhookProofHeader } = config.psp;
  if (webhookProofHeader !== undefined) {
    const { name, value } = webhookProofHeader;
    if (!sameText(String(headers[name.toLowerCase()] ?? ''), value)) return false;
  }
  if (webhookCidrs.length === 0) return true;
  const from = ipaddr.process(address);
  return webhookCidrs.some((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return network.kind() === from.kind() && from.match(network, bits);
  });
}
