import { enterAccount, listAccounts, listNotifications, profile, publicSettings } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { OtherAccount } from '../../features/profile/other-account.tsx';
import { holdNavigation } from '../../testing/hold-navigation.ts';
import { accounts, lookedIntoAccount, shopAccount } from '../../testing/member-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings, user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { PageHeader } from '../../ui/index.ts';
import { PanelLayout } from './panel-layout.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(listNotifications, { notifications: [], unread: 0, next: null });
  gateway.answer(listAccounts, accounts);
});
afterEach(() => vi.unstubAllGlobals());

const Frame = () => (
  <PanelLayout>
    <PageHeader title="Tela" />
    <OtherAccount />
  </PanelLayout>
);
const lookedInto = { ...shopAccount, role: 'accountant' as const };
function openPanel(role: 'SUPPORT' | 'USER', supportUntil?: string) {
  const acting = { ...lookedInto, ...(supportUntil !== undefined && { supportUntil }) };
  gateway.answer(profile, {
    user: { ...user, role },
    account: { ...acting, apiActive: true, balance: 12.5 },
  });
  return renderScreen('/dashboard', Frame, { role, account: acting });
}

test('staff who look into an account are told which and until when, and go back to their own', async () => {
  const opened = holdNavigation();
  // The session itself says so: nothing else has to arrive before the money is shown.
  gateway.fail(listAccounts);
  const { screen } = await openPanel('SUPPORT', lookedIntoAccount.expires_at);
  await expect
    .element(screen.getByText(/Você está olhando a conta\s*Empório Capibaribe\s*como suporte/))
    .toBeVisible();
  await expect.element(screen.getByText(/Só leitura, até 21\/11\/2099/)).toBeVisible();
  await expect.element(screen.getByText('Suporte, só leitura').first()).toBeVisible();
  // They are no member, and so have nothing to leave.
  expect(screen.getByText('Deixar esta conta').elements()).toEqual([]);
  gateway.answer(enterAccount, {
    account: { account_id: 'u1', name: 'Marina', role: 'owner', own: true, current: true, frozen: false },
  });
  await screen.getByRole('button', { name: 'Voltar à minha conta' }).click();
  await expect.poll(() => opened).toEqual(['/dashboard']);
  expect(gateway.calls(enterAccount).map(({ body }) => body)).toEqual([{ account_id: 'u1' }]);
});

test('staff who are a member of the account see no such notice', async () => {
  const { screen } = await openPanel('SUPPORT');
  await expect.element(screen.getByRole('button', { name: 'Deixar esta conta' })).toBeVisible();
  await expect.element(screen.getByText('Contador').first()).toBeVisible();
  expect(screen.getByText(/como suporte/).elements()).toEqual([]);
});

test('a merchant is not asked about', async () => {
  const { screen } = await openPanel('USER');
  await expect.element(screen.getByRole('button', { name: 'Deixar esta conta' })).toBeVisible();
  expect(gateway.calls(listAccounts)).toHaveLength(0);
});
