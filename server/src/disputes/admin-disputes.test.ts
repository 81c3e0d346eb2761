import { adminDisputeFile, adminDisputes, adminGetDispute } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenMerchant,
  givenPaidPayment,
  parseSuccess,
} from '../../test/given.ts';
import { givenDispute, processDisputes } from '../../test/given-dispute.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let merchant: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway();
  admin = await givenAdmin(gateway);
  merchant = await givenMerchant(gateway, { admin });
});
afterAll(() => gateway.stop());

const callAsAdmin = (path: string) => gateway.api('GET', path, undefined, { token: admin.token });
const list = async (view: string) =>
  parseSuccess(adminDisputes.response, await callAsAdmin(`/admin/disputes?view=${view}`)).disputes;
async function givenDisputedPayment(amount: number) {
  const { endToEndId } = await givenPaidPayment(gateway, merchant, { amount });
  return givenDispute(gateway, merchant, { endToEndId });
}

test('open disputes of all merchants are listed by their deadline, ended disputes by their end, newest first', async () => {
  const first = await givenDisputedPayment(40);
  await gateway.advance(7200);
  const second = await givenDisputedPayment(50);
  expect((await list('open')).map(({ id }) => id)).toEqual([first.id, second.id]);
  expect((await list('open'))[0]).toMatchObject({
    amount: 40,
    user: { id: String(merchant.id), name: 'Maria da Feira' },
  });
  for (const { bankId } of [second, first]) {
    await gateway.bank.resolveDispute(bankId, { accepted: false });
    await gateway.advance(700);
    await processDisputes(gateway);
  }
  expect((await list('closed')).map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(await list('open')).toEqual([]);
});

test('a defence is read with its files, and each download is in the audit log before the file is sent', async () => {
  const dispute = await givenDisputedPayment(60);
  const pdf = Buffer.from('%PDF-1.7 nota fiscal');
  const files = [{ name: 'nota.pdf', content: pdf.toString('base64') }];
  const defence = { text: 'Entregue em mãos.', files };
  const defencePath = `/authed/disputes/${dispute.id}/defence`;
  await gateway.api('POST', defencePath, defence, { token: merchant.token });
  const disputePath = `/admin/users/${merchant.id}/disputes/${dispute.id}`;
  const readDetail = async () => parseSuccess(adminGetDispute.response, await callAsAdmin(disputePath));
  await expect.poll(async () => (await readDetail()).defence_sent_at).not.toBeNull();
  const detail = await readDetail();
  expect(detail).toMatchObject({
    user: { id: String(merchant.id) },
    defence: 'Entregue em mãos.',
    files: [{ name: 'nota.pdf', type: 'application/pdf', size: pdf.length }],
  });
  expect(await readFileViews()).toEqual([]);
  const file = await callAsAdmin(`${disputePath}/files/${detail.files[0]?.id}`);
  expect(parseSuccess(adminDisputeFile.response, file)).toEqual({
    name: 'nota.pdf',
    type: 'application/pdf',
    content: pdf.toString('base64'),
  });
  expect(await readFileViews()).toMatchObject([
    {
      actor_id: admin.id,
      subject_id: merchant.id,
      after: { dispute: dispute.id, file: 'nota.pdf' },
    },
  ]);
  const missing = await callAsAdmin(`${disputePath}/files/${dispute.id}`);
  expect(missing).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  for (const userId of ['0', '999999', 'x'])
    expect(await callAsAdmin(`/admin/users/${userId}/disputes/${dispute.id}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'DISPUTE_NOT_FOUND' } },
    });
  expect(await readFileViews()).toHaveLength(1);
});

test('a disputed Pix in suspense is listed as a dispute without a user', async () => {
  const endToEndId = await gateway.bank.pay({ key: gateway.deps.config.pixKey, amount: 80 });
  await gateway.bank.openDispute({ endToEndId });
  await expect
    .poll(async () => (await list('open')).find((dispute) => dispute.end_to_end_id === endToEndId))
    .toMatchObject({ user: null, payment_id: null });
  const platformDispute = (await list('open')).find((dispute) => dispute.end_to_end_id === endToEndId);
  expect((await callAsAdmin(`/admin/users/0/disputes/${platformDispute?.id}`)).status).toBe(200);
});

function readFileViews() {
  return gateway.deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'subject_id', 'after'])
    .where('action', '=', 'dispute file seen')
    .execute();
}
