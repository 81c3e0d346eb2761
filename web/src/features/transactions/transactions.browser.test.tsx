import {
  cancelPayment,
  listRefunds,
  type PaymentStatus,
  paymentTimeline,
  publicSettings,
  type Transaction,
  transactionFeed,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
import { feedOf, refundsOf, settings, transaction } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { TransactionsPage } from './transactions-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(listRefunds, refundsOf(transaction));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const pending: Transaction = {
  ...transaction,
  id: '7f3a9c2e-7c41-4d0e-9b3a-61f2d8c07a55',
  status: 'pending',
  amount: 1250,
  paid_at: null,
};
const paymentStatus: PaymentStatus = {
  id: pending.id,
  external_id: null,
  metadata: {},
  description: null,
  success_url: null,
  checkout_url: 'https://pix.example.com/pagar/00000007k3TzQ9vB2mXw8RfLpYd6HsJc',
  receipt_url: null,
  payment_link_id: null,
  counter_code_id: null,
  status: 'pending',
  amount: 1250,
  credited_amount: 1245.91,
  reserved_amount: 0,
  created_at: pending.created_at,
  paid_at: null,
  expires_at: pending.expires_at,
  refunded_amount: 0,
  end_to_end_id: null,
  payer: null,
  cancelled_at: null,
};
const openList = (url = '/transactions') => renderScreen(url, TransactionsPage);
const lastQuery = () => Object.fromEntries(gateway.calls(transactionFeed).at(-1)?.query ?? []);

test('the list asks for ten rows, and shows the credited amount only where money arrived', async () => {
  gateway.answer(transactionFeed, feedOf([pending, transaction], 1405));
  const { screen } = await openList();
  await expect.element(screen.getByText('Transações 1–10 de', { exact: false })).not.toBeInTheDocument();
  await expect.element(screen.getByText('Transações 1–2 de 1.405')).toBeVisible();
  expect(lastQuery()).toEqual({ offset: '0', limit: '10' });
  await expect
    .element(screen.getByRole('row', { name: /7f3a9c2e .* — R\$ 1\.250,00 Pendente/ }))
    .toBeVisible();
  await expect
    .element(screen.getByRole('row', { name: /5e92fa10 .* R\$ 408,81 R\$ 412,90 Pago/ }))
    .toBeVisible();
});

test('status, page and search are kept in the URL', async () => {
  gateway.answer(transactionFeed, feedOf([transaction], 1405));
  const { screen, currentUrl } = await openList();
  await screen.getByText(/^Pagas/).click();
  await expect.poll(currentUrl).toBe('/transactions?status=paid');
  await screen.getByRole('button', { name: 'Página 3' }).click();
  await expect.poll(currentUrl).toBe('/transactions?status=paid&page=3');
  await expect.poll(lastQuery).toEqual({ offset: '20', limit: '10', status: 'paid' });
  await screen.getByLabelText('Buscar por ID, EndToEndId, valor ou referência').fill('b3077e6d');
  await userEvent.keyboard('{Enter}');
  await expect.poll(currentUrl).toContain('search=b3077e6d');
  await expect.poll(lastQuery).toEqual({ offset: '0', limit: '10', status: 'paid', search: 'b3077e6d' });
});

test('rows of an earlier filter are marked as busy until the current one is loaded', async () => {
  gateway.answer(transactionFeed, feedOf([transaction], 1405));
  const { screen } = await openList();
  const busyAttribute = () => document.querySelector('div[aria-busy]:has(table)')?.getAttribute('aria-busy');
  await expect.element(screen.getByText('Transações 1–1 de 1.405')).toBeVisible();
  expect(busyAttribute()).toBe('false');
  gateway.stall(transactionFeed);
  await screen.getByText(/^Pendentes/).click();
  await expect.poll(busyAttribute).toBe('true');
});

test('a period is chosen by its days, and one that ends before it begins is refused', async () => {
  gateway.answer(transactionFeed, feedOf([transaction]));
  const { screen, currentUrl } = await openList();
  await screen.getByRole('button', { name: 'Período' }).click();
  await screen.getByLabelText('De', { exact: true }).fill('2026-11-21');
  await screen.getByLabelText('Até').fill('2026-10-23');
  await screen.getByRole('button', { name: 'Aplicar' }).click();
  await expect.element(screen.getByText('A data inicial vem depois da final.')).toBeVisible();
  await screen.getByLabelText('De', { exact: true }).fill('2026-10-01');
  await screen.getByRole('button', { name: 'Aplicar' }).click();
  await expect.poll(currentUrl).toBe('/transactions?from=2026-10-01&to=2026-10-23');
  await expect.element(screen.getByRole('button', { name: 'Período: 01/10 – 23/10' })).toBeVisible();
});

test('counts are shown beside the statuses only while they apply to the list', async () => {
  gateway.answer(transactionFeed, feedOf([pending, transaction]));
  const { screen } = await openList();
  await expect.element(screen.getByRole('radio', { name: 'Pagas 1' })).toBeInTheDocument();
  await screen.getByLabelText('Buscar por ID, EndToEndId, valor ou referência').fill('5e');
  await expect.element(screen.getByRole('radio', { name: 'Pagas', exact: true })).toBeInTheDocument();
});

test('each button of the list is described by the row that it opens', async () => {
  gateway.answer(transactionFeed, feedOf([pending, transaction]));
  const { screen } = await openList();
  const row = screen.getByRole('row', { name: /5e92fa10/ });
  await expect
    .element(row.getByRole('button', { name: 'Detalhes' }))
    .toHaveAccessibleDescription(/5e92fa10.* 21\/11\/2026 13:57/);
});

test('the detail contains the content of the QR code, and closing it returns to the list', async () => {
  const written = spyClipboard();
  gateway.answer(transactionFeed, feedOf([pending, transaction]));
  const { screen, currentUrl } = await openList();
  await screen.getByRole('button', { name: 'Detalhes' }).nth(1).click();
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText(transaction.content)).toBeVisible();
  await expect.element(dialog.getByText('− R$ 4,09')).toBeVisible();
  expect(currentUrl()).toContain(transaction.id);
  await dialog.getByRole('button', { name: 'Copiar', exact: true }).click();
  expect(written).toEqual([transaction.content]);
  await dialog.getByRole('button', { name: 'Fechar' }).last().click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(currentUrl()).toBe('/transactions');
});

test('a charge that can still be paid offers its checkout page to send', async () => {
  const written = spyClipboard();
  gateway.answer(transactionFeed, feedOf([pending]));
  const { screen } = await openList(`/transactions?id=${pending.id}`);
  await screen.getByRole('button', { name: 'Copiar link' }).click();
  expect(written).toEqual([pending.checkout_url]);
});

test('where the bank cannot refund, Estornar only shows a message', async () => {
  gateway.answer(publicSettings, { ...settings, refunds: false });
  gateway.answer(transactionFeed, feedOf([transaction]));
  const { screen } = await openList(`/transactions?id=${transaction.id}`);
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await expect.element(screen.getByText('Funcionalidade de estorno não implementada')).toBeVisible();
});

test('on a short screen the message of Estornar is scrolled into view, each time', async () => {
  await page.viewport(390, 480);
  gateway.answer(publicSettings, { ...settings, refunds: false });
  gateway.answer(transactionFeed, feedOf([transaction]));
  const { screen } = await openList(`/transactions?id=${transaction.id}`);
  const refund = screen.getByRole('button', { name: 'Estornar' });
  const message = screen.getByText('Funcionalidade de estorno não implementada');
  await refund.click();
  await expect.element(message).toBeInViewport({ ratio: 1 });
  await expect.element(screen.getByText(transaction.content)).toBeInTheDocument();
  screen.getByText('Valor bruto').element().scrollIntoView({ block: 'start' });
  screen.getByText('Criada em').element().scrollIntoView({ block: 'end' });
  await refund.click();
  await expect.element(message).toBeInViewport({ ratio: 1 });
});

test('a partly refunded payment is marked in the list, at any width', async () => {
  gateway.answer(transactionFeed, feedOf([{ ...transaction, refunded_amount: 40 }]));
  const { screen } = await openList();
  await expect
    .element(screen.getByRole('row', { name: /5e92fa10 .* Pago R\$ 40,00 devolvido/ }))
    .toBeVisible();
  await page.viewport(390, 844);
  await expect.element(screen.getByRole('listitem').getByText('R$ 40,00 devolvido')).toBeVisible();
});

test('a URL with an id opens that transaction, even when the page does not list it', async () => {
  gateway.answer(transactionFeed, ({ query }) => feedOf(query.has('search') ? [transaction] : [pending]));
  const { screen } = await openList(`/transactions?id=${transaction.id}`);
  await expect.element(screen.getByRole('dialog').getByText(transaction.content)).toBeVisible();
});

test('a failed load of the list is shown, and can be retried', async () => {
  gateway.refuse(transactionFeed, 'OVERLOADED');
  const { screen } = await openList();
  await expect.element(screen.getByText('Erro ao buscar transações')).toBeVisible();
  await expect.element(screen.getByText('req_1')).toBeVisible();
  gateway.answer(transactionFeed, feedOf([transaction]));
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByRole('row', { name: /5e92fa10/ })).toBeVisible();
});

test('an empty result says what was searched for, and offers to clear the filter', async () => {
  gateway.answer(transactionFeed, feedOf([]));
  const { screen, currentUrl } = await openList(
    '/transactions?status=pending&search=b3077e6d&from=2026-10-23&to=2026-11-21',
  );
  await expect
    .element(screen.getByText('Nenhuma cobrança pendente com b3077e6d entre 23/10 e 21/11.'))
    .toBeVisible();
  await screen.getByRole('button', { name: 'Limpar filtros' }).click();
  await expect.poll(currentUrl).toBe('/transactions');
  await expect.element(screen.getByText('Nenhuma transação ainda')).toBeVisible();
});

test('a page beyond the end opens the last one', async () => {
  gateway.answer(transactionFeed, ({ query }) =>
    feedOf(Number(query.get('offset')) > 1400 ? [] : [transaction], 1405),
  );
  const { screen, currentUrl } = await openList('/transactions?status=paid&page=999');
  await expect.poll(currentUrl).toBe('/transactions?status=paid&page=141');
  await expect.element(screen.getByText('Transações 1.401–1.401 de 1.405')).toBeVisible();
});

test('on the narrowest phone the filters stay within the screen', async () => {
  // 320 less the margins of the frame, which is not drawn here.
  await page.viewport(288, 640);
  const answer = feedOf([transaction], 1405);
  gateway.answer(transactionFeed, { ...answer, counts: { ...answer.counts, paid: 1284, pending: 1017 } });
  const { screen } = await openList('/transactions?from=2026-10-23&to=2026-11-21');
  const filters = [
    screen.getByRole('group', { name: 'Status' }),
    screen.getByRole('button', { name: /^Período/ }),
    screen.getByRole('searchbox'),
  ];
  for (const filter of filters) {
    await expect.element(filter).toBeVisible();
    const element = filter.element();
    expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth);
    expect(element.getBoundingClientRect().right).toBeLessThanOrEqual(288);
  }
  await screen.getByRole('button', { name: /^Período/ }).click();
  await screen.getByRole('button', { name: 'Limpar' }).click();
  await expect.element(screen.getByRole('radio', { name: 'Pendentes 1.017' })).toBeInTheDocument();
  const statusFilter = screen.getByRole('group', { name: 'Status' }).element();
  expect(statusFilter.scrollWidth).toBeLessThanOrEqual(statusFilter.clientWidth);
  expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth);
});

test('on a phone the rows are a list that opens the same detail', async () => {
  await page.viewport(390, 844);
  gateway.answer(transactionFeed, feedOf([transaction]));
  const { screen } = await openList();
  await screen.getByText('líquido R$ 408,81').click();
  await expect.element(screen.getByRole('dialog')).toBeVisible();
});

test('an open charge can be cancelled from its detail, after a confirmation', async () => {
  gateway.answer(transactionFeed, feedOf([pending]));
  gateway.answer(cancelPayment, {
    ...paymentStatus,
    status: 'expired',
    cancelled_at: '2026-11-21T17:00:00.000Z',
  });
  const { screen } = await openList(`/transactions?id=${pending.id}`);
  await screen.getByRole('button', { name: 'Cancelar cobrança' }).click();
  const confirmation = screen.getByRole('alertdialog', { name: 'Cancelar cobrança' });
  await confirmation.getByRole('button', { name: 'Voltar' }).click();
  expect(gateway.calls(cancelPayment)).toHaveLength(0);
  await screen.getByRole('button', { name: 'Cancelar cobrança' }).click();
  // The confirmation closes and the detail shows the cancellation, although the list does not reload.
  gateway.stall(transactionFeed);
  await confirmation.getByRole('button', { name: 'Cancelar cobrança' }).click();
  await expect.poll(() => gateway.calls(cancelPayment).length).toBe(1);
  await expect.element(confirmation).not.toBeInTheDocument();
  const detail = screen.getByRole('dialog', { name: 'Transação' });
  await expect.element(detail.getByText('Cancelada em')).toBeVisible();
  await expect.element(detail.getByRole('button', { name: 'Cancelar cobrança' })).not.toBeInTheDocument();
});

test('the detail shows the payer, the integrator’s metadata and, when opened, the history', async () => {
  const named = {
    ...transaction,
    external_id: 'pedido-1042',
    metadata: { Mesa: '7' },
    payer: { name: 'Helena Prado', document: '***.533.447-**' },
    description: 'Camiseta Jangada',
    receipt_url: 'https://pix.example.com/comprovante/1',
    payment_link_id: '7d9d6d0e-2b5f-4d7b-9a8e-0f3c5b1a2e44',
  };
  gateway.answer(transactionFeed, feedOf([named]));
  gateway.answer(paymentTimeline, {
    data: [
      {
        at: named.created_at,
        kind: 'created',
        ok: true,
        title: 'Cobrança criada, e aceita pelo banco',
        facts: [{ label: 'Feita', value: 'no painel' }],
        made_by: { id: '32', name: 'Joana Dias', member: false },
      },
      { at: named.paid_at ?? '', kind: 'webhook', ok: false, title: 'Webhook não entregue', facts: [] },
    ],
  });
  const { screen } = await openList(`/transactions?id=${named.id}`);
  for (const text of ['pedido-1042', 'Helena Prado', '***.533.447-**', 'Mesa', 'Camiseta Jangada'])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Link de pagamento' }))
    .toHaveAttribute('href', `/payment-links?id=${named.payment_link_id}`);
  await expect
    .element(screen.getByRole('link', { name: 'Ver comprovante' }))
    .toHaveAttribute('href', named.receipt_url);
  expect(gateway.calls(paymentTimeline)).toHaveLength(0);
  await screen.getByText('O que aconteceu').click();
  await expect.element(screen.getByText('Webhook não entregue')).toBeVisible();
  await expect.element(screen.getByText('no painel')).toBeVisible();
  await expect.element(screen.getByText(/ · por Joana Dias \(não é mais membro\)$/)).toBeVisible();
  expect(screen.getByText(/ · por /).elements()).toHaveLength(1);
});
