import { changeEmail, profile, publicSettings } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenMerchant, parseSuccess } from '../../test/given.ts';
import { sendQueuedMails } from '../../test/mailbox.ts';

let gateway: TestGateway;
beforeAll(async () => {
  // No mail server is configured, and a sandbox that is open to other machines has no mailbox of its own.
  gateway = await startTestGateway({ env: { SANDBOX_PUBLIC: '1' }, startsWork: false });
});
afterAll(() => gateway.stop());

test('without mail there is neither password recovery nor a mailbox, and a new e-mail takes effect immediately', async () => {
  const { api } = gateway;
  const { mail, mailbox } = parseSuccess(publicSettings.response, await api('GET', '/settings'));
  expect({ mail, mailbox }).toEqual({ mail: false, mailbox: false });
  expect((await api('GET', '/sandbox/mails')).status).toBe(404);

  const { token, password, id } = await givenMerchant(gateway);
  const readUser = async () =>
    parseSuccess(profile.response, await api('GET', '/authed/profile', undefined, { token })).user;
  const before = await readUser();
  expect(await api('POST', '/recover-password', { email: before.email })).toMatchObject({
    status: 501,
    body: { error: { code: 'RECOVERY_OFF' } },
  });
  const email = `nova-${before.email}`;
  const changed = await api('POST', '/authed/email', { email, password }, { token });
  expect(parseSuccess(changeEmail.response, changed)).toEqual({ email, pending: false });
  expect((await readUser()).email).toBe(email);
  const { db } = gateway.deps;
  const withdrawalHold = db
    .selectFrom('withdrawal_controls')
    .select('held_because')
    .where('merchant_id', '=', id);
  expect(await withdrawalHold.execute()).toEqual([{ held_because: 'email-changed' }]);
  await sendQueuedMails(gateway);
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([]);
});
