import { leaveAccount } from '@jangada/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { accountChangeReason } from '../../session/account-change.ts';
import { holdNavigation } from '../../testing/hold-navigation.ts';
import { shopAccount } from '../../testing/member-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { stubGateway } from '../../testing/stub-gateway.ts';
import { OtherAccount } from './other-account.tsx';

afterEach(() => vi.unstubAllGlobals());

const Screen = () => (
  <section>
    <OtherAccount />
  </section>
);

test('a member leaves the account only after confirming it, and goes on in their own', async () => {
  const opened = holdNavigation();
  const gateway = stubGateway();
  gateway.refuse(leaveAccount, 'HOLDER_STAYS');
  const { screen } = await renderScreen('/profile', Screen, {
    account: { ...shopAccount, role: 'operator' },
  });
  await screen.getByRole('button', { name: 'Deixar esta conta' }).click();
  const dialog = screen.getByRole('alertdialog');
  expect(gateway.calls(leaveAccount)).toHaveLength(0);
  await dialog.getByRole('button', { name: 'Deixar a conta' }).click();
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  expect(opened).toEqual([]);
  gateway.answer(leaveAccount, { success: true });
  await dialog.getByRole('button', { name: 'Deixar a conta' }).click();
  await expect.poll(() => opened).toEqual(['/dashboard']);
  expect(gateway.calls(leaveAccount).at(-1)?.body).toEqual({ account_id: '12' });
  expect(accountChangeReason()).toBe('Você deixou a conta Empório Capibaribe. Esta é a sua própria conta.');
});
