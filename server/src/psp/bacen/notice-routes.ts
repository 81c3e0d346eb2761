import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type * as z from 'zod/mini';
import { createBatcher } from '../../batcher.ts';
import { addMs } from '../../clock.ts';
import type { Deps } from '../../deps.ts';
import { RateLimit, type RateLimitVerdict } from '../../http/rate-limit.ts';
import { Refusal } from '../../refusal.ts';
import type { Secrets } from '../../secrets.ts';
import { type AtBank, type CallbackProof, type ConnectedBank, HOUSE_CONNECTION } from '../bank.ts';
import { type Hint, storeHints } from '../hints.ts';
import { type InboxRoom, type Notice, type NoticeSink, storeNotices, takeInboxRoom } from '../inbox.ts';
import { expectAt } from '../looks.ts';
import { disputeItem, efiItem, noticeBody, payoutItem, receivedItem } from './payloads.ts';
import { cobrItem, recItem } from './recurring-payloads.ts';

const maxBodyBytes = 1024 * 1024;
/**
 * Of one request, at most this many subjects are read. A subject is a payment, the returns of a payment, a payout, a
 * dispute, a mandate or a debit. Several items may be about one subject.
 */
const maxSubjects = 1000;
/**
 * What the bank of one merchant's own account may send to this process in a minute: it must not fill the database, nor
 * keep the notices of others waiting. Reconciliation finds the money that it then reports in vain.
 */
const ownRequestsPerMinute = 1000;
const ownSubjectsPerMinute = 2000;
/** When such a bank may try again, if too many of its notices wait. */
const fullInboxSeconds = 300;
/** An item of such a bank is kept only if it is no longer than this. Usual ones are much shorter. */
const maxOwnItemLength = 2000;
/** At most this many requests are stored together. */
const maxRequestsPerWrite = 64;
/** With a single write at a time, the requests that arrive during it are stored together by the next. */
const maxConcurrentWrites = 1;
/** After a notice, its account is looked at often for this long. */
const expectedAfterNoticeMs = 3_600_000;

/**
 * The path to which the bank of a connection sends notices. It ends with a secret that is derived from the gateway's
 * key, so the secret is in no database and every process can compute it.
 */
export function noticePath({
  secrets,
  connection,
  callbacks,
}: Pick<AtBank, 'secrets' | 'connection' | 'callbacks'>): string {
  return pathOf(secrets, callbacks.adapter, connection.id);
}

function pathOf(secrets: Secrets, adapter: string, connectionId: number): string {
  const secretOf = (secret: Buffer) => secret.toString('base64url');
  if (connectionId === HOUSE_CONNECTION) return `/psp/${adapter}/${secretOf(secrets.derive('psp-path'))}`;
  return `/psp/${adapter}/${connectionId}/${secretOf(secrets.hash('psp-path', String(connectionId)))}`;
}

/**
 * The account of a merchant's own for which this gateway made a URL for notices, whether the account is in use or not;
 * undefined for any other URL.
 */
export function ownAccountOf({ secrets }: Pick<Deps, 'secrets'>, url: string): number | undefined {
  const [path, adapter = '', id = ''] = /\/psp\/([^/]+)\/([1-9]\d{0,8})\/[^/]+$/.exec(url) ?? [];
  if (path === undefined || Number(id) === HOUSE_CONNECTION) return undefined;
  return isSameText(path, pathOf(secrets, adapter, Number(id))) ? Number(id) : undefined;
}

type NoticeDeps = Pick<Deps, 'db' | 'clock' | 'banks' | 'secrets'> & {
  readonly config: Pick<Deps['config'], 'rateLimit'>;
};
type NoticeRequest = {
  readonly Params: { readonly adapter: string; readonly connection?: string; readonly secret: string };
};

/**
 * Receives the bank's requests, which hold items. An item about a received Pix becomes a notice; one about a payout,
 * return, dispute, mandate or debit becomes a hint: a reference to look up at the bank.
 *
 * Both are stored before the bank gets its response. Concurrent requests are stored in one batch. `sink` then processes
 * the stored notices; if it has no capacity for those of a connection, a sweep of due notices takes them.
 *
 * A request that has a wrong secret or does not come from the bank gets NOT_FOUND before its body is read. API Pix
 * appends `/pix`, `/rec` or `/cobr` to the registered URL for notices, but some banks call the URL as it is, so all are
 * routes, and what a request holds is told by its content. The path
 * tells of which connection the request speaks: what it says is looked up at the bank of that connection only.
 * `isMeant` tells whether the notices of a bank may arrive at this server.
 */
export function mountNotices(
  app: FastifyInstance,
  deps: NoticeDeps,
  sink: NoticeSink,
  isMeant: (callbacks: ConnectedBank['callbacks']) => boolean = () => true,
): void {
  const room: InboxRoom = new Map();
  const storage = createBatcher<StorableRequest, StorageResult>({
    maxBatchSize: maxRequestsPerWrite,
    maxConcurrentRuns: maxConcurrentWrites,
    work: (requests) => storeTogether(deps, { sink, room }, requests),
  });
  // An operator who limits no caller limits no bank either.
  const isLimited = deps.config.rateLimit > 0;
  const ownRequests = new RateLimit(isLimited ? ownRequestsPerMinute : 0);
  const ownSubjects = new RateLimit(isLimited ? ownSubjectsPerMinute : 0);
  const onRequest = async ({ params, ip, headers }: FastifyRequest<NoticeRequest>) => {
    const bank = deps.banks.find(connectionIdOf(params));
    const { adapter, connection, secret } = params;
    const path = ['/psp', adapter, ...(connection === undefined ? [] : [connection]), secret].join('/');
    // An account that is not in use yet has a URL already, which its bank may test when it is registered.
    const isUnused = bank === undefined && ownAccountOf(deps, path) !== undefined;
    const isOurPath = bank !== undefined && isSameText(path, noticePath({ ...deps, ...bank }));
    const isAccepted = isOurPath && isMeant(bank.callbacks) && isFromBank(bank.callbacks, ip, headers);
    if (!isAccepted && !isUnused) throw new Refusal('NOT_FOUND');
    if (connection !== undefined) refuseExcess(ownRequests.take(connection));
  };
  const options = { bodyLimit: maxBodyBytes, onRequest };
  const handleRequest = async ({ body, params, log }: FastifyRequest<NoticeRequest>, reply: FastifyReply) => {
    if (isUrlTest(body)) return reply.code(200).send();
    if (deps.banks.find(connectionIdOf(params)) === undefined) throw new Refusal('NOT_FOUND');
    const parsed = noticeBody.safeParse(body);
    if (!parsed.success) return reply.code(400).send();
    const connectionId = connectionIdOf(params);
    const { ignoredCount, ...noticesAndHints } = readItems(parsed.data, connectionId);
    const keptCount = noticesAndHints.notices.length + noticesAndHints.hints.length;
    if (ignoredCount > 0)
      log.warn({ ignored: ignoredCount, kept: keptCount }, 'items of a notice were ignored');
    if (connectionId !== HOUSE_CONNECTION)
      refuseExcess(ownSubjects.take(String(connectionId), undefined, keptCount));
    if (keptCount > 0 && (await storage.add({ ...noticesAndHints, connectionId })) === 'full')
      throw new Refusal('RATE_LIMITED', { retryAfterSeconds: fullInboxSeconds });
    return reply.code(200).send();
  };
  for (const path of ['/psp/:adapter/:secret', '/psp/:adapter/:connection/:secret'])
    for (const suffix of ['', '/pix', '/rec', '/cobr'])
      app.post<NoticeRequest>(path + suffix, options, handleRequest);
}

function refuseExcess({ allowed, resetSeconds }: RateLimitVerdict): void {
  if (!allowed) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: resetSeconds });
}

function connectionIdOf({ connection }: NoticeRequest['Params']): number {
  return connection === undefined ? HOUSE_CONNECTION : Number(connection);
}

/** What one request of the bank contains. */
type NoticesAndHints = { readonly notices: readonly Notice[]; readonly hints: readonly Hint[] };
type StorableRequest = NoticesAndHints & { readonly connectionId: number };

/** `full`: nothing was stored, because too many notices of the connection wait. */
type StorageResult = 'stored' | 'full';

/**
 * Stores what several requests contain, of all connections together. The sink takes the notices of a connection if it
 * has capacity for all of them.
 */
async function storeTogether(
  deps: NoticeDeps,
  { sink, room }: { readonly sink: NoticeSink; readonly room: InboxRoom },
  requests: readonly StorableRequest[],
): Promise<StorageResult[]> {
  const { db, clock } = deps;
  const writer = { db, now: clock.now() };
  const own = requests.filter(({ connectionId }) => connectionId !== HOUSE_CONNECTION);
  const wanted = new Map<number, number>();
  for (const { connectionId, notices } of own)
    wanted.set(connectionId, (wanted.get(connectionId) ?? 0) + notices.length);
  const fullIds = await takeInboxRoom(writer, room, wanted);
  const kept = requests.filter(({ connectionId }) => !fullIds.has(connectionId));
  const byConnection = [...Map.groupBy(kept, ({ connectionId }) => connectionId)];
  for (const [connectionId, ofConnection] of byConnection) {
    const hints = ofConnection.flatMap((request) => request.hints);
    await storeHints(writer, connectionId, hints);
  }
  const notices = byConnection
    .map(([connectionId, ofConnection]) => {
      const ofAll = ofConnection.flatMap((request) => request.notices);
      return { connectionId, notices: ofAll, isLeased: ofAll.length <= sink.freeCapacity(connectionId) };
    })
    .filter((ofConnection) => ofConnection.notices.length > 0);
  // Where one payment arrived, others may that no notice reports. The payment of a debit may be reported only as such.
  const connectionIds = byConnection
    .filter(([, ofConnection]) =>
      ofConnection.some(
        (request) => request.notices.length > 0 || request.hints.some(({ kind }) => kind === 'debit'),
      ),
    )
    .map(([connectionId]) => connectionId);
  await expectAt(deps, connectionIds, ['received', 'disputes'], addMs(writer.now, expectedAfterNoticeMs));
  if (notices.length > 0) sink.take(await storeNotices(writer, notices));
  return requests.map(({ connectionId }) => (fullIds.has(connectionId) ? 'full' : 'stored'));
}

/**
 * Returns whether the bank only tests the URL: with an empty body, or with an object without any list that we read. Any
 * other body is malformed if what should be a list is none, and is refused by the schema.
 */
function isUrlTest(body: unknown): boolean {
  if (body === undefined || body === null) return true;
  return (
    typeof body === 'object' && !Array.isArray(body) && !['pix', 'recs', 'cobsr'].some((name) => name in body)
  );
}

/**
 * Returns the notices and hints in a request: each subject once, and at most `maxSubjects` subjects. Reconciliation
 * finds any money that is left out here. `ignoredCount` counts malformed items, and those above the maximum.
 */
function readItems(
  { pix, recs, cobsr }: z.output<typeof noticeBody>,
  connectionId: number,
): NoticesAndHints & { ignoredCount: number } {
  const seenKeys = new Set<string>();
  const notices = new Map<string, Notice>();
  const hints: Hint[] = [];
  let ignoredCount = 0;
  const contents = [
    ...pix.map((item) => readItem(item, connectionId)),
    ...recs.map(readMandateItem),
    ...cobsr.map(readDebitItem),
  ];
  for (const content of contents) {
    if (content === undefined) {
      ignoredCount += 1;
      continue;
    }
    const key = subjectKeyOf(content);
    if (seenKeys.has(key)) continue;
    if (seenKeys.size >= maxSubjects) {
      ignoredCount += 1;
      continue;
    }
    seenKeys.add(key);
    const { notice, hint } = content;
    if (hint !== undefined) hints.push(hint);
    // An item with returns and one without have different keys but the same notice.
    if (notice !== undefined && !notices.has(notice.endToEndId)) notices.set(notice.endToEndId, notice);
  }
  return { notices: [...notices.values()], hints, ignoredCount };
}

/** What one item contains: a notice, a notice and a hint about the returns of the same Pix, or only a hint. */
type ItemContent =
  | { readonly notice: Notice; readonly hint?: undefined }
  | { readonly notice: Notice; readonly hint: Hint }
  | { readonly notice?: undefined; readonly hint: Hint };

function subjectKeyOf({ notice, hint }: ItemContent): string {
  return hint === undefined ? `payment ${notice.endToEndId}` : `${hint.kind} ${hint.reference}`;
}

/**
 * Returns undefined if the item is malformed. Efí also sends items about payouts and disputes to the URL for notices,
 * in its own format.
 */
function readItem(item: unknown, connectionId: number): ItemContent | undefined {
  return efiItem.safeParse(item).success ? readEfiItem(item) : readReceivedItem(item, connectionId);
}

function readEfiItem(item: unknown): ItemContent | undefined {
  const payout = payoutItem.safeParse(item).data;
  if (payout !== undefined) return { hint: { kind: 'payout', reference: payout.gnExtras.idEnvio } };
  const dispute = disputeItem.safeParse(item).data;
  return dispute && { hint: { kind: 'dispute', reference: dispute.endToEndId } };
}

function readMandateItem(item: unknown): ItemContent | undefined {
  const rec = recItem.safeParse(item).data;
  return rec && { hint: { kind: 'mandate', reference: rec.idRec } };
}

function readDebitItem(item: unknown): ItemContent | undefined {
  const cobr = cobrItem.safeParse(item).data;
  return cobr && { hint: { kind: 'debit', reference: cobr.txid } };
}

/** A Pix with returns yields both a notice and a hint, because the Pix itself may not be booked yet. */
function readReceivedItem(item: unknown, connectionId: number): ItemContent | undefined {
  const pix = receivedItem.safeParse(item).data;
  if (pix === undefined) return undefined;
  const { endToEndId, horario, devolucoes } = pix;
  // Both are the bank's unverified word: `claimedAt` only helps to find the Pix at the bank, `told` is only kept.
  const claimedAt = horario === undefined ? undefined : new Date(horario);
  const isKept = connectionId === HOUSE_CONNECTION || JSON.stringify(item).length <= maxOwnItemLength;
  const notice: Notice = { endToEndId, claimedAt, told: isKept ? item : null };
  const hasReturns = Object.keys(devolucoes ?? {}).length > 0;
  return hasReturns ? { notice, hint: { kind: 'return', reference: endToEndId } } : { notice };
}

/** Compares in constant time, so that response times do not reveal a secret. */
function isSameText(received: string, expected: string): boolean {
  const [receivedBytes, expectedBytes] = [Buffer.from(received), Buffer.from(expected)];
  return receivedBytes.length === expectedBytes.length && timingSafeEqual(receivedBytes, expectedBytes);
}

/**
 * Checks a request's address, and its proof header: by it the operator's proxy says that it verified the bank's
 * certificate. Each of the two is checked only if the operator has configured it.
 */
function isFromBank(
  { webhookCidrs, webhookProofHeader }: CallbackProof,
  address: string,
  headers: Record<string, unknown>,
): boolean {
  if (webhookProofHeader !== undefined) {
    const { name, value } = webhookProofHeader;
    if (!isSameText(String(headers[name.toLowerCase()] ?? ''), value)) return false;
  }
  if (webhookCidrs.length === 0) return true;
  // `process` also turns an IPv4 address in IPv6 notation (`::ffff:…`) into a plain IPv4 address.
  const sender = ipaddr.process(address);
  return webhookCidrs.some((cidr) => {
    const [network, prefixLength] = ipaddr.parseCIDR(cidr);
    return network.kind() === sender.kind() && sender.match(network, prefixLength);
  });
}
