import { createPayment, getWalletStats, profile, publicSettings } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isCancelled } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { holdNavigation } from '../testing/hold-navigation.ts';
import { shopAccount } from '../testing/member-samples.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { settings, user } from '../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../testing/stub-gateway.ts';
import { memberRoleOf } from './account.ts';
import { accountChangeReason } from './account-change.ts';
import { session } from './session.ts';
import { loadProfile } from './sign-in.ts';

let gateway: StubbedGateway;
beforeEach(() => {
  sessionStorage.clear();
  gateway = stubGateway();
});
afterEach(() => vi.unstubAllGlobals());

const Nothing = () => <p />;
const start = (account?: typeof shopAccount) => renderScreen('/wallet', Nothing, { account });
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
const newCharge = () => call(createPayment, { body: { amount: 10 } });
const acting = { ...shopAccount, balance: 12.5, apiActive: true };

test('a call names the account that the screen shows, and a public one names none', async () => {
  gateway.refuse(createPayment, 'AMOUNT_INVALID');
  gateway.answer(publicSettings, settings);
  await start();
  await failureOf(newCharge());
  await start(shopAccount);
  await failureOf(newCharge());
  expect(gateway.calls(createPayment).map(({ headers }) => headers.get('x-account'))).toEqual(['u1', '12']);
  await call(publicSettings, {});
  expect(gateway.calls(publicSettings)[0]?.headers.get('x-account')).toBeNull();
});

test('a refusal that names another role changes what the person is offered', async () => {
  gateway.refuse(getWalletStats, 'MEMBER_ROLE_MISSING', { role: 'cashier', roles: ['owner'] });
  await start(shopAccount);
  await failureOf(call(getWalletStats, {}));
  expect(memberRoleOf(session.getState())).toBe('cashier');
});

test('a refusal because the account was frozen is kept, but not for an own account without others', async () => {
  gateway.refuse(getWalletStats, 'ACCOUNT_FROZEN');
  await start();
  await failureOf(call(getWalletStats, {}));
  expect(session.getState().user?.account).toBeUndefined();
  await start(shopAccount);
  await failureOf(call(getWalletStats, {}));
  expect(session.getState().user?.account?.frozen).toBe(true);
});

test('the profile has the money of the account, and the name of the person', async () => {
  gateway.answer(profile, { user, account: acting });
  await start(shopAccount);
  const loaded = await loadProfile();
  expect(loaded).toMatchObject({ name: user.name, balanceCents: 1250, atOperatorCents: null, apiKey: '' });
  expect(session.getState().user?.account).toMatchObject({ id: '12', role: 'finance' });
});

test('a session that acts for another account than the screen opens the page anew, and says so', async () => {
  const opened = holdNavigation();
  gateway.refuse(createPayment, 'ACCOUNT_SWITCHED');
  await start(shopAccount);
  // No screen reports it: the page is about to be replaced.
  expect(isCancelled(await failureOf(newCharge()))).toBe(true);
  await expect.poll(() => opened).toEqual(['/dashboard']);
  expect(accountChangeReason()).toMatch(/trocada em outra aba/);
});
