import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { createBatcher } from '../../batcher.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../refusal.ts';
import { type Hint, storeHints } from '../hints.ts';
import { type Notice, type NoticeSink, storeAndTakeNotices, storeNotices } from '../inbox.ts';
import { disputeItem, notice, ownKinds, payoutItem, receivedItem } from './payloads.ts';

const longestNoticeBytes = 1024 * 1024;
const mostItems = 1000;
/** At most this many requests have their notices stored together. */
const callsTogether = 64;
const writesAtOnce = 1;

/** The path for the bank's notices. Its secret is derived, so it is in no database and every process can compute it. */
export function noticePath({ config, secrets }: Pick<Deps, 'config' | 'secrets'>): string {
  return `/psp/${config.psp.name}/${secrets.derive('psp-path').toString('base64url')}`;
}

type NoticeDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>;
type Asked = { readonly Params: { readonly adapter: string; readonly secret: string } };

/**
 * Receives the bank's notices: store, respond, then process. A request with a wrong secret, or not from the bank, gets
 * NOT_FOUND before its body is read. Some banks call the registered address itself, without the `/pix` suffix for
 * notices. Concurrent requests are stored in one batch. `taker` processes stored notices at once; those it has no room
 * for are left to the sweep of due notices. Items about payouts and disputes become hints.
 */
export function mountNotices(app: FastifyInstance, deps: NoticeDeps, taker: NoticeSink): void {
  const path = noticePath(deps);
  const stored = createBatcher<Told, void>({
    most: callsTogether,
    atOnce: writesAtOnce,
    work: async (calls) => {
      const notices = calls.flatMap((call) => call.notices);
      const written = { db: deps.db, now: deps.clock.now() };
      await storeHints(
        written,
        calls.flatMap(({ hints }) => hints),
      );
      if (notices.length === 0) return calls.map(() => undefined);
      if (notices.length <= taker.room()) {
        taker.take(await storeAndTakeNotices(written, notices));
      } else {
        await storeNotices(written, notices);
        taker.wake();
      }
      return calls.map(() => undefined);
    },
  });
  const onRequest = async ({ params, ip, headers }: FastifyRequest<Asked>) => {
    const known = sameText(`/psp/${params.adapter}/${params.secret}`, path);
    if (!known || !isFromBank(deps, ip, headers)) throw new Refusal('NOT_FOUND');
  };
  const options = { bodyLimit: longestNoticeBytes, onRequest };
  const take = async ({ body, log }: FastifyRequest<Asked>, reply: FastifyReply) => {
    // Banks test the address with a request that contains no Pix.
    if (!tellsOfPix(body)) return reply.code(200).send();
    const read = notice.safeParse(body);
    if (!read.success) return reply.code(400).send();
    const { ignored, ...told } = readItems(read.data.pix);
    const kept = told.notices.length + told.hints.length;
    if (ignored > 0) log.warn({ ignored, kept }, 'items of a notice were ignored');
    if (kept > 0) await stored.add(told);
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

type Told = { readonly notices: readonly Notice[]; readonly hints: readonly Hint[] };

/**
 * Returns at most `mostItems` items, each id once; reconciliation finds any money that is left out. A Pix with returns
 * yields a notice as well as a hint, because it may not be booked yet.
 */
function readItems(items: readonly unknown[]): Told & { ignored: number } {
  const seen = new Set<string>();
  const notices = new Map<string, Notice>();
  const hints = new Map<string, Hint>();
  let ignored = 0;
  for (const item of items) {
    const { notice, hint } = readItem(item);
    const id = `${hint?.kind} ${hint?.reference ?? notice?.endToEndId}`;
    if ((notice ?? hint) === undefined || (!seen.has(id) && seen.size >= mostItems)) {
      ignored += 1;
      continue;
    }
    seen.add(id);
    if (hint !== undefined) hints.set(id, hint);
    if (notice !== undefined && !notices.has(notice.endToEndId)) notices.set(notice.endToEndId, notice);
  }
  return { notices: [...notices.values()], hints: [...hints.values()], ignored };
}

function readItem(item: unknown): { notice?: Notice; hint?: Hint } {
  if (ownKinds.safeParse(item).success) {
    const payout = payoutItem.safeParse(item).data;
    if (payout !== undefined) return { hint: { kind: 'payout', reference: payout.gnExtras.idEnvio } };
    const dispute = disputeItem.safeParse(item).data;
    return dispute === undefined ? {} : { hint: { kind: 'dispute', reference: dispute.endToEndId } };
  }
  const received = receivedItem.safeParse(item).data;
  if (received === undefined) return {};
  const { endToEndId, horario, devolucoes } = received;
  const claimedAt = horario === undefined ? undefined : new Date(horario);
  return {
    notice: { endToEndId, claimedAt, told: item },
    ...(Object.keys(devolucoes ?? {}).length > 0 && { hint: { kind: 'return', reference: endToEndId } }),
  };
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
