import { randomUUID } from 'node:crypto';
import { getEvent, listEvents } from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { readDataDirectory, stampDatabase } from '../gateway/index.ts';
import { emitPaymentEvents, emitWithdrawalEvent, pruneWebhooks } from './index.ts';

let gateway: TestGateway;
let owner: GivenMerchant;
let other: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  const admin = await givenAdmin(gateway);
  [owner, other] = await Promise.all([givenMerchant(gateway, { admin }), givenMerchant(gateway, { admin })]);
});
afterAll(() => gateway.stop());

const emit = (
  tx: Tx,
  merchantId: number,
  chargeId: string = randomUUID(),
  status: 'paid' | 'expired' = 'paid',
) =>
  emitPaymentEvents(tx, [
    {
      type: `payment.${status}`,
      merchantId,
      chargeId,
      callbackUrl: null,
      status,
      amountCents: 2590,
      createdAt: tx.now,
    },
  ]).then(() => `evt_${chargeId.replaceAll('-', '')}_${status}`);
const emitOne = (merchantId: number, status?: 'paid' | 'expired') =>
  inTransaction(gateway.deps, (tx) => emit(tx, merchantId, randomUUID(), status));

async function page(query: Record<string, string | number> = {}, { apiKey }: GivenMerchant = owner) {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return parseSuccess(
    listEvents.response,
    await gateway.api('GET', `/events?${search}`, undefined, { apiKey }),
  );
}

/** All events after a cursor, read page by page. */
async function readOn(after: string | undefined, limit = 7, whose = owner) {
  const ids: string[] = [];
  for (let next = after; ; ) {
    const { data, has_more, next: last } = await page({ limit, ...(next && { after: next }) }, whose);
    ids.push(...data.map(({ id }) => id));
    next = last ?? undefined;
    if (!has_more) return { ids, next };
  }
}
/** Waits for events held back by other transactions on the same server. */
const shown = (id: string, whose = owner) =>
  expect.poll(async () => (await readOn(undefined, 100, whose)).ids).toContain(id);

test('the feed contains a merchant’s events, with or without a receiver', async () => {
  const id = await emitOne(owner.id);
  const withdrawalId = randomUUID();
  await inTransaction(gateway.deps, (tx) =>
    emitWithdrawalEvent(tx, {
      merchantId: owner.id,
      withdrawalId,
      callbackUrl: null,
      status: 'PENDING',
      amountCents: 5000,
      feeCents: 150,
      createdAt: tx.now,
    }),
  );
  await shown(`evt_${withdrawalId.replaceAll('-', '')}_pending`);
  const { data } = await page();
  expect(data.map(({ type }) => type)).toEqual(['payment.paid', 'withdrawal.pending']);
  expect(data[0]).toMatchObject({ id, data: { type: 'payment.paid', status: 'paid', amount: 25.9 } });
  expect(data[1]?.data).toMatchObject({ withdrawalId, status: 'PENDING', amount: 5000, fee: 150 });
  const one = await gateway.api('GET', `/events/${id}`, undefined, { apiKey: owner.apiKey });
  expect(parseSuccess(getEvent.response, one)).toEqual(data[0]);
  expect((await page({}, other)).data).toEqual([]);
  const foreign = await gateway.api('GET', `/events/${id}`, undefined, { apiKey: other.apiKey });
  expect(foreign).toMatchObject({ status: 404, body: { error: { code: 'EVENT_NOT_FOUND' } } });
});

test('a transaction that began first and ends last leaves no gap behind a reader’s cursor', async () => {
  const { next: before } = await readOn(undefined);
  const [began, mayEnd] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const slow = inTransaction(gateway.deps, async (tx) => {
    began.resolve(await emit(tx, owner.id));
    await mayEnd.promise;
  });
  const first = await began.promise;
  const second = await emitOne(owner.id);
  // The second event is committed and ordered after the first, so it is held back until the first transaction ends.
  const early = await readOn(before);
  expect(early.ids).toEqual([]);
  mayEnd.resolve();
  await slow;
  await shown(second);
  expect((await readOn(early.next ?? before)).ids).toEqual([first, second]);
});

test('paging readers get every event of many concurrent writers once, in one order', async () => {
  const { next: start } = await readOn(undefined);
  const written = new Set<string>();
  let isWriting = true;
  const write = async () => {
    for (let count = 0; count < 15; count += 1) {
      const ids = await inTransaction(gateway.deps, async (tx) => {
        const one = await emit(tx, owner.id);
        // Some end late, some at once, and some write twice.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
        return count % 3 === 0 ? [one, await emit(tx, owner.id)] : [one];
      });
      for (const id of ids) written.add(id);
    }
  };
  const follow = async (limit: number) => {
    const ids: string[] = [];
    let next = start;
    // Waits for events held back, but not forever for events that were skipped.
    for (let [isLast, quiet] = [false, 0]; !isLast && quiet < 300; ) {
      isLast = !isWriting && ids.length >= written.size;
      quiet = isWriting ? 0 : quiet + 1;
      const more = await readOn(next, limit);
      ids.push(...more.ids);
      next = more.next;
    }
    return ids;
  };
  const readers = [follow(1), follow(4), follow(100)];
  await Promise.all(Array.from({ length: 6 }, write));
  isWriting = false;
  const [all, ...others] = await Promise.all(readers);
  expect(new Set(all)).toEqual(written);
  expect(all).toHaveLength(written.size);
  for (const one of others) expect(one).toEqual(all);
});

test('a rolled back event is never in the feed, and the feed continues without it', async () => {
  const { next } = await readOn(undefined);
  const broken = inTransaction(gateway.deps, async (tx) => {
    await emit(tx, owner.id);
    throw new Error('rolled back');
  });
  await expect(broken).rejects.toThrow('rolled back');
  const id = await emitOne(owner.id);
  await shown(id);
  expect((await readOn(next)).ids).toEqual([id]);
});

test('the feed filters by type, and the cursor moves past other types', async () => {
  const expired = await emitOne(other.id, 'expired');
  const paid = [await emitOne(other.id), await emitOne(other.id), await emitOne(other.id)];
  await shown(paid[2] ?? '', other);
  const only = await page({ type: 'payment.expired' }, other);
  expect(only.data.map(({ id }) => id)).toEqual([expired]);
  expect(only).toMatchObject({ has_more: false, next: paid[2] });
  const first = await page({ type: 'payment.paid', limit: 2 }, other);
  expect(first).toMatchObject({ has_more: true, next: paid[1] });
  const last = await page({ type: 'payment.paid', limit: 2, after: first.next ?? '' }, other);
  expect(last).toMatchObject({ data: [{ id: paid[2] }], has_more: false, next: paid[2] });
  expect(await page({ after: paid[2] ?? '' }, other)).toEqual({ data: [], has_more: false, next: paid[2] });
});

test('a rare type is searched in parts, each with the cursor of the next', async () => {
  const busy = await givenMerchant(gateway);
  await sql`
      insert into events (merchant_id, subject_id, id, type, body, created_at, epoch)
      select ${busy.id}, subject, 'evt_' || replace(subject::text, '-', '') || '_expired', 'payment.expired', '{}',
             now(), coalesce((select feed_epoch from gateway), 1)
      from (select gen_random_uuid() as subject from generate_series(1, 5001)) made
    `.execute(gateway.deps.db);
  const rare = await emitOne(busy.id);
  const last = await emitOne(busy.id, 'expired');
  await expect.poll(async () => (await page({ after: rare }, busy)).next).toBe(last);
  const query = { type: 'payment.paid', limit: 2 } as const;
  const empty = await page(query, busy);
  expect(empty).toMatchObject({ data: [], has_more: true, next: expect.stringMatching(/^evt_/) });
  const found = await page({ ...query, after: empty.next ?? '' }, busy);
  expect(found).toMatchObject({ data: [{ id: rare }], has_more: false, next: last });
});

test('an unknown cursor, or another merchant’s, is refused with its own code', async () => {
  const foreign = (await readOn(undefined)).ids[0] ?? '';
  for (const after of [foreign, `evt_${'0'.repeat(32)}_paid`, 'x']) {
    const answer = await gateway.api('GET', `/events?after=${after}`, undefined, { apiKey: other.apiKey });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'EVENT_CURSOR_UNKNOWN' } } });
  }
});

test('the database refuses a second event of the same change', async () => {
  const chargeId = randomUUID();
  await inTransaction(gateway.deps, (tx) => emit(tx, owner.id, chargeId));
  await expect(inTransaction(gateway.deps, (tx) => emit(tx, owner.id, chargeId))).rejects.toThrow(
    'duplicate key',
  );
});

test('in a database copied to another server the feed continues after the copied events', async () => {
  const last = await emitOne(owner.id);
  await shown(last);
  const { ids: before, next } = await readOn(undefined, 100);
  const { db } = gateway.deps;
  // Simulates the old server, whose transaction ids are far ahead.
  await sql`update events set tx = (9000000000000000000 + tx::text::bigint)::text::xid8 where merchant_id = ${owner.id}`.execute(
    db,
  );
  await db.updateTable('gateway').set({ server: 'another' }).execute();
  const stamp = async () =>
    stampDatabase({ ...gateway.deps, dataDirectory: await readDataDirectory(gateway.database.ownerUrl) });
  const epoch = async () =>
    (await db.selectFrom('gateway').select('feed_epoch').executeTakeFirstOrThrow()).feed_epoch;
  const [was] = [await epoch(), await stamp()];
  await stamp();
  expect(await epoch()).toBe(was + 1);
  const fresh = await emitOne(owner.id);
  await shown(fresh);
  expect((await readOn(undefined, 100)).ids).toEqual([...before, fresh]);
  expect((await readOn(next)).ids).toEqual([fresh]);
});

test('an event is kept for 30 days and deleted soon after', async () => {
  const id = await emitOne(other.id);
  const status = async () =>
    (await gateway.api('GET', `/events/${id}`, undefined, { apiKey: other.apiKey })).status;
  await gateway.advance(30 * 86_400);
  await pruneWebhooks(gateway.deps);
  expect(await status()).toBe(200);
  await gateway.advance(5 * 86_400);
  await pruneWebhooks(gateway.deps);
  expect(await status()).toBe(404);
});
