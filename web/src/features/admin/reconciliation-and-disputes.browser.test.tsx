// The screens on which an operator watches the gateway: the reconciliation, the disputes and the system's health.

import {
  adminBankMovements,
  adminCloseItem,
  adminDisputeFile,
  adminDisputes,
  adminGetDispute,
  adminOpenItems,
  adminReconciliation,
  adminRecordBankMovement,
  adminResolveRefund,
  adminSystemHealth,
} from '@jangada/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { adminDispute, systemHealth } from '../../testing/admin-money-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { AdminDisputesPage } from './disputes-page.tsx';
import { HealthPage } from './health-page.tsx';
import { ReconciliationPage } from './reconciliation-page.tsx';

let gateway: StubbedGateway;
const admin = { id: 'u2', role: 'ADMIN' } as const;

beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the reconciliation', () => {
  const item = {
    id: 'c3a1e5d2-0000-4d0e-9b3a-61f2d8c07a55',
    kind: 'refund-in-doubt',
    reference: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a55',
    user_id: null,
    detail: { bank_refund_id: 'D7', amount_cents: 2590, at_bank: { status: 'EM_PROCESSAMENTO' } },
    opened_at: '2026-11-22T04:00:00.000Z',
    closed_at: null,
    evidence: null,
  };
  const movements = { movements: [], total: 0, page: 1, limit: 50, fees_balance: 132.4 };
  const day = {
    day: '2026-11-21',
    compared_at: '2026-11-22T06:10:00.000Z',
    received: 8697.4,
    returned: 0,
    sent: 48.5,
    differences: 2,
  };

  beforeEach(() => {
    gateway.answer(adminOpenItems, ({ query }) => {
      const items = query.get('closed') === 'true' ? [] : [item];
      return { items, total: items.length, page: 1, limit: 50 };
    });
    gateway.answer(adminBankMovements, movements);
    gateway.answer(adminReconciliation, {
      days: [day],
      balance: { compared_at: '2026-11-22T06:12:00.000Z', difference: -12.5 },
    });
  });
  const openReconciliation = (address = '/admin/reconciliation') =>
    renderScreen(address, ReconciliationPage, admin);

  test('shows the difference, the open items with their details, the days, and that no item is closed', async () => {
    const { screen, currentUrl } = await openReconciliation();
    await expect.element(screen.getByText('− R$ 12,50')).toBeVisible();
    await screen.getByRole('button', { name: 'Detalhes' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Estorno sem desfecho' });
    for (const text of ['D7', 'R$ 25,90', 'No banco: Status', 'EM_PROCESSAMENTO'])
      await expect.element(dialog.getByText(text, { exact: true })).toBeVisible();
    await dialog.getByText('Fechar').click();
    await screen.getByText('Dias', { exact: true }).click();
    await expect.element(screen.getByRole('table').getByText('2 diferenças')).toBeVisible();
    await expect.element(screen.getByRole('table').getByText('21/11/2026')).toBeVisible();
    expect(currentUrl()).toBe('/admin/reconciliation?view=days');
    await screen.getByText('Encerrados').click();
    await expect.element(screen.getByText('Nenhum item encerrado')).toBeVisible();
  });

  test('the rows of the previous page are busy until the next page is loaded', async () => {
    gateway.answer(adminOpenItems, { items: [item], total: 51, page: 1, limit: 50 });
    const { screen } = await openReconciliation();
    await expect.element(screen.getByText('Itens 1–1 de 51')).toBeVisible();
    const listBusyState = () =>
      document.querySelector('div[aria-busy]:has(table)')?.getAttribute('aria-busy');
    expect(listBusyState()).toBe('false');
    gateway.stall(adminOpenItems);
    await screen.getByRole('button', { name: 'Próxima página' }).click();
    await expect.poll(listBusyState).toBe('true');
  });

  test('an item is closed with evidence of some length, unless its discrepancy still exists', async () => {
    gateway.refuse(adminCloseItem, 'ITEM_STANDS');
    const { screen } = await openReconciliation();
    await screen.getByRole('button', { name: 'Detalhes' }).click();
    await screen.getByRole('button', { name: 'Encerrar item' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByLabelText('O que foi visto').fill('curto');
    await dialog.getByRole('button', { name: 'Encerrar item' }).click();
    await expect.element(dialog.getByText('Descreva o que foi visto.')).toBeVisible();
    expect(gateway.calls(adminCloseItem)).toEqual([]);
    await dialog.getByLabelText('O que foi visto').fill('conferido com o banco, protocolo 9');
    await dialog.getByRole('button', { name: 'Encerrar item' }).click();
    await expect.element(dialog.getByText(/ainda está como estava/)).toBeVisible();
    gateway.answer(adminCloseItem, { ...item, closed_at: '2026-11-22T05:00:00.000Z', evidence: 'x' });
    await dialog.getByRole('button', { name: 'Encerrar item' }).click();
    await expect.element(screen.getByText('Item encerrado.')).toBeVisible();
  });

  test('a refund in doubt is ended with evidence from the bank', async () => {
    gateway.answer(adminResolveRefund, { success: true });
    const { screen } = await openReconciliation();
    await screen.getByRole('button', { name: 'Detalhes' }).click();
    await screen.getByRole('button', { name: 'Encerrar estorno' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByLabelText('Desfecho').selectOptions('refused');
    await dialog.getByLabelText('Prova do banco').fill('o banco mostra que não foi devolvido');
    await dialog.getByRole('button', { name: 'Encerrar' }).click();
    await expect.element(screen.getByText(/Estorno encerrado/)).toBeVisible();
    expect(gateway.calls(adminResolveRefund)[0]?.body).toMatchObject({ outcome: 'refused' });
  });

  test('a movement whose first request failed is sent again with the same idempotency key', async () => {
    const { screen } = await openReconciliation('/admin/reconciliation?view=movements');
    await expect.element(screen.getByText('Nenhum movimento registrado')).toBeVisible();
    await screen.getByRole('button', { name: 'Registrar movimento' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Registrar' }).click();
    await expect.element(dialog.getByText('Por favor, insira um valor válido.')).toBeVisible();
    await dialog.getByLabelText('Movimento').selectOptions('top-up');
    await dialog.getByLabelText('Valor').fill('100,00');
    await dialog.getByLabelText('Descrição').fill('Aporte');
    await dialog.getByLabelText('Quando (opcional)').fill('2026-11-21T23:30');
    gateway.fail(adminRecordBankMovement);
    await dialog.getByRole('button', { name: 'Registrar' }).click();
    await expect.element(dialog.getByText(/Erro ao registrar o movimento/)).toBeVisible();
    const movement = { id: 'm1', kind: 'top-up' as const, amount: 100, description: 'Aporte' };
    const recordedAt = '2026-11-22T04:00:00.000Z';
    gateway.answer(adminRecordBankMovement, {
      ...movement,
      happened_at: recordedAt,
      recorded_at: recordedAt,
    });
    await dialog.getByRole('button', { name: 'Registrar' }).click();
    await expect.element(screen.getByText('Movimento registrado.')).toBeVisible();
    const requests = gateway.calls(adminRecordBankMovement);
    expect(requests.map(({ body }) => body)).toEqual(
      Array.from({ length: 2 }, () => ({
        kind: 'top-up',
        amount: 100,
        description: 'Aporte',
        // Typed in the time of Brasília, wherever the browser is.
        happened_at: '2026-11-22T02:30:00.000Z',
      })),
    );
    expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });

  test('a failure to load can be retried', async () => {
    gateway.fail(adminOpenItems);
    const { screen } = await openReconciliation();
    await expect.element(screen.getByText('Erro ao buscar os itens.')).toBeVisible();
    gateway.answer(adminOpenItems, { items: [], total: 0, page: 1, limit: 50 });
    await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
    await expect.element(screen.getByText('Nada a conferir')).toBeVisible();
  });
});

describe('the disputes of merchants', () => {
  const openDisputes = (address = '/admin/disputes') => renderScreen(address, AdminDisputesPage, admin);

  test('open with their defence, whose files are downloaded one by one', async () => {
    const unassignedDispute = { ...adminDispute, id: '11111111-2f60-4a53-9d0e-5a1b7c3e9f12', user: null };
    gateway.answer(adminDisputes, {
      disputes: [adminDispute, unassignedDispute],
      total: 2,
      page: 1,
      limit: 50,
    });
    gateway.answer(adminGetDispute, adminDispute);
    gateway.answer(adminDisputeFile, { name: 'c.pdf', type: 'application/pdf', content: btoa('%PDF') });
    const { screen, currentUrl } = await openDisputes();
    await expect.element(screen.getByText('Ninguém ainda')).toBeVisible();
    await screen.getByRole('button', { name: 'Detalhes' }).first().click();
    await expect.element(screen.getByText('Entregue em mãos.')).toBeVisible();
    await expect.element(screen.getByText(/O banco a recebeu em/)).toBeVisible();
    expect(currentUrl()).toContain(`id=${adminDispute.id}&user=u7`);
    expect(gateway.calls(adminDisputeFile)).toEqual([]);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    await screen.getByRole('button', { name: 'Baixar comprovante.pdf' }).click();
    await expect.poll(() => gateway.calls(adminDisputeFile).length).toBe(1);
  });

  test('have a message when there are none, or when the requested dispute does not exist', async () => {
    gateway.answer(adminDisputes, { disputes: [], total: 0, page: 1, limit: 50 });
    const { screen } = await openDisputes();
    await expect.element(screen.getByText('Nenhuma disputa aberta')).toBeVisible();
    await screen.unmount();
    gateway.refuse(adminGetDispute, 'DISPUTE_NOT_FOUND');
    const missing = await openDisputes(`/admin/disputes?id=${adminDispute.id}&user=u7`);
    await expect.element(missing.screen.getByText('Disputa não encontrada.')).toBeVisible();
  });
});

describe('the health of the system', () => {
  test('is shown in words, with what waits and since when', async () => {
    gateway.answer(adminSystemHealth, systemHealth);
    const { screen } = await renderScreen('/admin/health', HealthPage, admin);
    await expect.element(screen.getByText('Tudo responde, e há o que olhar.')).toBeVisible();
    await expect.element(screen.getByText('Há itens em aberto na conciliação.')).toBeVisible();
    await expect.element(screen.getByText('something-new')).toBeVisible();
    const row = screen.getByRole('row', { name: /Webhooks aos lojistas/ });
    await expect.element(row.getByText('1.204')).toBeVisible();
    await expect.element(screen.getByText('10/01/2099').or(screen.getByText('09/01/2099'))).toBeVisible();
    await expect.element(screen.getByRole('link', { name: '3', exact: true })).toBeVisible();
    await expect.element(screen.getByText('Réplica de leitura')).not.toBeInTheDocument();
  });

  test.each([
    ['ok', 0.4, 'até 1 s atrás'],
    ['behind', 42, 'atrasada 42 s; lê-se do servidor principal'],
    ['behind', null, 'atrasada; lê-se do servidor principal'],
    ['unavailable', null, 'sem resposta; lê-se do servidor principal'],
    ['not-a-replica', null, 'não é uma réplica; lê-se do servidor principal'],
  ] as const)('shows a read replica that is %s', async (state, lag_seconds, sentence) => {
    gateway.answer(adminSystemHealth, { ...systemHealth, read_replica: { state, lag_seconds } });
    const { screen } = await renderScreen('/admin/health', HealthPage, admin);
    await expect.element(screen.getByText(sentence, { exact: true })).toBeVisible();
  });

  test('shows which part is down, and reports its own failure to load', async () => {
    const unavailableBank = {
      ...systemHealth.psp,
      state: 'unavailable',
      certificate_expires_at: '2020-01-10T12:00:00.000Z',
    };
    gateway.answer(adminSystemHealth, { ...systemHealth, psp: unavailableBank as never, warnings: [] });
    const { screen } = await renderScreen('/admin/health', HealthPage, admin);
    await expect.element(screen.getByText('Algo não responde.')).toBeVisible();
    await expect.element(screen.getByText('Sem resposta')).toBeVisible();
    await expect.element(screen.getByText('venceu')).toBeVisible();
    await screen.unmount();
    gateway.fail(adminSystemHealth);
    const failedScreen = await renderScreen('/admin/health', HealthPage, admin);
    await expect.element(failedScreen.screen.getByText('Erro ao buscar a saúde do sistema.')).toBeVisible();
  });
});
