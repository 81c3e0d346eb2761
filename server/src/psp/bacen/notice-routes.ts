import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { createBatcher } from '../../batcher.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../refusal.ts';
import { type Hint, storeHints } from '../hints.ts';
import { type Notice, type NoticeSink, storeAndLeaseNotices, storeNotices } from '../inbox.ts';
import { disputeItem, efiItem, notice, payoutItem, receivedItem } from './payloads.ts';

const maxNoticeBytes = 1024 * 1024;
/** Of one request, at most this many items about different subjects are read. */
const maxItems = 1000;
/** The notices of at most this many requests are stored together. */
const maxRequestsPerWrite = 64;
const maxConcurrentWrites = 1;

/**
 * The path to which the bank sends notices. It ends with a secret that is derived from the gateway's key, so the secret
 * is in no database and every process can compute it.
 */
export function noticePath({ config, secrets }: Pick<Deps, 'config' | 'secrets'>): string {
  return `/psp/${config.psp.name}/${secrets.derive('psp-path').toString('base64url')}`;
}

type NoticeDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>;
type NoticeRequest = { readonly Params: { readonly adapter: string; readonly secret: string } };

/**
 * Receives the bank's notices (its callbacks that a Pix was paid). Items about payouts, returns and disputes become
 * hints: references to look up at the bank.
 *
 * Notices are stored before the bank gets its response. Concurrent requests are stored in one batch. `sink` then
 * processes the stored notices; if it has no capacity for a batch, the next sweep of due notices takes them.
 *
 * A request that has a wrong secret or does not come from the bank gets NOT_FOUND before its body is read. API Pix
 * appends `/pix` to the registered URL for notices, but some banks call the URL as it is, so both are routes.
 */
export function mountNotices(app: FastifyInstance, deps: NoticeDeps, sink: NoticeSink): void {
  const path = noticePath(deps);
  const storage = createBatcher<NoticeItems, void>({
    maxBatchSize: maxRequestsPerWrite,
    maxConcurrentRuns: maxConcurrentWrites,
    work: async (requests) => {
      const notices = requests.flatMap((request) => request.notices);
      const writer = { db: deps.db, now: deps.clock.now() };
      await storeHints(
        writer,
        requests.flatMap(({ hints }) => hints),
      );
      if (notices.length === 0) return requests.map(() => undefined);
      if (notices.length <= sink.freeCapacity()) {
        sink.take(await storeAndLeaseNotices(writer, notices));
      } else {
        await storeNotices(writer, notices);
        sink.wake();
      }
      return requests.map(() => undefined);
    },
  });
  const onRequest = async ({ params, ip, headers }: FastifyRequest<NoticeRequest>) => {
    const isOurPath = isSameText(`/psp/${params.adapter}/${params.secret}`, path);
    if (!isOurPath || !isFromBank(deps, ip, headers)) throw new Refusal('NOT_FOUND');
  };
  const options = { bodyLimit: maxNoticeBytes, onRequest };
  const handleNotice = async ({ body, log }: FastifyRequest<NoticeRequest>, reply: FastifyReply) => {
    // Banks test the URL with a request that contains no Pix.
    if (!mayContainPix(body)) return reply.code(200).send();
    const payload = notice.safeParse(body);
    if (!payload.success) return reply.code(400).send();
    const { ignoredCount, ...items } = readItems(payload.data.pix);
    const keptCount = items.notices.length + items.hints.length;
    if (ignoredCount > 0)
      log.warn({ ignored: ignoredCount, kept: keptCount }, 'items of a notice were ignored');
    if (keptCount > 0) await storage.add(items);
    return reply.code(200).send();
  };
  app.post<NoticeRequest>('/psp/:adapter/:secret', options, handleNotice);
  app.post<NoticeRequest>('/psp/:adapter/:secret/pix', options, handleNotice);
}

/** False for an empty body and for an object without `pix`. Other malformed bodies are refused later, by the schema. */
function mayContainPix(body: unknown): boolean {
  if (typeof body !== 'object') return body !== undefined;
  return body !== null && (Array.isArray(body) || 'pix' in body);
}

type NoticeItems = { readonly notices: readonly Notice[]; readonly hints: readonly Hint[] };

/**
 * Returns the notices and hints in a request: each subject once, and at most `maxItems` subjects. Reconciliation finds
 * any money that is left out here. A Pix with returns yields both a notice and a hint, because the Pix itself may not
 * be booked yet.
 */
function readItems(items: readonly unknown[]): NoticeItems & { ignoredCount: number } {
  const seenSubjects = new Set<string>();
  const notices = new Map<string, Notice>();
  const hints = new Map<string, Hint>();
  let ignoredCount = 0;
  for (const item of items) {
    const { notice, hint } = readItem(item);
    const subject = `${hint?.kind} ${hint?.reference ?? notice?.endToEndId}`;
    const isTooMany = !seenSubjects.has(subject) && seenSubjects.size >= maxItems;
    if ((notice ?? hint) === undefined || isTooMany) {
      ignoredCount += 1;
      continue;
    }
    seenSubjects.add(subject);
    if (hint !== undefined) hints.set(subject, hint);
    if (notice !== undefined && !notices.has(notice.endToEndId)) notices.set(notice.endToEndId, notice);
  }
  return { notices: [...notices.values()], hints: [...hints.values()], ignoredCount };
}

/** Returns neither a notice nor a hint if the item is malformed. */
function readItem(item: unknown): { notice?: Notice; hint?: Hint } {
  if (efiItem.safeParse(item).success) {
    const payout = payoutItem.safeParse(item).data;
    if (payout !== undefined) return { hint: { kind: 'payout', reference: payout.gnExtras.idEnvio } };
    const dispute = disputeItem.safeParse(item).data;
    return dispute === undefined ? {} : { hint: { kind: 'dispute', reference: dispute.endToEndId } };
  }
  const pix = receivedItem.safeParse(item).data;
  if (pix === undefined) return {};
  const { endToEndId, horario, devolucoes } = pix;
  const claimedAt = horario === undefined ? undefined : new Date(horario);
  return {
    notice: { endToEndId, claimedAt, told: item },
    ...(Object.keys(devolucoes ?? {}).length > 0 && { hint: { kind: 'return', reference: endToEndId } }),
  };
}

/** Compares in constant time, so that response times do not reveal a secret. */
function isSameText(received: string, expected: string): boolean {
  const [receivedBytes, expectedBytes] = [Buffer.from(received), Buffer.from(expected)];
  return receivedBytes.length === expectedBytes.length && timingSafeEqual(receivedBytes, expectedBytes);
}

/** Checks a request's proof header and its address. Each of the two counts only if the operator has configured it. */
function isFromBank({ config }: NoticeDeps, address: string, headers: Record<string, unknown>): boolean {
  const { webhookCidrs, webhookProofHeader } = config.psp;
  if (webhookProofHeader !== undefined) {
    const { name, value } = webhookProofHeader;
    if (!isSameText(String(headers[name.toLowerCase()] ?? ''), value)) return false;
  }
  if (webhookCidrs.length === 0) return true;
  const sender = ipaddr.process(address);
  return webhookCidrs.some((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return network.kind() === sender.kind() && sender.match(network, bits);
  });
}
