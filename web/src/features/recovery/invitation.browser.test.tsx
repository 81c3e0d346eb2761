import {
  acceptInvitation,
  checkInvitation,
  enterAccount,
  logout,
  profile,
  publicSettings,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { endSession } from '../../session/session.ts';
import { holdNavigation } from '../../testing/hold-navigation.ts';
import { linkedInvitation } from '../../testing/member-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings, user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { InvitationPage } from './invitation-page.tsx';

const TOKEN = 'a-token-of-a-mailed-invitation';
let gateway: StubbedGateway;
beforeEach(() => {
  sessionStorage.clear();
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(profile, { user: { ...user, email: linkedInvitation.email } });
  gateway.answer(checkInvitation, linkedInvitation);
  gateway.answer(logout, { success: true });
});
afterEach(() => vi.unstubAllGlobals());

async function openInvitation(url = `/convite?token=${TOKEN}`) {
  const opened = await renderScreen(url, InvitationPage);
  // That of an earlier test may be kept.
  await queryClient.fetchQuery(profileQuery);
  return opened;
}
async function openSignedOut() {
  const opened = await openInvitation();
  endSession('sign-out');
  return opened;
}

test('an invitation says who invites, to which account, as what, with which limits and until when', async () => {
  const { screen } = await openSignedOut();
  await expect
    .element(screen.getByRole('heading', { name: 'Convite para a conta Empório Capibaribe' }))
    .toBeVisible();
  for (const text of [
    /^Marina Albuquerque convidou você/,
    /^Financeiro$/,
    /até R\$\s300,00 por dia/,
    /até R\$\s2\.500,00 por dia/,
    /^rafael@example\.com$/,
    /^Saca, estorna,/,
  ])
    await expect.element(screen.getByText(text).first()).toBeVisible();
  expect(gateway.calls(checkInvitation)[0]?.body).toEqual({ token: TOKEN });
});

test('whoever is registered signs in first, and whoever is not registers; both come back', async () => {
  const registered = await openSignedOut();
  await expect
    .element(registered.screen.getByRole('link', { name: 'Entrar para aceitar' }))
    .toHaveAttribute('href', '/login?from=%2Fconvite');
  await registered.screen.unmount();
  gateway.answer(checkInvitation, { ...linkedInvitation, registered: false });
  const { screen } = await openSignedOut();
  await expect
    .element(screen.getByRole('link', { name: 'Criar conta para aceitar' }))
    .toHaveAttribute('href', '/register?from=%2Fconvite');
});

test('whoever comes back without the token in the URL finds the same invitation', async () => {
  const first = await openInvitation();
  await expect.element(first.screen.getByRole('button', { name: 'Aceitar convite' })).toBeVisible();
  await first.screen.unmount();
  const { screen } = await openInvitation('/convite');
  await expect.element(screen.getByRole('button', { name: 'Aceitar convite' })).toBeVisible();
  expect(gateway.calls(checkInvitation)[1]?.body).toEqual({ token: TOKEN });
});

test('somebody else is told so, and may sign out without losing the invitation', async () => {
  gateway.answer(profile, { user: { ...user, email: 'outra@example.com' } });
  const { screen, currentUrl } = await openInvitation();
  await expect.element(screen.getByText(/Você entrou como outra@example\.com/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Aceitar convite' }).elements()).toEqual([]);
  await screen.getByRole('button', { name: 'Sair e trocar de usuário' }).click();
  await expect.element(screen.getByRole('link', { name: 'Entrar para aceitar' })).toBeVisible();
  expect(currentUrl()).toBe(`/convite?token=${TOKEN}`);
});

test('a link that was used or has expired says so, without a token too', async () => {
  gateway.refuse(checkInvitation, 'LINK_EXPIRED');
  const expired = await openInvitation();
  await expect
    .element(expired.screen.getByRole('alert'))
    .toMatchTextContent(/Este link já foi usado ou não vale mais/);
  await expired.screen.unmount();
  const { screen } = await openInvitation('/convite');
  await expect.element(screen.getByText('Convite inválido')).toBeVisible();
});

test('an invitation that could not be loaded is loaded again on demand', async () => {
  gateway.fail(checkInvitation);
  const { screen } = await openInvitation();
  await expect.element(screen.getByText('Não foi possível abrir o convite')).toBeVisible();
  gateway.answer(checkInvitation, linkedInvitation);
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByRole('button', { name: 'Aceitar convite' })).toBeVisible();
});

test('why an invitation cannot be accepted is said on its page', async () => {
  gateway.refuse(acceptInvitation, 'MEMBER_EXISTS');
  const { screen } = await openInvitation();
  await screen.getByRole('button', { name: 'Aceitar convite' }).click();
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/já é membro da conta/);
});

test('accepting makes the person a member and enters the account', async () => {
  const opened = holdNavigation();
  const account = {
    account_id: '12',
    name: 'Empório Capibaribe',
    role: 'finance' as const,
    own: false,
    current: false,
    frozen: false,
  };
  gateway.answer(acceptInvitation, { account });
  gateway.answer(enterAccount, { account: { ...account, current: true } });
  const { screen } = await openInvitation();
  await screen.getByRole('button', { name: 'Aceitar convite' }).click();
  await expect.poll(() => opened).toEqual(['/dashboard']);
  expect(gateway.calls(acceptInvitation).map(({ body }) => body)).toEqual([{ token: TOKEN }]);
  expect(gateway.calls(enterAccount).map(({ body }) => body)).toEqual([{ account_id: '12' }]);
  expect(sessionStorage.getItem('invitation')).toBeNull();
  expect(sessionStorage.getItem('account-change')).toMatch(/Convite aceito.*Empório Capibaribe.*Financeiro/);
});
