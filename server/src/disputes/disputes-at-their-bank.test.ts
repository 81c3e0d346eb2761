import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { secondConnection, startSecondBank, type TwoBanks } from '../../test/second-bank.ts';
import { readBalances } from '../ledger/index.ts';
import {
  type AtBank,
  type BankDispute,
  type BankDisputes,
  createBanks,
  HOUSE_CONNECTION,
  storeHints,
} from '../psp/index.ts';
import { defendDispute } from './defend-dispute.ts';
import { toDisputeDetail } from './dispute-response.ts';
import { pollDisputes, rereadDisputeList } from './poll-disputes.ts';
import { processDueDisputes } from './process-due-disputes.ts';
import { findDispute } from './store.ts';

// The gateway speaks for two accounts at two banks: the operator's own, and a second one.

let gateway: TestGateway;
let two: TwoBanks;
let merchantId: number;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  two = await startSecondBank(gateway);
  merchantId = await insertMerchant(gateway.deps.db);
  await two.openBooks(merchantId);
});
afterAll(async () => {
  await two.stop();
  await gateway.stop();
});

/** A dispute of R$ 25, as the test has a bank tell of it. */
function disputeOf(endToEndId: string, disputeId: string = randomUUID()): BankDispute {
  const openedAt = gateway.deps.clock.now();
  const deadlineAt = new Date(openedAt.getTime() + 7 * 86_400_000);
  return {
    disputeId,
    endToEndId,
    protocol: '1',
    amountCents: 2500,
    reason: 'golpe',
    status: 'open',
    openedAt,
    deadlineAt,
  };
}

/** The account, with a bank that has other disputes than it really has. */
function withDisputes(account: AtBank, disputes: Partial<BankDisputes>): AtBank {
  const real = account.psp.disputes;
  if (real === undefined) throw new Error('The bank has no disputes');
  return { ...account, psp: { ...account.psp, disputes: { ...real, ...disputes } } };
}

/** Has the account's bank list these disputes, and reads its list. Returns how many had changed. */
async function tell(account: AtBank, ...listed: BankDispute[]): Promise<number> {
  const listDisputes = async function* () {
    yield listed;
  };
  return rereadDisputeList(withDisputes(account, { listDisputes }));
}

const listDisputesOf = (endToEndId: string) =>
  gateway.deps.db
    .selectFrom('disputes')
    .select(['merchant_id', 'connection_id', 'bank_dispute_id', 'status', 'blocked_cents'])
    .where('end_to_end_id', '=', endToEndId)
    .orderBy('connection_id')
    .execute();
const listItemsOf = (disputeId: string) =>
  gateway.deps.db
    .selectFrom('open_items')
    .select(['connection_id', 'detail', 'closed_at'])
    .where('kind', '=', 'dispute-unknown-pix')
    .where('reference', '=', disputeId)
    .orderBy('connection_id')
    .execute();
const readDueTimes = (id: string) =>
  gateway.deps.db.selectFrom('disputes').select('due_at').where('id', '=', id).executeTakeFirstOrThrow();
/** The amount blocked at both accounts together. */
const readBlocked = async () => {
  const read = (id: number) => readBalances(gateway.deps.db, merchantId, id);
  return (await read(HOUSE_CONNECTION)).blocked + (await read(secondConnection.id)).blocked;
};

/** An open dispute of a charge of the second account. */
async function givenDisputeAtSecond(): Promise<{ id: string; bankDispute: BankDispute }> {
  const bankDispute = disputeOf(await two.receiveAt(two.atSecond, merchantId, 25));
  await tell(two.atSecond, bankDispute);
  const { id } = await gateway.deps.db
    .selectFrom('disputes')
    .select('id')
    .where('bank_dispute_id', '=', bankDispute.disputeId)
    .executeTakeFirstOrThrow();
  return { id, bankDispute };
}

test('a dispute that another bank tells of takes nothing from the merchant, and does not end the one of the charge’s bank', async () => {
  const endToEndId = await two.receiveAt(two.atSecond, merchantId, 25);
  const dispute = disputeOf(endToEndId);
  const blockedBefore = await readBlocked();
  expect(await tell(two.atHouse, dispute)).toBe(1);
  expect(await readBlocked()).toBe(blockedBefore);
  const ofHouse = { merchant_id: 0, connection_id: 1, bank_dispute_id: dispute.disputeId };
  expect(await listDisputesOf(endToEndId)).toMatchObject([{ ...ofHouse, status: 'open', blocked_cents: 0 }]);
  // A dispute that was told once is known, although the Pix has another owner.
  expect(await tell(two.atHouse, dispute)).toBe(0);

  await tell(two.atSecond, dispute);
  expect(await readBlocked()).toBe(blockedBefore + 2500);
  const ofSecond = { merchant_id: merchantId, connection_id: 2, status: 'open', blocked_cents: 2500 };
  expect(await listDisputesOf(endToEndId)).toMatchObject([{ ...ofHouse, status: 'open' }, ofSecond]);

  await tell(two.atHouse, { ...dispute, status: 'rejected' });
  expect(await readBlocked()).toBe(blockedBefore + 2500);
  expect(await listDisputesOf(endToEndId)).toMatchObject([{ ...ofHouse, status: 'won' }, ofSecond]);

  await tell(two.atSecond, { ...dispute, status: 'rejected' });
  expect(await readBlocked()).toBe(blockedBefore);
});

test('the same id at two banks is two disputes, each of which ends by the word of its own bank', async () => {
  const disputeId = randomUUID();
  const atHouse = disputeOf(await two.receiveAt(two.atHouse, merchantId, 25), disputeId);
  const atSecond = disputeOf(await two.receiveAt(two.atSecond, merchantId, 25), disputeId);
  await tell(two.atHouse, atHouse);
  expect(await tell(two.atSecond, atSecond)).toBe(1);
  const open = { merchant_id: merchantId, bank_dispute_id: disputeId, status: 'open', blocked_cents: 2500 };
  expect(await listDisputesOf(atHouse.endToEndId)).toMatchObject([{ ...open, connection_id: 1 }]);
  expect(await listDisputesOf(atSecond.endToEndId)).toMatchObject([{ ...open, connection_id: 2 }]);

  await tell(two.atSecond, { ...atSecond, status: 'cancelled' });
  expect(await listDisputesOf(atHouse.endToEndId)).toMatchObject([open]);
  expect(await listDisputesOf(atSecond.endToEndId)).toMatchObject([
    { status: 'cancelled', blocked_cents: 0 },
  ]);
});

test('a dispute of an unknown Pix is the operator’s to examine at their own account only', async () => {
  const { db, clock } = gateway.deps;
  const dispute = disputeOf(`E99999999202611210000${randomBytes(6).toString('hex').slice(0, 11)}`);
  await tell(two.atSecond, dispute);
  expect(await listDisputesOf(dispute.endToEndId)).toEqual([]);
  expect(await listItemsOf(dispute.disputeId)).toEqual([]);
  await tell(two.atHouse, dispute);
  expect(await listDisputesOf(dispute.endToEndId)).toMatchObject([{ connection_id: 1, status: 'open' }]);
  expect(await listItemsOf(dispute.disputeId)).toMatchObject([{ connection_id: 1, closed_at: null }]);

  const hint = { kind: 'dispute', reference: dispute.endToEndId } as const;
  await storeHints({ db, now: clock.now() }, secondConnection.id, [hint]);
  await pollDisputes(two.atSecond);
  const hints = db.selectFrom('bank_hints').select('reference').where('reference', '=', dispute.endToEndId);
  expect(await hints.execute()).toEqual([]);

  await tell(two.atHouse, { ...dispute, status: 'cancelled' });
  expect(await listItemsOf(dispute.disputeId)).toMatchObject([{ closed_at: expect.any(Date) }]);
});

test('a dispute is defended and looked up at its own bank only, which says whether it takes files', async () => {
  const { id, bankDispute } = await givenDisputeAtSecond();
  const asked: string[] = [];
  const recording = (account: AtBank, name: string, takesFiles: boolean) =>
    withDisputes(account, {
      takesFiles,
      sendDefence: async ({ disputeId }) => void asked.push(`${name} ${disputeId}`),
      findDispute: async () => bankDispute,
    });
  const atHouse = recording(two.atHouse, 'house', true);
  const atSecond = recording(two.atSecond, 'second', false);
  await defendDispute(two.atHouse, { merchantId, id }, { text: 'Entregue.', files: [] });

  await processDueDisputes(atHouse);
  expect(asked).toEqual([]);
  expect(await processDueDisputes(atSecond)).toBeGreaterThan(0);
  expect(asked).toContain(`second ${bankDispute.disputeId}`);

  const stored = await findDispute(gateway.deps.db, merchantId, id);
  if (stored === undefined) throw new Error('The dispute is not stored');
  expect(stored.defenceSentAt).toEqual(expect.any(Date));
  const deps = { ...gateway.deps, banks: createBanks(atHouse, [atSecond]) };
  expect(await toDisputeDetail(deps, stored)).toMatchObject({ takes_files: false });
  expect(await toDisputeDetail(deps, { ...stored, connectionId: 1 })).toMatchObject({ takes_files: true });
  // An account that was retired is known to no bank.
  expect(await toDisputeDetail(deps, { ...stored, connectionId: 999 })).toMatchObject({ takes_files: false });
});

test('a hint of one bank makes no dispute due at another, and is not taken there', async () => {
  const { id, bankDispute } = await givenDisputeAtSecond();
  const { db, clock } = gateway.deps;
  const { due_at: dueAt } = await readDueTimes(id);
  const hint = { kind: 'dispute', reference: bankDispute.endToEndId } as const;
  const listDisputes = async function* () {};
  const [atHouse, atSecond] = [two.atHouse, two.atSecond].map((account) =>
    withDisputes(account, { listDisputes }),
  );
  if (atHouse === undefined || atSecond === undefined) throw new Error('There are two accounts');
  const readAttempts = () =>
    db.selectFrom('bank_hints').select(['connection_id', 'attempts']).orderBy('connection_id').execute();

  await storeHints({ db, now: clock.now() }, 1, [hint]);
  await pollDisputes(atSecond);
  expect(await readAttempts()).toEqual([{ connection_id: 1, attempts: 0 }]);
  await pollDisputes(atHouse);
  expect(await readAttempts()).toEqual([{ connection_id: 1, attempts: 1 }]);
  expect(await readDueTimes(id)).toEqual({ due_at: dueAt });

  await storeHints({ db, now: clock.now() }, 2, [hint]);
  await pollDisputes(atSecond);
  expect(await readAttempts()).toEqual([{ connection_id: 1, attempts: 1 }]);
  expect((await readDueTimes(id)).due_at?.getTime()).toBeLessThan(dueAt?.getTime() ?? 0);
});

test('the list of disputes of each account is read up to a time of its own', async () => {
  const { db } = gateway.deps;
  await db.deleteFrom('dispute_list_position').execute();
  const listDisputes = async function* () {};
  const readPositions = () =>
    db
      .selectFrom('dispute_list_position')
      .select(['connection_id', 'read_until'])
      .orderBy('connection_id')
      .execute();
  await pollDisputes(withDisputes(two.atSecond, { listDisputes }));
  expect(await readPositions()).toMatchObject([{ connection_id: 2 }]);
  await two.advance(120);
  await pollDisputes(withDisputes(two.atHouse, { listDisputes }));
  const [house, second] = await readPositions();
  expect(house?.read_until.getTime()).toBeGreaterThan((second?.read_until.getTime() ?? 0) + 100_000);
});

test('the account of a dispute never changes', async () => {
  const { id } = await givenDisputeAtSecond();
  const { db } = gateway.deps;
  await expect(
    db.updateTable('disputes').set({ connection_id: 1 }).where('id', '=', id).execute(),
  ).rejects.toThrow('a dispute does not change this way');
});
