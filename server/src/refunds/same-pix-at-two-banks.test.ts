import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { startSecondBank, type TwoBanks, withResponses } from '../../test/second-bank.ts';
import { rereadDisputeList } from '../disputes/poll-disputes.ts';
import { auditLedger } from '../ledger/index.ts';
import {
  type AtBank,
  type BankDispute,
  type BankReceivedPix,
  HOUSE_CONNECTION,
  type Psp,
} from '../psp/index.ts';
import { bookReturnsOfPix } from './book-returns-of-pix.ts';

// A bank of the merchant's own making that gives its payments the ids of payments at the operator's bank.

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

/** The account, at a bank that says something else of the Pix that it lists and finds. */
function sayingOfPix(account: AtBank, change: (pix: BankReceivedPix) => BankReceivedPix): AtBank {
  const listReceivedPix: Psp['listReceivedPix'] = async function* (from, to, filter) {
    for await (const page of account.psp.listReceivedPix(from, to, filter)) yield page.map(change);
  };
  return withResponses(account, { listReceivedPix });
}

test('what a merchant’s own bank says it gave back lessens no dispute of the same Pix at the operator’s', async () => {
  const { atHouse, atSecond } = two;
  const endToEndId = await two.receiveAt(atHouse, merchantId, 25);
  await two.receiveAt(
    sayingOfPix(atSecond, (pix) => ({ ...pix, endToEndId })),
    merchantId,
    25,
  );
  const at = gateway.deps.clock.now();
  const returned = {
    refundId: 'd1',
    rtrId: 'D0000000020261101120000000000001',
    amountCents: 2500,
    nature: 'dispute',
    status: 'completed',
    at,
    reason: undefined,
  } as const;
  const pix = {
    ...{ endToEndId, amountCents: 2500, paidAt: at, txid: undefined, pixKey: undefined },
    returns: [returned],
  };
  expect(
    await bookReturnsOfPix(withResponses(atSecond, { findReceivedPix: async () => pix }), endToEndId),
  ).toBe(true);

  const { disputes } = atHouse.psp;
  if (disputes === undefined) throw new Error('Banco Sandbox has disputes');
  const accepted: BankDispute = {
    ...{ disputeId: randomUUID(), endToEndId, protocol: '1', amountCents: 2500, reason: 'golpe' },
    ...{ status: 'accepted', openedAt: at, deadlineAt: new Date(at.getTime() + 86_400_000) },
  };
  const listDisputes = async function* () {
    yield [accepted];
  };
  await rereadDisputeList(withResponses(atHouse, { disputes: { ...disputes, listDisputes } }));
  const stored = await gateway.deps.db
    .selectFrom('disputes')
    .select(['connection_id', 'status', 'claimed_cents', 'returned_cents'])
    .where('end_to_end_id', '=', endToEndId)
    .execute();
  expect(stored).toMatchObject([
    { connection_id: HOUSE_CONNECTION, status: 'lost', claimed_cents: 2500, returned_cents: 0 },
  ]);
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
});
