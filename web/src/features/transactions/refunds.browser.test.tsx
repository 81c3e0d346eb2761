import {
  errors,
  listRefunds,
  profile,
  publicSettings,
  type Refund,
  refundPayment,
  transactionFeed,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { setBalanceHidden } from '../../session/balance-privacy.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { feedOf, refund, refundsOf, settings, transaction, user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { TransactionsPage } from './transactions-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  sessionStorage.clear();
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(profile, { user });
  gateway.answer(transactionFeed, feedOf([transaction]));
  gateway.answer(listRefunds, refundsOf(transaction));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openDetail = () => renderScreen(`/transactions?id=${transaction.id}`, TransactionsPage);
const processing: Refund = { ...refund, status: 'processing', completed_at: null };
const bodies = () => gateway.calls(refundPayment).map(({ body }) => body);

/**
 * Stubs a gateway that accepts a refund, and lists that refund afterwards; by default the refund is in
 * progress.
 */
function stubRefunds(accepted: Refund = processing) {
  gateway.answer(refundPayment, () => {
    gateway.answer(listRefunds, refundsOf(transaction, [accepted]));
    return accepted;
  });
}

test('a refund names who asked for it, and its origin when nobody did in the dashboard', async () => {
  const maker = { id: '32', name: 'Joana Dias', member: true };
  gateway.answer(
    listRefunds,
    refundsOf(transaction, [
      { ...refund, id: 'r1', made_by: maker },
      { ...refund, id: 'r2', origin: 'api', made_by: null },
    ]),
  );
  const { screen } = await openDetail();
  await expect.element(screen.getByText(/· pedido por Joana Dias/)).toBeVisible();
  await expect.element(screen.getByText(/· pedido pela API/)).toBeVisible();
});

test('a full refund sends the amount shown, and is listed in the detail while it is in progress', async () => {
  stubRefunds({ ...processing, amount: 412.9 });
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await expect.element(screen.getByText(/A tarifa de R\$\s4,09 não é devolvida\./)).toBeVisible();
  await expect.element(screen.getByText('Aparece neste painel e no registro do banco.')).toBeVisible();
  await screen.getByRole('button', { name: 'Estornar R$ 412,90' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Estornos' })).toBeVisible();
  await expect.element(screen.getByText('A caminho')).toBeVisible();
  expect(bodies()).toEqual([{ id: expect.stringMatching(/^\w{32}$/), amount: 412.9, reason: '' }]);
  await expect.element(screen.getByRole('button', { name: 'Estornar' })).not.toBeInTheDocument();
});

test('a partial refund is typed, limited to what is left, and sent with its reason', async () => {
  stubRefunds();
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await screen.getByText('Uma parte').click();
  const amount = screen.getByLabelText('Valor a devolver');
  await screen.getByRole('button', { name: 'Estornar', exact: true }).click();
  await expect.element(screen.getByText('Por favor, insira um valor válido.')).toBeVisible();
  await amount.fill('412,91');
  await screen.getByRole('button', { name: 'Estornar', exact: true }).click();
  await expect.element(screen.getByText('O valor máximo é R$ 412,90.')).toBeVisible();
  // Neither the button nor the rows below it show an amount that cannot be refunded.
  expect(screen.getByText(/412,91/).elements()).toEqual([]);
  expect(bodies()).toEqual([]);
  await amount.fill('40,00');
  await screen.getByLabelText('Motivo (opcional)').fill('Produto em falta');
  await screen.getByRole('button', { name: 'Estornar R$ 40,00' }).click();
  await expect.element(screen.getByText(/pedido no painel · Produto em falta/)).toBeVisible();
  expect(bodies()).toEqual([{ id: expect.any(String), amount: 40, reason: 'Produto em falta' }]);
});

test('a balance that does not cover the payment is shown beforehand, as the maximum of a partial refund', async () => {
  gateway.answer(profile, { user: { ...user, balance: 100.5 } });
  gateway.refuse(refundPayment, 'INSUFFICIENT_BALANCE');
  const { screen } = await openDetail();
  await queryClient.fetchQuery(profileQuery);
  await screen.getByRole('button', { name: 'Estornar' }).click();
  const warning = screen.getByText('Seu saldo disponível não cobre este estorno.');
  await expect.element(warning).toBeVisible();
  await screen.getByText('Uma parte').click();
  await expect.element(screen.getByText('Máximo R$ 100,50, o seu saldo disponível.')).toBeVisible();
  await expect.element(warning).not.toBeInTheDocument();
  await screen.getByLabelText('Valor a devolver').fill('200,00');
  await screen.getByRole('button', { name: 'Estornar R$ 200,00' }).click();
  await expect.element(screen.getByText('Saldo insuficiente.')).toBeVisible();
  await expect.element(screen.getByLabelText('Valor a devolver')).toHaveFocus();
  await expect.element(screen.getByRole('button', { name: 'Estornar', exact: true })).toBeVisible();
  setBalanceHidden(true);
  await screen.getByLabelText('Valor a devolver').fill('50,00');
  await expect.element(screen.getByText('Máximo: o seu saldo disponível.')).toBeVisible();
  expect(screen.getByText(/100,50/).elements()).toEqual([]);
  setBalanceHidden(false);
});

test('only what has not been refunded yet can be refunded', async () => {
  gateway.answer(transactionFeed, feedOf([{ ...transaction, refunded_amount: 40 }]));
  gateway.answer(listRefunds, refundsOf(transaction, [refund]));
  const { screen } = await openDetail();
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText('− R$ 40,00')).toBeVisible();
  await expect.element(dialog.getByText('19/02/2027')).toBeVisible();
  await dialog.getByRole('button', { name: 'Estornar' }).click();
  await expect.element(screen.getByText('Todo o restante')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Estornar R$ 372,90' })).toBeVisible();
});

test('a refusal shows the server’s message, and the next attempt is a new request', async () => {
  gateway.refuse(refundPayment, 'INSUFFICIENT_BALANCE');
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await screen.getByRole('button', { name: 'Estornar R$ 412,90' }).click();
  await expect.element(screen.getByText('Saldo insuficiente.')).toBeVisible();
  await screen.getByRole('button', { name: 'Estornar R$ 412,90' }).click();
  await expect.poll(bodies).toHaveLength(2);
  const [first, second] = gateway.calls(refundPayment);
  expect(second?.body).not.toEqual(first?.body);
  expect(second?.headers.get('idempotency-key')).not.toBe(first?.headers.get('idempotency-key'));
});

test('a double click requests one refund', async () => {
  stubRefunds();
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Estornar' }).click();
  const confirm = screen.getByRole('button', { name: 'Estornar R$ 412,90' }).element();
  for (const detail of [1, 2])
    confirm.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }));
  await expect.poll(bodies).toHaveLength(1);
  await expect.element(screen.getByRole('dialog', { name: 'Estornar pagamento' })).not.toBeInTheDocument();
  expect(bodies()).toHaveLength(1);
});

test('a refusal disappears once the amount is changed', async () => {
  gateway.refuse(refundPayment, 'INSUFFICIENT_BALANCE');
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await screen.getByRole('button', { name: 'Estornar R$ 412,90' }).click();
  await expect.element(screen.getByText('Saldo insuficiente.')).toBeVisible();
  await screen.getByText('Uma parte').click();
  await expect.element(screen.getByText('Saldo insuficiente.')).not.toBeInTheDocument();
});

test('a request without a response can only be repeated unchanged, even after a reload', async () => {
  gateway.disconnect(refundPayment);
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await screen.getByText('Uma parte').click();
  await screen.getByLabelText('Valor a devolver').fill('40,00');
  await screen.getByRole('button', { name: 'Estornar R$ 40,00' }).click();
  await expect.element(screen.getByText('O pedido ficou sem confirmação.')).toBeVisible();
  expect(screen.getByText(/Erro ao pedir o estorno/).elements()).toEqual([]);
  // The response to a later attempt says nothing about the first attempt.
  for (const code of ['INTERNAL', 'RATE_LIMITED'] as const) {
    gateway.refuse(refundPayment, code);
    await screen.getByRole('button', { name: 'Tentar de novo' }).click();
    await expect.poll(bodies).toHaveLength(code === 'INTERNAL' ? 2 : 3);
    expect(screen.getByRole('alert').elements()).toHaveLength(1);
  }
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent(
      `O pedido ficou sem confirmação. ${errors.RATE_LIMITED.message} Não sabemos se ele foi feito. Tente de novo: é o mesmo pedido, e o valor não é devolvido duas vezes.`,
    );
  await screen.unmount();

  const reopened = (await openDetail()).screen;
  await reopened.getByRole('button', { name: 'Estornar' }).click();
  await expect.element(reopened.getByText('O pedido ficou sem confirmação.')).toBeVisible();
  stubRefunds();
  await reopened.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect.element(reopened.getByText('A caminho')).toBeVisible();
  const [first, ...others] = gateway.calls(refundPayment);
  expect(others).toHaveLength(3);
  for (const other of others) {
    expect(other.body).toEqual(first?.body);
    expect(other.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'));
  }
  expect(sessionStorage.length).toBe(0);
});

test('a broken response shows one notice, which disappears once the refund is in the list', async () => {
  gateway.fail(refundPayment);
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await screen.getByText('Uma parte').click();
  await screen.getByLabelText('Valor a devolver').fill('40,00');
  await screen.getByRole('button', { name: 'Estornar R$ 40,00' }).click();
  await expect.element(screen.getByText('O pedido ficou sem confirmação.')).toBeVisible();
  expect(screen.getByRole('alert').elements()).toHaveLength(1);
  expect(screen.getByText(/Erro ao pedir o estorno/).elements()).toEqual([]);
  const [sent] = bodies();
  const ownId = String(new Map(Object.entries(sent ?? {})).get('id'));
  gateway.answer(listRefunds, refundsOf(transaction, [{ ...refund, refund_id: ownId }]));
  await queryClient.invalidateQueries();
  await expect.element(screen.getByText('Devolvido', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('O pedido ficou sem confirmação.')).not.toBeInTheDocument();
  expect(sessionStorage.length).toBe(0);
});

test('the reason why a payment cannot be refunded now replaces the button', async () => {
  const because = 'Este pagamento está em disputa no banco e não pode ser estornado agora.';
  gateway.answer(listRefunds, { ...refundsOf(transaction), blocked_because: because });
  const { screen } = await openDetail();
  await expect.element(screen.getByText(because)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Estornar' })).not.toBeInTheDocument();
});

test('when the whole payment is being refunded, the list shows that instead of a button or a reason', async () => {
  const because = 'O valor passa do que ainda pode ser estornado.';
  const all = refundsOf(transaction, [{ ...processing, amount: 412.9 }]);
  gateway.answer(listRefunds, { ...all, blocked_because: because });
  const { screen } = await openDetail();
  await expect.element(screen.getByText('A caminho')).toBeVisible();
  await expect.element(screen.getByText(because)).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'Estornar' })).not.toBeInTheDocument();
});

test('a failed refund shows its reason, and a refund made by the bank is marked as such', async () => {
  const failed: Refund = {
    ...refund,
    id: 'r2',
    status: 'failed',
    error: 'A conta de quem pagou foi encerrada.',
  };
  const bank: Refund = { ...refund, id: 'r3', origin: 'bank', reason: '' };
  gateway.answer(listRefunds, refundsOf(transaction, [failed, bank]));
  const { screen } = await openDetail();
  await expect.element(screen.getByText('A conta de quem pagou foi encerrada.')).toBeVisible();
  await expect.element(screen.getByText('21/11/2026 14:30 · devolvido pelo banco')).toBeVisible();
});

test('pressing the refund button retries a failed load of the refunds', async () => {
  gateway.fail(listRefunds);
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await expect.element(screen.getByText('Erro ao buscar os estornos. Tente de novo.')).toBeVisible();
  gateway.answer(listRefunds, refundsOf(transaction));
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await expect.element(screen.getByRole('button', { name: 'Estornar R$ 412,90' })).toBeVisible();
});

test('after Cancelar the focus returns to Estornar', async () => {
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await screen.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(screen.getByRole('button', { name: 'Estornar' })).toHaveFocus();
});

// This test is the last, because a call that the provider lacks is not made again.
test('a provider without refunds gets the message of the specification', async () => {
  gateway.refuse(listRefunds, 'METHOD_NOT_ALLOWED');
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await expect.element(screen.getByText('Funcionalidade de estorno não implementada')).toBeVisible();
});
