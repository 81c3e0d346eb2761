import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant } from '../../test/given.ts';
import { givenConnection } from '../../test/given-connection.ts';
import { watchConnections } from './watch-connections.ts';

// An account whose stored credentials cannot be opened, because they are spoilt or the gateway's key is another one.

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

async function spoil(id: number): Promise<void> {
  const { db, banks, clock } = gateway.deps;
  await db
    .updateTable('bank_connections')
    .set({ sealed_credentials: Buffer.from('spoilt'), updated_at: clock.now() })
    .where('id', '=', id)
    .execute();
  await banks.refresh();
}

const givenOwner = async () => {
  const admin = await givenAdmin(gateway);
  return givenMerchant(gateway, { admin, account: { merchant_kind: 'direct' } });
};
const createCharge = ({ apiKey }: GivenMerchant) =>
  gateway.api('POST', '/pix/new', { amount: 25 }, { apiKey });

test('a charge is made at the other account of its merchant', async () => {
  const owner = await givenOwner();
  const first = await givenConnection(gateway, owner);
  const second = await givenConnection(gateway, owner);
  await spoil(first.id);
  const created = await createCharge(owner);
  expect([created.status, created.body]).toMatchObject([201, { status: 'pending' }]);
  const charge = await gateway.deps.db
    .selectFrom('charges')
    .select('connection_id')
    .where('merchant_id', '=', owner.id)
    .executeTakeFirstOrThrow();
  expect(charge.connection_id).toBe(second.id);
});

test('without another account the charge is refused, and after some minutes the owner is told', async () => {
  const owner = await givenOwner();
  const { id } = await givenConnection(gateway, owner);
  await spoil(id);
  for (let minute = 0; minute < 7; minute += 1) {
    const refused = await createCharge(owner);
    expect([refused.status, refused.body]).toMatchObject([
      500,
      { error: { code: 'PAYMENT_PROCESSING_ERROR' } },
    ]);
    await watchConnections(gateway.deps);
    await gateway.advance(60);
  }
  const row = await gateway.deps.db
    .selectFrom('bank_connections')
    .select(['broken_reason', 'is_broken_told'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({
    broken_reason: 'As credenciais guardadas não puderam ser abertas: envie-as de novo.',
    is_broken_told: true,
  });
});
