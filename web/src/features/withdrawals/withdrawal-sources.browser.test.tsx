import { ownBank, withdraw, withdrawalSources } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { paidIntoOwnBank } from '../../testing/connection-samples.ts';
import type { StubbedGateway } from '../../testing/stub-gateway.ts';
import { sources } from '../../testing/withdrawal-samples.ts';
import {
  confirmWithPin,
  fillInAndSubmit,
  openForm,
  openScreen,
  stubWithdrawalGateway,
} from '../../testing/withdrawal-screen.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  gateway = await stubWithdrawalGateway();
  gateway.answer(ownBank, paidIntoOwnBank);
  gateway.answer(withdrawalSources, sources);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const ABOVE = 'O valor do saque é maior que o saldo disponível';

test('the form offers the accounts with money, and what is available is what the chosen one has', async () => {
  const { screen } = await openScreen(gateway);
  await expect.element(screen.getByLabelText('Sai de')).toHaveValue('1');
  await expect.element(screen.getByText(/disponível R\$\s4\.103,61/)).toBeVisible();
  await expect
    .element(screen.getByText(/R\$\s41,50 estão em contas das quais a Jangada não envia Pix/))
    .toBeVisible();
  await screen.getByLabelText('Sai de').selectOptions('7');
  await expect.element(screen.getByText(/disponível R\$\s200,00/)).toBeVisible();
  await screen.getByRole('button', { name: 'Sacar tudo' }).click();
  await expect.element(screen.getByLabelText('Valor')).toHaveValue('200,00');
  await screen.getByLabelText('Valor').fill('200,01');
  await screen.getByRole('button', { name: 'Solicitar Saque' }).click();
  await expect.element(screen.getByText(ABOVE)).toBeVisible();
  await screen.getByLabelText('Sai de').selectOptions('1');
  expect(screen.getByText(ABOVE).elements()).toEqual([]);
});

test('a withdrawal from an own account names it, and says that its fee goes on the monthly statement', async () => {
  const { screen } = await openScreen(gateway);
  await screen.getByLabelText('Sai de').selectOptions('7');
  await fillInAndSubmit(screen, '10000');
  const summary = screen.getByRole('complementary', { name: 'Resumo' });
  await expect.element(summary.getByText('R$ 1,50 na fatura do mês')).toBeInTheDocument();
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText('Sai de: Conta da loja, Efí')).toBeVisible();
  await expect.element(dialog.getByText('R$ 100,00', { exact: true })).toBeVisible();
  await expect
    .element(dialog.getByText(/Chegam inteiros à chave; a tarifa de R\$\s1,50 vai na fatura do mês\./))
    .toBeVisible();
  await confirmWithPin(screen);
  await expect.element(screen.getByRole('heading', { name: 'Sucesso!' })).toBeVisible();
  expect(gateway.calls(withdraw).map(({ body }) => body)).toMatchObject([{ amount: 100, from: '7' }]);
});

test('with one account there is nothing to choose, and with none the form says where the money is', async () => {
  gateway.answer(withdrawalSources, { ...sources, sources: sources.sources.slice(1) });
  const one = await openScreen(gateway);
  await expect.element(one.screen.getByText(/disponível R\$\s200,00/)).toBeVisible();
  expect(one.screen.getByLabelText('Sai de').elements()).toEqual([]);
  await one.screen.unmount();
  gateway.answer(withdrawalSources, { ...sources, sources: [] });
  const { screen } = await openScreen(gateway);
  await expect.element(screen.getByText('Não há o que sacar')).toBeVisible();
  await expect.element(screen.getByText(/R\$\s41,50 estão em contas das quais/)).toBeVisible();
});

test('a merchant who is paid into the operator’s account is asked nothing, and the call is as it was', async () => {
  gateway.answer(ownBank, { ...paidIntoOwnBank, is_paid_into_own: false, has_own_accounts: false });
  const { screen } = await openForm(gateway);
  await fillInAndSubmit(screen);
  await confirmWithPin(screen);
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => gateway.calls(withdraw)).toHaveLength(1);
  expect(gateway.calls(withdraw)[0]?.body).not.toHaveProperty('from');
  expect(gateway.calls(withdrawalSources)).toEqual([]);
});
