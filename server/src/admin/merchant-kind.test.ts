import { adminAuditLog, adminGetUser, adminUpdateUser, errorEnvelope } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertConnection } from '../../test/connection-row.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenAdmin, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';

// Gateways of operators who admit both kinds of merchants, or only one, on one database.

let gateways: Readonly<Record<'both' | 'pooled' | 'direct', TestGateway>>;
let admin: GivenAdmin;
beforeAll(async () => {
  const both = await startTestGateway({ startsWork: false });
  const other = (accounts: string) =>
    startTestGateway({ startsWork: false, sharedGateway: both, env: { MERCHANT_ACCOUNTS: accounts } });
  gateways = { both, pooled: await other('pooled'), direct: await other('direct') };
  admin = await givenAdmin(both);
});
afterAll(async () => {
  await gateways.pooled.stop();
  await gateways.direct.stop();
  await gateways.both.stop();
});

type Accounts = keyof typeof gateways;
const read = async (accounts: Accounts, id: number) => {
  const answer = await gateways[accounts].api('GET', `/admin/users/${id}`, undefined, { token: admin.token });
  return parseSuccess(adminGetUser.response, answer).user;
};
const change = async (accounts: Accounts, id: number, fields: Readonly<Record<string, unknown>>) => {
  const { version } = await read(accounts, id);
  return gateways[accounts].api('PUT', `/admin/users/${id}`, { version, ...fields }, { token: admin.token });
};
const givenId = async () => (await givenMerchant(gateways.both, { admin })).id;

test('an administrator changes the account into which a merchant is paid, and it is audited and told', async () => {
  const id = await givenId();
  expect(await read('both', id)).toMatchObject({ merchant_kind: 'pooled' });
  const answer = await change('both', id, { merchant_kind: 'direct' });
  expect(parseSuccess(adminUpdateUser.response, answer).user).toMatchObject({ merchant_kind: 'direct' });
  const log = await gateways.both.api('GET', '/admin/audit-log', undefined, { token: admin.token });
  expect(parseSuccess(adminAuditLog.response, log).entries[0]).toMatchObject({
    action: 'user updated',
    before: { merchant_kind: 'pooled' },
    after: { merchant_kind: 'direct' },
  });
  const { db } = gateways.both.deps;
  const mails = await db.selectFrom('mails').selectAll().where('user_id', '=', id).execute();
  expect(JSON.stringify(mails)).toContain('conta em que você recebe');
});

test('a merchant with an active account of their own is not put back to the operator’s account', async () => {
  const merchant = await givenMerchant(gateways.both, { admin, account: { merchant_kind: 'direct' } });
  const { db } = gateways.both.deps;
  const connectionId = await insertConnection(db, merchant.id, `loja-${merchant.id}@example.com`);
  const refused = await change('both', merchant.id, { merchant_kind: 'pooled' });
  expect([refused.status, errorEnvelope.parse(refused.body).error]).toMatchObject([
    400,
    { code: 'INVALID_BODY', details: { fields: [{ field: 'merchant_kind' }] } },
  ]);
  await db
    .updateTable('bank_connections')
    .set({ state: 'suspended', suspended_by: 'operator' })
    .where('id', '=', connectionId)
    .execute();
  expect((await change('both', merchant.id, { merchant_kind: 'pooled' })).status).toBe(200);
});

describe.each([
  ['pooled', 'direct'],
  ['direct', 'pooled'],
] as const)('where all merchants are %s', (accounts, foreign) => {
  test(`none can become ${foreign}, and what was stored applies again where both are admitted`, async () => {
    const id = await givenId();
    await change('both', id, { merchant_kind: foreign });
    const shown = await read(accounts, id);
    expect(shown.merchant_kind).toBe(accounts);
    const refused = await change(accounts, id, { merchant_kind: foreign });
    expect(errorEnvelope.parse(refused.body).error).toMatchObject({
      code: 'INVALID_BODY',
      details: { fields: [{ field: 'merchant_kind' }] },
    });
    expect((await change(accounts, id, { ...shown })).status).toBe(200);
    expect((await read('both', id)).merchant_kind).toBe(foreign);
  });
});
