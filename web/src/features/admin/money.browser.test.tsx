// The screens on which an operator decides about money: merchants' withdrawals, and Pix without an owner.

import {
  adminAssignSuspense,
  adminHoldWithdrawal,
  adminPayouts,
  adminReleaseWithdrawal,
  adminResolveWithdrawal,
  adminResumePayouts,
  adminReturnSuspense,
  adminStopPayouts,
  adminSuspense,
  adminUserBasics,
  adminWithdrawals,
  type ResponseOf,
} from '@jangada/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { adminWithdrawal, payouts, pixInSuspense } from '../../testing/admin-money-samples.ts';
import { adminUser } from '../../testing/admin-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { SuspensePage } from './suspense-page.tsx';
import { AdminWithdrawalsPage } from './withdrawals-page.tsx';

let gateway: StubbedGateway;

beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(adminPayouts, payouts);
  gateway.answer(adminWithdrawals, { withdrawals: [adminWithdrawal], next: null });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openWithdrawals = (address = '/admin/withdrawals') =>
  renderScreen(address, AdminWithdrawalsPage, { id: 'u2', role: 'ADMIN' });

describe('the withdrawals of merchants', () => {
  test('a pending withdrawal is held with a reason, and released with another reason', async () => {
    const { screen } = await openWithdrawals();
    await screen.getByRole('button', { name: 'Detalhes' }).click();
    await screen.getByRole('button', { name: 'Segurar' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Segurar' }).click();
    await expect.element(dialog.getByText('Informe o motivo.')).toBeVisible();
    const held = { ...adminWithdrawal, held_because: 'destino novo' };
    gateway.answer(adminHoldWithdrawal, held);
    gateway.answer(adminWithdrawals, { withdrawals: [held], next: null });
    await dialog.getByLabelText('Motivo').fill('destino novo');
    await dialog.getByRole('button', { name: 'Segurar' }).click();
    await expect.element(dialog.getByRole('button', { name: 'Liberar' })).toBeVisible();
    await expect.element(dialog.getByText('Segurado. destino novo')).toBeVisible();
    expect(gateway.calls(adminHoldWithdrawal)[0]?.body).toEqual({ reason: 'destino novo' });
    gateway.refuse(adminReleaseWithdrawal, 'NOT_HELD');
    await dialog.getByRole('button', { name: 'Liberar' }).click();
    await dialog.getByLabelText('O que foi conferido').fill('liguei');
    await dialog.getByRole('button', { name: 'Liberar' }).click();
    await expect.element(dialog.getByText('Este saque não está segurado.')).toBeVisible();
  });

  test('a withdrawal in doubt is ended with an outcome and evidence, and never by the administrator whose it is', async () => {
    const doubtful = {
      ...adminWithdrawal,
      status: 'processing' as const,
      in_doubt: true,
      unknown_since: '2026-11-22T02:00:00.000Z',
      resolutions: ['paid' as const, 'refused' as const],
    };
    const ownWithdrawal = {
      ...doubtful,
      id: '11111111-2f60-4a53-9d0e-5a1b7c3e9f12',
      user: { id: 'u2', name: 'Eu' },
    };
    gateway.answer(adminWithdrawals, { withdrawals: [doubtful, ownWithdrawal], next: null });
    gateway.answer(adminResolveWithdrawal, { success: true });
    const { screen } = await openWithdrawals('/admin/withdrawals?view=in-doubt');
    expect(gateway.calls(adminWithdrawals)[0]?.query.get('view')).toBe('in-doubt');
    await screen.getByRole('button', { name: 'Detalhes' }).nth(1).click();
    await expect.element(screen.getByText('É um saque seu.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Encerrar' }).elements()).toEqual([]);
    await screen.getByRole('dialog').getByText('Fechar').click();
    await screen.getByRole('button', { name: 'Detalhes' }).first().click();
    await screen.getByRole('button', { name: 'Encerrar' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByLabelText('Prova do banco').fill('Comprovante de 22/11, protocolo 9');
    await dialog.getByRole('button', { name: 'Encerrar' }).click();
    await expect.element(dialog.getByText('Diga o que o banco mostrou.')).toBeVisible();
    await dialog.getByLabelText('Desfecho').selectOptions('paid');
    await dialog.getByLabelText('EndToEndId (opcional)').fill('E123');
    await dialog.getByRole('button', { name: 'Encerrar' }).click();
    await expect.element(screen.getByText('Saque concluído.')).toBeVisible();
    expect(gateway.calls(adminResolveWithdrawal)[0]?.body).toEqual({
      outcome: 'paid',
      evidence: 'Comprovante de 22/11, protocolo 9',
      end_to_end_id: 'E123',
    });
  });

  test('all payouts are stopped with a reason, and stay stopped while the bank’s balance is too low', async () => {
    const stopped = { ...payouts, stopped_because: 'saque estranho' };
    gateway.answer(adminStopPayouts, stopped);
    const { screen } = await openWithdrawals();
    await screen.getByRole('button', { name: 'Parar envios' }).click();
    gateway.answer(adminPayouts, stopped);
    const dialog = screen.getByRole('dialog');
    await dialog.getByLabelText('Motivo').fill('saque estranho');
    await dialog.getByRole('button', { name: 'Parar envios' }).click();
    await expect.element(screen.getByText('Motivo: saque estranho')).toBeVisible();
    gateway.refuse(adminResumePayouts, 'BANK_BALANCE_LOW');
    await screen.getByRole('button', { name: 'Retomar envios' }).click();
    await dialog.getByLabelText('O que foi conferido').fill('conferido');
    await dialog.getByRole('button', { name: 'Retomar envios' }).click();
    await expect.element(dialog.getByText(/O saldo no banco não cobre/)).toBeVisible();
  });

  test('payouts that wait for the bank’s balance show since when the balance is unknown', async () => {
    gateway.answer(adminPayouts, { ...payouts, bank_in_doubt: true });
    const { screen } = await openWithdrawals();
    await expect.element(screen.getByText('Esperando', { exact: true })).toBeVisible();
    await expect
      .element(screen.getByText('O banco não diz o saldo: nada é enviado até que diga.'))
      .toBeVisible();
    await expect.element(screen.getByText('não lido desde 22/11/2026 01:39')).toBeVisible();
    expect(screen.getByText('Saindo', { exact: true }).elements()).toEqual([]);
  });

  test('further pages load on demand, and an empty list and a failure have messages', async () => {
    const older = { ...adminWithdrawal, id: '22222222-2f60-4a53-9d0e-5a1b7c3e9f12', amount_cents: 12_345 };
    gateway.answer(adminWithdrawals, ({ query }) =>
      query.has('before')
        ? { withdrawals: [older], next: null }
        : { withdrawals: [adminWithdrawal], next: '1.a' },
    );
    const { screen, currentUrl } = await openWithdrawals();
    await screen.getByRole('button', { name: 'Carregar mais' }).click();
    await expect.element(screen.getByText('R$ 123,45')).toBeVisible();
    expect(gateway.calls(adminWithdrawals).at(-1)?.query.get('before')).toBe('1.a');
    gateway.answer(adminWithdrawals, { withdrawals: [], next: null });
    await screen.getByText('Segurados').click();
    await expect.element(screen.getByText('Nenhum saque segurado')).toBeVisible();
    expect(currentUrl()).toBe('/admin/withdrawals?view=held');
    gateway.fail(adminWithdrawals);
    await screen.getByText('Falharam').click();
    await expect.element(screen.getByText('Erro ao buscar saques.')).toBeVisible();
  });

  test('the rows of the previous filter are busy while those of the new filter load, and an empty list is not kept', async () => {
    const { screen } = await openWithdrawals();
    const listBusyState = () =>
      document.querySelector('div[aria-busy]:has(table)')?.getAttribute('aria-busy');
    await expect.poll(listBusyState).toBe('false');
    gateway.stall(adminWithdrawals);
    await screen.getByText('Segurados').click();
    await expect.poll(listBusyState).toBe('true');
    gateway.answer(adminWithdrawals, { withdrawals: [], next: null });
    await screen.getByText('Concluídos').click();
    await expect.element(screen.getByText('Nenhum saque concluído')).toBeVisible();
    gateway.stall(adminWithdrawals);
    await screen.getByText('Falharam').click();
    await expect.poll(() => document.querySelector('table')?.ariaBusy).toBe('true');
    expect(screen.getByText('Nenhum saque falhou').elements()).toEqual([]);
  });
});

const suspensePage = (pix: ResponseOf<typeof adminSuspense>['pix']) => ({
  pix,
  total: pix.length,
  total_amount: 4200,
  page: 1,
  limit: 50,
});

describe('a Pix without an owner', () => {
  const openFirstPix = async () => {
    const { screen } = await renderScreen('/admin/suspense', SuspensePage, { id: 'u2', role: 'ADMIN' });
    await screen.getByRole('button', { name: 'Detalhes' }).click();
    return screen;
  };

  test('is assigned to a merchant found by search; a large one is only proposed', async () => {
    gateway.answer(adminSuspense, suspensePage([pixInSuspense]));
    const searchResult = (id: string, name: string) => ({ ...adminUser, id, name });
    gateway.answer(adminUserBasics, {
      users: [searchResult('u2', 'Eu'), searchResult('u7', 'Maria da Feira')],
      total: 2,
      page: 1,
      limit: 100,
    });
    gateway.answer(adminAssignSuspense, { ...pixInSuspense, proposal });
    const screen = await openFirstPix();
    await expect.element(screen.getByText('Dois administradores.')).toBeVisible();
    await screen.getByRole('button', { name: 'Atribuir' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByLabelText('Motivo').fill('pagou sem o código');
    await dialog.getByRole('button', { name: 'Atribuir' }).click();
    await expect.element(dialog.getByText('Escolha o lojista.')).toBeVisible();
    await dialog.getByLabelText('Lojista').fill('maria');
    await dialog.getByLabelText(/Maria da Feira/).click();
    expect(dialog.getByText('Eu', { exact: true }).elements()).toEqual([]);
    // A new search text clears the picked merchant, so that no money goes to a merchant who is out of sight.
    await dialog.getByLabelText('Lojista').fill('ma');
    await dialog.getByRole('button', { name: 'Atribuir' }).click();
    await expect.element(dialog.getByText('Escolha o lojista.')).toBeVisible();
    expect(gateway.calls(adminAssignSuspense)).toEqual([]);
    await dialog.getByLabelText(/Maria da Feira/).click();
    await dialog.getByRole('button', { name: 'Atribuir' }).click();
    await expect.element(screen.getByText(/Proposta registrada/)).toBeVisible();
    expect(gateway.calls(adminAssignSuspense)[0]?.body).toEqual({
      userId: 'u7',
      reason: 'pagou sem o código',
    });
  });

  test('is confirmed as another administrator proposed it, and never by the administrator who proposed it', async () => {
    gateway.answer(
      adminSuspense,
      suspensePage([{ ...pixInSuspense, proposal: { ...proposal, proposed_by: 'u2' } }]),
    );
    const ownProposalScreen = await openFirstPix();
    await expect.element(ownProposalScreen.getByText(/Você propôs atribuir a Maria da Feira/)).toBeVisible();
    expect(ownProposalScreen.getByRole('button', { name: 'Confirmar' }).elements()).toEqual([]);
    await ownProposalScreen.unmount();
    gateway.answer(adminSuspense, suspensePage([{ ...pixInSuspense, proposal }]));
    gateway.answer(adminAssignSuspense, { ...pixInSuspense, status: 'assigned' });
    const screen = await openFirstPix();
    await expect.element(screen.getByText(/Caio Braga propôs atribuir a Maria da Feira/)).toBeVisible();
    await screen.getByRole('button', { name: 'Confirmar' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByLabelText('Motivo').fill('confere');
    await dialog.getByRole('button', { name: 'Confirmar' }).click();
    await expect.element(screen.getByText('Pix atribuído a Maria da Feira.')).toBeVisible();
    expect(gateway.calls(adminAssignSuspense)[0]?.body).toEqual({ userId: 'u7', reason: 'confere' });
  });

  test('stays in the list when a refresh fails, and the failure is shown', async () => {
    gateway.answer(adminSuspense, suspensePage([pixInSuspense]));
    const { screen } = await renderScreen('/admin/suspense', SuspensePage, { id: 'u2', role: 'ADMIN' });
    await expect.element(screen.getByRole('button', { name: 'Detalhes' })).toBeVisible();
    gateway.fail(adminSuspense);
    await screen.getByRole('button', { name: 'Atualizar' }).click();
    await expect.element(screen.getByText('Erro ao buscar os Pix sem dono.')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Detalhes' })).toBeVisible();
  });

  test('is returned with a reason, and the empty list has a message', async () => {
    gateway.answer(adminSuspense, suspensePage([{ ...pixInSuspense, amount: 25.9 }]));
    gateway.answer(adminReturnSuspense, { ...pixInSuspense, status: 'returning' });
    const screen = await openFirstPix();
    await screen.getByRole('button', { name: 'Devolver' }).click();
    gateway.answer(adminSuspense, suspensePage([]));
    await screen.getByLabelText('Motivo').fill('pagou errado');
    await screen.getByRole('dialog').getByRole('button', { name: 'Devolver' }).click();
    await expect.element(screen.getByText('Devolução a caminho.')).toBeVisible();
    await expect.element(screen.getByText('Nenhum Pix sem dono')).toBeVisible();
  });
});

const proposal = {
  action: 'assign' as const,
  user_id: 'u7',
  user_name: 'Maria da Feira',
  reason: 'pagou sem o código',
  proposed_by: 'u9',
  proposed_by_name: 'Caio Braga',
  proposed_at: '2026-11-22T04:40:00.000Z',
};
