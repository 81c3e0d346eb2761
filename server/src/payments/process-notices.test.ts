import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenCharge, givenMerchant } from '../../test/given.ts';
import { givenConnection, waitForCheck } from '../../test/given-connection.ts';
import { storeNotices } from '../psp/index.ts';
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
    await storeNotices({ db, now: clock.now() }, id, [{ endToEndId, told: {} }]);
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
