import { getWalletStats } from '@jangada/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { call } from '../api/client.ts';
import { holdNavigation } from '../testing/hold-navigation.ts';
import { shopAccount } from '../testing/member-samples.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { stubGateway } from '../testing/stub-gateway.ts';
import { accountChangeReason } from './account-change.ts';

afterEach(() => vi.unstubAllGlobals());

test('whose look into an account ended reads that, and nothing of another tab', async () => {
  const opened = holdNavigation();
  const gateway = stubGateway();
  gateway.refuse(getWalletStats, 'ACCOUNT_SWITCHED');
  const account = { ...shopAccount, supportUntil: '2099-11-21T15:00:00.000Z' };
  await renderScreen('/wallet', () => <p />, { account });
  // A call that opens the page anew is never answered to its screen.
  call(getWalletStats, {}).catch(() => {});
  await expect.poll(() => opened).toEqual(['/dashboard']);
  expect(accountChangeReason()).toMatch(/^Você não olha mais a conta como suporte/);
});
