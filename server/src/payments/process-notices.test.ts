import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenCharge, givenMerchant } from '../../test/given.ts';
import { givenConnection, waitForCheck } from '../../test/given-connection.ts';
import { type BankReceivedPix, type Banks, storeNotices } from '../psp/index.ts';
import { createNoticeProcessor } from './process-notices.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

test('notices are confirmed with the credentials of an account that are in use now', async () => {
  const merchant = await givenMerchant(gateway);
  const { id, account } = await givenConnection(gateway, merchant);
  const processor = createNoticeProcessor(gateway.deps);
  const isPaidNow = async () => {
    const { id: chargeId, content } = await givenCharge(gateway, merchant);
    const endToEndId = await gateway.bank.pay({ brCode: content });
    const { db, clock } = gateway.deps;
    await storeNotices({ db, now: clock.now() }, [{ connectionId: id, notices: [{ endToEndId, told: {} }] }]);
    expect(await processor.sweep()).toBe(1);
    await processor.waitUntilIdle(5000);
    const { status } = await db
      .selectFrom('charges')
      .select('status')
      .where('id', '=', chargeId)
      .executeTakeFirstOrThrow();
    return status;
  };
  expect(await isPaidNow()).toBe('paid');

  const before = gateway.deps.banks.of(id).psp;
  const { clientId: client_id, clientSecret: client_secret } = account;
  const body = { password: merchant.password, client_id, client_secret };
  const { token } = merchant;
  const answer = await gateway.api('PUT', `/authed/connections/${id}/credentials`, body, { token });
  expect(answer.status).toBe(200);
  await waitForCheck(gateway, merchant, String(id));
  // A minute after new credentials have taken their place, the connections with the old ones are closed.
  await before.close();
  expect(await isPaidNow()).toBe('paid');
});

test('payments that are confirmed at many accounts at the same time are stored and booked together', async () => {
  const { db, clock, banks } = gateway.deps;
  const paid: { id: number; pix: BankReceivedPix }[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    const merchant = await givenMerchant(gateway);
    const { id } = await givenConnection(gateway, merchant);
    const { content } = await givenCharge(gateway, merchant);
    const endToEndId = await gateway.bank.pay({ brCode: content });
    const pix = await banks.of(id).psp.findReceivedPix(endToEndId);
    if (pix !== undefined) paid.push({ id, pix });
  }
  const answers = Promise.withResolvers<void>();
  const askedIds: string[] = [];
  const find = async (endToEndId: string) => {
    askedIds.push(endToEndId);
    await answers.promise;
    return paid.find(({ pix }) => pix.endToEndId === endToEndId)?.pix;
  };
  const of = (id: number) => ({ ...banks.of(id), psp: { ...banks.of(id).psp, findReceivedPix: find } });
  const watched: Banks = { ...banks, of };
  const transactions = vi.spyOn(db, 'transaction');
  const processor = createNoticeProcessor({ ...gateway.deps, banks: watched });
  const leased = await storeNotices(
    { db, now: clock.now() },
    paid.map(({ id, pix }) => ({
      connectionId: id,
      isLeased: true,
      notices: [{ endToEndId: pix.endToEndId, told: {} }],
    })),
  );
  expect(leased.map(({ row, endToEndId }) => [row.connectionId, endToEndId])).toEqual(
    paid.map(({ id, pix }) => [id, pix.endToEndId]),
  );
  processor.take(leased);
  await vi.waitFor(() => expect(askedIds).toHaveLength(paid.length));
  answers.resolve();
  await processor.waitUntilIdle(60_000);
  expect(transactions).toHaveBeenCalledTimes(1);
  transactions.mockRestore();
  const booked = await db
    .selectFrom('received_pix')
    .select(['connection_id', 'outcome'])
    .where(
      'end_to_end_id',
      'in',
      paid.map(({ pix }) => pix.endToEndId),
    )
    .orderBy('connection_id')
    .execute();
  expect(booked).toEqual(paid.map(({ id }) => ({ connection_id: id, outcome: 'credited' })));
});
