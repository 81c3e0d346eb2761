import { randomUUID } from 'node:crypto';
import { adminCloseItem, adminOpenItems, health } from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenAdmin, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { createSecrets } from '../secrets.ts';
import { closeItemManually } from './close-item.ts';
import { closeItem, type NewOpenItem, openItem } from './index.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  admin = await givenAdmin(gateway);
});
afterAll(() => gateway.stop());

const openInTransaction = (item: NewOpenItem) => inTransaction(gateway.deps, (tx) => openItem(tx, item));

async function listItems(query = ''): Promise<ReturnType<typeof adminOpenItems.response.parse>> {
  const response = await gateway.api('GET', `/admin/open-items${query}`, undefined, {
    token: admin.token,
  });
  return parseSuccess(adminOpenItems.response, response);
}

const closeByAdmin = (id: string, evidence = 'Conferido no extrato do banco.') =>
  gateway.api('POST', `/admin/open-items/${id}/close`, { evidence }, { token: admin.token });

async function readWarnings(): Promise<readonly string[]> {
  return parseSuccess(health.response, await gateway.api('GET', '/health').then(asHealthy)).warnings;
}

/** Without background work, health responds with an error that has the same body; this turns it into a success. */
function asHealthy<R extends { status: number; body: unknown }>(response: R): R {
  const { details } = (response.body as { error: { details: object } }).error;
  return { ...response, status: 200, body: { ...details, status: 'ok' } };
}

test('an item is open once per subject, with the latest detail, until it is closed', async () => {
  const reference = randomUUID();
  expect(
    await openInTransaction({
      kind: 'sent-differs',
      connectionId: HOUSE_CONNECTION,
      reference,
      detail: { amount_cents: 1 },
    }),
  ).toBe(true);
  expect(
    await openInTransaction({
      kind: 'sent-differs',
      connectionId: HOUSE_CONNECTION,
      reference,
      detail: { amount_cents: 2 },
    }),
  ).toBe(false);
  expect(
    await openInTransaction({
      kind: 'returned-differs',
      connectionId: HOUSE_CONNECTION,
      reference,
      detail: {},
    }),
  ).toBe(true);
  const items = (await listItems()).items.filter((item) => item.reference === reference);
  expect(items.map(({ kind, detail, user_id }) => ({ kind, detail, user_id }))).toEqual(
    expect.arrayContaining([
      { kind: 'sent-differs', detail: { amount_cents: 2 }, user_id: null },
      { kind: 'returned-differs', detail: {}, user_id: null },
    ]),
  );
  const closure = {
    kind: 'sent-differs',
    connectionId: HOUSE_CONNECTION,
    reference,
    evidence: 'The bank lists it now.',
  } as const;
  expect(await inTransaction(gateway.deps, (tx) => closeItem(tx, closure))).toBe(true);
  expect(await inTransaction(gateway.deps, (tx) => closeItem(tx, closure))).toBe(false);
  expect(
    await openInTransaction({ kind: 'sent-differs', connectionId: HOUSE_CONNECTION, reference, detail: {} }),
  ).toBe(true);
  const closed = (await listItems('?closed=true')).items.filter((item) => item.reference === reference);
  expect(closed).toMatchObject([{ evidence: 'The bank lists it now.', closed_at: expect.any(String) }]);
});

test('an item closed by an administrator reopens only with new details', async () => {
  const newItem = {
    kind: 'sent-differs',
    connectionId: HOUSE_CONNECTION,
    reference: randomUUID(),
    detail: { b: 1, a: [2] },
  } as const;
  await openInTransaction(newItem);
  const item = (await listItems()).items.find(({ reference }) => reference === newItem.reference);
  await closeByAdmin(item?.id ?? '');
  expect(await openInTransaction({ ...newItem, detail: { a: [2], b: 1 } })).toBe(false);
  expect((await listItems()).items.filter(({ reference }) => reference === newItem.reference)).toEqual([]);
  expect(await openInTransaction({ ...newItem, detail: { a: [3], b: 1 } })).toBe(true);
});

test('health reports open items', async () => {
  for (const { id } of (await listItems()).items) await closeByAdmin(id);
  expect(await readWarnings()).not.toContain('open-items');
  await openInTransaction({
    kind: 'sent-differs',
    connectionId: HOUSE_CONNECTION,
    reference: 'x',
    detail: {},
  });
  expect(await readWarnings()).toContain('open-items');
});

test('an administrator closes an item once, with evidence', async () => {
  const merchant = await givenMerchant(gateway, { admin });
  await openInTransaction({
    kind: 'sent-differs',
    connectionId: HOUSE_CONNECTION,
    reference: 'payout',
    merchantId: merchant.id,
    detail: { a: 1 },
  });
  const item = (await listItems()).items.find(({ reference }) => reference === 'payout');
  const id = item?.id ?? '';
  expect(item).toMatchObject({ user_id: String(merchant.id), detail: { a: 1 } });
  expect(await closeByAdmin(id, 'curto')).toMatchObject({
    status: 400,
    body: { error: { code: 'INVALID_BODY' } },
  });
  const closed = parseSuccess(
    adminCloseItem.response,
    await closeByAdmin(id, 'Pago pelo operador no aplicativo.'),
  );
  expect(closed).toMatchObject({ id, evidence: 'Pago pelo operador no aplicativo.' });
  expect(await closeByAdmin(id)).toMatchObject({ status: 409, body: { error: { code: 'ITEM_CLOSED' } } });
  expect(await closeByAdmin(randomUUID())).toMatchObject({ status: 404 });
  const { closed_by } = await gateway.deps.db
    .selectFrom('open_items')
    .select('closed_by')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(closed_by).toBe(admin.id);
  const entries = gateway.deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'subject_id', 'reason', 'before'])
    .where('action', '=', 'item closed')
    .where('subject_id', '=', merchant.id);
  expect(await entries.execute()).toEqual([
    {
      actor_id: admin.id,
      subject_id: merchant.id,
      reason: 'Pago pelo operador no aplicativo.',
      before: { item: id, kind: 'sent-differs', reference: 'payout' },
    },
  ]);
  const asMerchant = { token: merchant.token };
  expect(await gateway.api('GET', '/admin/open-items', undefined, asMerchant)).toMatchObject({ status: 403 });
});

describe('an item is not closed while the books still show', () => {
  let database: TestDatabase;
  let db: Db;
  let merchantId: number;
  let adminId: number;
  const now = new Date('2026-11-21T15:00:00Z');
  const secrets = createSecrets(Buffer.alloc(32, 7));
  const deps = () => ({
    db,
    clock: { now: () => now },
    secrets,
    config: gateway.deps.config,
  });
  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDb(createPool({ url: database.ownerUrl }));
    merchantId = await insertMerchant(db);
    adminId = await insertMerchant(db);
    await db.updateTable('users').set({ role: 'ADMIN' }).where('id', '=', adminId).execute();
    // The tests insert rows without the ledger entries that belong to them.
    await sql`alter table withdrawals disable trigger user`.execute(db);
    await sql`alter table refunds disable trigger user`.execute(db);
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
  });

  /** Opens an item, and returns its id. */
  async function givenItem(item: NewOpenItem): Promise<string> {
    await inTransaction(deps(), (tx) => openItem(tx, item));
    const { id } = await db
      .selectFrom('open_items')
      .select('id')
      .where('reference', '=', item.reference)
      .where('kind', '=', item.kind)
      .where('closed_at', 'is', null)
      .executeTakeFirstOrThrow();
    return id;
  }
  const closeManually = (id: string) =>
    closeItemManually(deps(), id, { evidence: 'Visto no banco.', closedBy: adminId });
  const refusal = (code: string) => expect.objectContaining({ code });

  test.each(['withdrawal-in-doubt', 'withdrawal-differs', 'payout-not-debited'] as const)(
    '%s',
    async (kind) => {
      const id = randomUUID();
      const rest = {
        origin: 'panel',
        key_type: 'email',
        pix_key: 'a@example.com',
        created_at: now,
        updated_at: now,
      };
      const cents = { amount_cents: 1000, fee_cents: 0 };
      const ids = { merchant_id: merchantId, id, id_envio: id, status: 'pending' };
      await db
        .insertInto('withdrawals')
        .values({ ...ids, ...cents, ...rest })
        .execute();
      const itemId = await givenItem({
        kind,
        connectionId: HOUSE_CONNECTION,
        reference: id,
        merchantId,
        detail: {},
      });
      const setStatus = (status: string) =>
        db.updateTable('withdrawals').set({ status }).where('id', '=', id).execute();
      await setStatus('processing');
      await expect(closeManually(itemId)).rejects.toEqual(refusal('ITEM_STANDS'));
      await setStatus('failed');
      await expect(closeManually(itemId)).resolves.toMatchObject({ id: itemId });
    },
  );

  test('a refund in doubt', async () => {
    const id = randomUUID();
    const refund = {
      merchant_id: 0,
      id,
      end_to_end_id: `E${id}`,
      bank_refund_id: id,
      origin: 'panel',
    };
    const rest = { status: 'processing', amount_cents: 1000, created_at: now, updated_at: now };
    await db
      .insertInto('refunds')
      .values({ ...refund, ...rest })
      .execute();
    const itemId = await givenItem({
      kind: 'refund-in-doubt',
      connectionId: HOUSE_CONNECTION,
      reference: id,
      detail: {},
    });
    await expect(closeManually(itemId)).rejects.toEqual(refusal('ITEM_STANDS'));
    await db
      .updateTable('refunds')
      .set({ status: 'completed', completed_at: now })
      .where('id', '=', id)
      .execute();
    await expect(closeManually(itemId)).resolves.toMatchObject({ id: itemId });
  });

  test('a Pix in the bank’s list that is missing in the books, and a low bank balance', async () => {
    const missingPixItem = await givenItem({
      kind: 'received-differs',
      connectionId: HOUSE_CONNECTION,
      reference: 'E-1',
      detail: { differs: 'missing' },
    });
    const amountItem = await givenItem({
      kind: 'received-differs',
      connectionId: HOUSE_CONNECTION,
      reference: 'E-2',
      detail: { differs: 'amount' },
    });
    const lowBalanceItem = await givenItem({
      kind: 'bank-balance-low',
      connectionId: HOUSE_CONNECTION,
      reference: 'account',
      detail: {},
    });
    const poll = { read_at: now, balance_cents: 1, needed_cents: 2, below_since: now };
    await db.insertInto('bank_balance').values(poll).execute();
    await expect(closeManually(missingPixItem)).rejects.toEqual(refusal('ITEM_STANDS'));
    await expect(closeManually(amountItem)).resolves.toMatchObject({ id: amountItem });
    await expect(closeManually(lowBalanceItem)).rejects.toEqual(refusal('ITEM_STANDS'));
    await db.updateTable('bank_balance').set({ below_since: null }).execute();
    await expect(closeManually(lowBalanceItem)).resolves.toMatchObject({ id: lowBalanceItem });
  });
});
