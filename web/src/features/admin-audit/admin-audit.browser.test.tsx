import { type AuditEntry, adminAuditLog } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { renderScreen } from '../../testing/render-screen.tsx';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { AdminAuditPage } from './admin-audit-page.tsx';

/** A change of a user by an administrator. */
const userUpdatedEntry: AuditEntry = {
  id: '41',
  at: '2026-11-21T17:32:00.000Z',
  actor: { id: '2', name: 'Clara Barros' },
  action: 'user updated',
  subject: { id: '12', name: 'Severino Maranhão' },
  reason: null,
  before: { in_rate: 99, approved: false },
  after: { in_rate: 125, approved: true },
};
/** An action of the gateway itself, with a reason and without changed values. */
const payoutsStoppedEntry: AuditEntry = {
  ...userUpdatedEntry,
  id: '40',
  actor: null,
  action: 'payouts stopped',
  subject: null,
  reason: 'O saldo no banco não fecha.',
  before: {},
  after: {},
};

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(adminAuditLog, ({ query }) =>
    query.has('before')
      ? { entries: [payoutsStoppedEntry], next: null }
      : { entries: [userUpdatedEntry], next: '41' },
  );
});
afterEach(() => vi.unstubAllGlobals());

const openAuditLog = (address = '/admin/audit-log') =>
  renderScreen(address, AdminAuditPage, { role: 'ADMIN' });
const sentQueries = () => gateway.calls(adminAuditLog).map(({ query }) => query.toString());

test('an entry shows who did what to whom, and its details show the values before and after', async () => {
  const { screen, currentUrl } = await openAuditLog();
  const row = screen.getByRole('table', { name: 'Registro de auditoria' }).getByRole('row').nth(1);
  for (const text of ['21/11/2026 14:32:00', 'Clara Barros', 'Usuário alterado', 'Severino Maranhão'])
    await expect.element(row.getByText(text, { exact: true })).toBeVisible();
  const summary = row.getByText('Tarifa de entrada: 0,99% → 1,25% e mais 1');
  await expect.element(summary).toBeVisible();
  // A space that does not break keeps the number from wrapping onto a line of its own.
  expect(summary.element().textContent).toContain('mais\u00a01');
  await row.getByRole('button', { name: 'Detalhes' }).click();
  expect(currentUrl()).toBe('/admin/audit-log?id=41');
  const changes = screen.getByRole('table', { name: 'O que mudou' });
  await expect.element(changes.getByRole('row', { name: 'Tarifa de entrada 0,99% 1,25%' })).toBeVisible();
  await expect.element(changes.getByRole('row', { name: 'Aprovado Não Sim' })).toBeVisible();
});

test('older entries load on demand, and an action of the gateway itself is shown as Plataforma', async () => {
  const { screen } = await openAuditLog();
  await screen.getByRole('button', { name: 'Carregar mais' }).click();
  const table = screen.getByRole('table');
  await expect.element(table.getByText('Saques parados')).toBeVisible();
  await expect.element(screen.getByText('O saldo no banco não fecha.')).toBeVisible();
  await expect.element(table.getByText('Plataforma').first()).toBeVisible();
  expect(sentQueries()).toEqual(['', 'before=41']);
});

test('the log is filtered by action and by account, and the URL has the filter', async () => {
  const { screen, currentUrl } = await openAuditLog();
  await screen.getByLabelText('Ação').selectOptions('Usuário alterado');
  await expect.poll(currentUrl).toBe('/admin/audit-log?action=user+updated');
  await screen.getByLabelText('Usuário ou ID').fill('12');
  await expect.poll(() => sentQueries().at(-1)).toBe('user=12&action=user+updated');
  await expect.element(screen.getByText('O que fez, e o que foi feito com Severino Maranhão.')).toBeVisible();
});

test('the log is filtered by username, and an unknown username is reported', async () => {
  const { screen } = await openAuditLog();
  await screen.getByLabelText('Usuário ou ID').fill('severino');
  await expect.poll(() => sentQueries().at(-1)).toBe('user=severino');
  await expect.element(screen.getByText('O que fez, e o que foi feito com severino.')).toBeVisible();
  gateway.refuse(adminAuditLog, 'USER_NOT_FOUND');
  await screen.getByLabelText('Usuário ou ID').fill('severinus');
  await expect.element(screen.getByText('Ninguém se chama “severinus” aqui')).toBeVisible();
  expect(screen.getByRole('table').elements()).toEqual([]);
});

test('a filter without results and a failure to load each have a message of their own', async () => {
  gateway.answer(adminAuditLog, { entries: [], next: null });
  const { screen } = await openAuditLog('/admin/audit-log?user=99');
  await expect.element(screen.getByText('Nada com esse filtro')).toBeVisible();
  gateway.refuse(adminAuditLog, 'FORBIDDEN');
  await screen.getByRole('button', { name: 'Limpar filtro' }).click();
  await expect.element(screen.getByText('Erro ao carregar o registro')).toBeVisible();
});
