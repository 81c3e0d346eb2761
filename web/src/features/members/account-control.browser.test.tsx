import {
  allowSupport,
  confirmHandover,
  endHandover,
  getHandover,
  getSupportAccess,
  listMembers,
  offerAccount,
  publicSettings,
  revokeSupport,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import {
  finance,
  handover,
  holder,
  noSupportAccess,
  otherOwner,
  supportAccess,
} from '../../testing/member-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { MembersPage } from './members-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(listMembers, { members: [holder, otherOwner, finance], invitations: [] });
  gateway.answer(getHandover, { handover: null });
  gateway.answer(getSupportAccess, noSupportAccess);
});
afterEach(() => vi.unstubAllGlobals());

/** The members as the holder sees them, or another person. */
const openPage = (id = 'u1') => renderScreen('/membros', MembersPage, { id });
type Screen = Awaited<ReturnType<typeof openPage>>['screen'];
const button = (screen: Screen, name: string) => screen.getByRole('button', { name, exact: true });

test('an owner lets support look in for the time chosen, and sees until when', async () => {
  const { screen } = await openPage();
  await button(screen, 'Deixar o suporte olhar').click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByText('24 horas').click();
  gateway.answer(allowSupport, supportAccess);
  gateway.answer(getSupportAccess, supportAccess);
  await dialog.getByRole('button', { name: 'Deixar olhar' }).click();
  await expect.element(screen.getByText(/O suporte pode olhar até 21\/11\/2099/)).toBeVisible();
  await expect.element(screen.getByText('Marina Albuquerque', { exact: true }).last()).toBeVisible();
  expect(gateway.calls(allowSupport).map(({ body }) => body)).toEqual([{ hours: 24 }]);
});

test('an owner sees who looked in and why, and ends it at once', async () => {
  gateway.answer(getSupportAccess, supportAccess);
  const { screen } = await openPage();
  const visits = screen.getByRole('list', { name: 'Quem olhou' });
  await expect.element(visits).toMatchTextContent(/Teresa Lins.*Chamado 4711/);
  await button(screen, 'Encerrar agora').click();
  const ended = { ...supportAccess, access: null };
  gateway.answer(revokeSupport, ended);
  gateway.answer(getSupportAccess, ended);
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Encerrar agora' }).click();
  await expect.element(button(screen, 'Deixar o suporte olhar')).toBeVisible();
  await expect.element(visits).toBeVisible();
  expect(gateway.calls(revokeSupport)).toHaveLength(1);
});

test('access whose time is over is shown as none', async () => {
  const access = supportAccess.access && { ...supportAccess.access, expires_at: '2026-01-01T12:00:00.000Z' };
  gateway.answer(getSupportAccess, { ...supportAccess, access });
  const { screen } = await openPage();
  await expect.element(button(screen, 'Deixar o suporte olhar')).toBeVisible();
  expect(screen.getByText(/O suporte pode olhar/).elements()).toEqual([]);
});

test('the holder proposes the account to another owner, who are all that can be chosen, and takes it back', async () => {
  const { screen } = await openPage();
  await button(screen, 'Passar a conta').click();
  const dialog = screen.getByRole('dialog');
  const options = dialog.getByRole('option').elements();
  expect(options.map(({ textContent }) => textContent)).toEqual(['Lia Sereno (lia@example.com)']);
  await expect.element(dialog.getByText(/saques ficam suspensos por 24 horas/)).toBeVisible();
  gateway.answer(offerAccount, { handover });
  gateway.answer(getHandover, { handover });
  await dialog.getByRole('button', { name: 'Propor' }).click();
  await expect.element(screen.getByText('Lia Sereno ainda não confirmou que será o titular.')).toBeVisible();
  expect(gateway.calls(offerAccount).map(({ body }) => body)).toEqual([{ member_id: '34' }]);
  expect(button(screen, 'Passar a conta').elements()).toEqual([]);
  expect(button(screen, 'Ser o titular').elements()).toEqual([]);
  await button(screen, 'Desistir').click();
  gateway.answer(endHandover, { success: true });
  gateway.answer(getHandover, { handover: null });
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Desistir' }).click();
  await expect.element(button(screen, 'Passar a conta')).toBeVisible();
  expect(gateway.calls(endHandover)).toHaveLength(1);
});

test('a holder without another owner is told to invite one', async () => {
  gateway.answer(listMembers, { members: [holder, finance], invitations: [] });
  const { screen } = await openPage();
  await expect.element(screen.getByText(/convide antes outro dono/)).toBeVisible();
  expect(button(screen, 'Passar a conta').elements()).toEqual([]);
});

test('the other owner confirms, after reading what it means, and the members are loaded again', async () => {
  gateway.answer(getHandover, { handover });
  const { screen } = await openPage('34');
  await expect.element(screen.getByText('Marina Albuquerque propôs passar a conta a você.')).toBeVisible();
  await button(screen, 'Ser o titular').click();
  const dialog = screen.getByRole('alertdialog');
  await expect.element(dialog.getByText(/a identidade do novo titular é conferida/)).toBeVisible();
  expect(gateway.calls(confirmHandover)).toHaveLength(0);
  gateway.answer(confirmHandover, { success: true });
  gateway.answer(getHandover, { handover: null });
  gateway.answer(listMembers, {
    members: [
      { ...otherOwner, holder: true },
      { ...holder, holder: false },
    ],
    invitations: [],
  });
  await dialog.getByRole('button', { name: 'Ser o titular' }).click();
  await expect.element(screen.getByRole('row', { name: /Lia Sereno.*Titular/ })).toBeVisible();
  expect(screen.getByText(/propôs passar/).elements()).toEqual([]);
});

test('the other owner declines', async () => {
  gateway.answer(getHandover, { handover });
  const { screen } = await openPage('34');
  await button(screen, 'Recusar').click();
  gateway.answer(endHandover, { success: true });
  gateway.answer(getHandover, { handover: null });
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Recusar' }).click();
  await expect.element(screen.getByText('Proposta recusada')).toBeVisible();
  expect(gateway.calls(endHandover)).toHaveLength(1);
});

test('a third owner reads of the proposal, and decides nothing', async () => {
  gateway.answer(getHandover, { handover });
  const { screen } = await openPage('35');
  await expect
    .element(screen.getByText('Marina Albuquerque propôs passar a conta a Lia Sereno.'))
    .toBeVisible();
  for (const name of ['Recusar', 'Ser o titular', 'Desistir', 'Passar a conta'])
    expect(button(screen, name).elements()).toEqual([]);
});

test('a proposal whose time is over says so', async () => {
  gateway.answer(getHandover, { handover: { ...handover, expires_at: '2026-01-01T12:00:00.000Z' } });
  const { screen } = await openPage('34');
  await expect.element(screen.getByText('A proposta de passar a conta venceu.')).toBeVisible();
  expect(button(screen, 'Ser o titular').elements()).toEqual([]);
});
