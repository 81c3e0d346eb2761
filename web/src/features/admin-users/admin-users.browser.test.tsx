import {
  adminConfirmIdentity,
  adminFreezeUser,
  adminGetUser,
  adminRecoverAccount,
  adminUpdateUser,
  adminUserBasics,
  getApprovalPolicy,
  profile,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { adminUser } from '../../testing/admin-samples.ts';
import { policyOff, policyOn } from '../../testing/approval-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { AdminUsersPage } from './admin-users-page.tsx';

const pageOf = (users = [adminUser], total = users.length) => ({ users, total, page: 1, limit: 100 });
const frozenUser = {
  ...adminUser,
  frozen_at: '2026-11-21T17:32:00.000Z',
  frozen_because: 'Suspeita de fraude',
};

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(profile, { user });
  gateway.answer(adminUserBasics, pageOf());
  gateway.answer(adminGetUser, { user: adminUser });
  gateway.answer(adminUpdateUser, { user: adminUser });
});
afterEach(() => vi.unstubAllGlobals());

const openPage = (address = '/admin/user-management') =>
  renderScreen(address, AdminUsersPage, { role: 'ADMIN' });
type Screen = Awaited<ReturnType<typeof openPage>>['screen'];
const save = (screen: Screen) => screen.getByRole('button', { name: 'Salvar' }).click();

test('each user is shown with document, balance, status and date', async () => {
  gateway.answer(
    adminUserBasics,
    pageOf([adminUser, { ...adminUser, id: '13', approved: false, apiActive: false }]),
  );
  const { screen } = await openPage();
  const row = screen.getByRole('table', { name: 'Usuários' }).getByRole('row').nth(1);
  for (const text of [
    'severino',
    'Severino Maranhão',
    'severino@example.com',
    '529.982.247-25',
    'R$ 250,40',
    'Aprovado',
    'API Ativa',
    '21/11/2026',
  ])
    await expect.element(row.getByText(text, { exact: true })).toBeVisible();
  await expect.element(screen.getByText('Pendente', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('API Inativa', { exact: true })).toBeVisible();
});

test('on a screen 1366 px wide an e-mail fits on one line, and nothing overflows', async () => {
  await page.viewport(1366, 768);
  const email = 'financeiro@emporiocapibaribe.com.br';
  const longFields = { name: 'Empório Capibaribe Comércio de Alimentos Ltda', email, balance: 1_234_567.89 };
  gateway.answer(adminUserBasics, pageOf([{ ...adminUser, ...longFields, docType: 'CNPJ' }]));
  const { screen } = await openPage();
  // The width that the menu of the panel leaves for the page.
  const main = screen.getByRole('main').element();
  main.setAttribute('style', 'width: 1070px; padding-inline: 12px');
  await expect.element(screen.getByText(email)).toBeVisible();
  const emailElement = screen.getByText(email).element();
  expect(new Set([...emailElement.getClientRects()].map(({ bottom }) => bottom)).size).toBe(1);
  expect(main.scrollWidth).toBe(1070);
});

test('a search is sent once the typing pauses, starts at the first page, and is part of the URL', async () => {
  gateway.answer(adminUserBasics, pageOf([adminUser], 240));
  const { screen, currentUrl } = await openPage('/admin/user-management?page=2');
  await screen.getByLabelText('Buscar por nome, usuário, e-mail ou documento').fill('maranhão');
  await expect.poll(currentUrl).toBe('/admin/user-management?search=maranh%C3%A3o');
  await expect
    .poll(() => gateway.calls(adminUserBasics).map(({ query }) => query.toString()))
    .toEqual(['page=2', 'search=maranh%C3%A3o']);
  gateway.answer(adminUserBasics, pageOf([]));
  await screen.getByLabelText('Buscar por nome, usuário, e-mail ou documento').fill('zzz');
  await expect.element(screen.getByText('Nenhum usuário encontrado')).toBeVisible();
});

test('changed fees and a changed approval are saved with the version that was opened, and without the balance', async () => {
  const { screen } = await openPage('/admin/user-management?id=12');
  const fee = screen.getByLabelText('Entrada (%)');
  await fee.fill('1,255');
  await screen.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(screen.getByText('Use no máximo duas casas decimais.')).toBeVisible();
  await fee.fill('1,25');
  await screen.getByLabelText('Aprovado').click();
  await save(screen);
  await expect.element(screen.getByText('Usuário atualizado')).toBeVisible();
  const request = gateway.calls(adminUpdateUser)[0];
  const { name, email, role, version } = adminUser;
  expect(request?.body).toEqual({
    ...{ name, email, role, version, approved: false, apiActive: true },
    taxes: { ...adminUser.taxes, pix: { ...adminUser.taxes.pix, in: 1.25 } },
  });
  await expect.poll(() => gateway.calls(adminUserBasics)).toHaveLength(2);
});

test('a changed balance needs a reason, and a retry after a failure has the same idempotency key', async () => {
  gateway.fail(adminUpdateUser);
  const { screen } = await openPage('/admin/user-management?id=12');
  await screen.getByLabelText('Saldo disponível').fill('300,00');
  await save(screen);
  await expect.element(screen.getByText('Informe o motivo do ajuste de saldo.')).toBeVisible();
  await expect.element(screen.getByText(/Ajuste de \+/)).toBeVisible();
  await screen.getByLabelText('Motivo do ajuste').fill('Acerto de caixa');
  await save(screen);
  await expect.element(screen.getByText('Erro ao atualizar usuário')).toBeVisible();
  gateway.answer(adminUpdateUser, { user: adminUser });
  await save(screen);
  await expect.poll(() => gateway.calls(adminUpdateUser)).toHaveLength(2);
  const [firstRequest, secondRequest] = gateway.calls(adminUpdateUser);
  expect(secondRequest?.body).toMatchObject({
    balance: 300,
    balance_before: 250.4,
    reason: 'Acerto de caixa',
  });
  expect(secondRequest?.headers.get('idempotency-key')).toBe(firstRequest?.headers.get('idempotency-key'));
});

test('a failure to save is scrolled into view', async () => {
  await page.viewport(390, 700);
  gateway.fail(adminUpdateUser);
  const { screen } = await openPage('/admin/user-management?id=12');
  await screen.getByLabelText('Liberação (dias)').fill('31');
  await save(screen);
  await expect.element(screen.getByText('Erro ao atualizar usuário')).toBeInViewport();
  gateway.refuse(adminUpdateUser, 'EMAIL_TAKEN');
  await screen.getByLabelText('Liberação (dias)').fill('32');
  await save(screen);
  await expect.element(screen.getByLabelText('E-mail')).toHaveFocus();
});

test('an edit of an outdated version is refused, and the current version can be loaded', async () => {
  gateway.refuse(adminUpdateUser, 'STALE_VERSION');
  const { screen } = await openPage('/admin/user-management?id=12');
  await screen.getByLabelText('Nome', { exact: true }).fill('Outro Nome');
  await save(screen);
  await expect
    .element(screen.getByText('Este usuário foi alterado por outra pessoa. Recarregue e tente de novo.'))
    .toBeVisible();
  gateway.answer(adminGetUser, { user: { ...adminUser, name: 'Severino Neto', version: 4 } });
  await screen.getByRole('button', { name: 'Recarregar' }).click();
  await expect.element(screen.getByLabelText('Nome', { exact: true })).toHaveValue('Severino Neto');
});

test('administrators can neither change nor freeze their own account', async () => {
  gateway.answer(adminGetUser, { user: { ...adminUser, id: 'u1', role: 'ADMIN' } });
  const { screen } = await openPage('/admin/user-management?id=u1');
  await expect.element(screen.getByText(/Nome e e-mail mudam em Perfil/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Salvar' })).toBeDisabled();
  await expect.element(screen.getByLabelText('Papel')).toBeDisabled();
  await expect.element(screen.getByLabelText('Saldo disponível')).toBeDisabled();
  await expect.element(screen.getByRole('button', { name: 'Congelar' })).not.toBeInTheDocument();
});

test('a user is frozen with a reason, and then shown as frozen', async () => {
  gateway.answer(adminFreezeUser, { user: frozenUser });
  const { screen } = await openPage('/admin/user-management?id=12');
  await screen.getByRole('button', { name: 'Congelar' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Congelar usuário' });
  await dialog.getByRole('button', { name: 'Congelar' }).click();
  await dialog.getByLabelText('Motivo').fill('ab');
  await dialog.getByRole('button', { name: 'Congelar' }).click();
  await expect.element(dialog.getByText('Descreva o motivo com pelo menos 3 letras.')).toBeVisible();
  await dialog.getByLabelText('Motivo').fill('Suspeita de fraude');
  gateway.answer(adminGetUser, { user: frozenUser });
  await dialog.getByRole('button', { name: 'Congelar' }).click();
  await expect.element(screen.getByText('Congelado em 21/11/2026 às 14:32.')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Descongelar' })).toBeVisible();
  expect(gateway.calls(adminFreezeUser)[0]?.body).toEqual({ reason: 'Suspeita de fraude' });
});

test('Esc asks before changes are discarded, and closes the dialog without a question when there are none', async () => {
  const { screen, currentUrl } = await openPage('/admin/user-management?id=12');
  const name = screen.getByLabelText('Nome', { exact: true });
  await name.fill('Outro Nome');
  await userEvent.keyboard('{Escape}');
  const discardDialog = screen.getByRole('alertdialog', { name: 'Descartar alterações?' });
  await discardDialog.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(name).toHaveValue('Outro Nome');
  await name.fill(adminUser.name);
  await userEvent.keyboard('{Escape}');
  await expect.poll(currentUrl).toBe('/admin/user-management');

  const reopenedPage = await openPage('/admin/user-management?id=12');
  await name.fill('Outro Nome');
  await userEvent.keyboard('{Escape}');
  await discardDialog.getByRole('button', { name: 'Descartar' }).click();
  await expect.poll(reopenedPage.currentUrl).toBe('/admin/user-management');
  expect(gateway.calls(adminUpdateUser)).toEqual([]);
});

test('accounts with a closing request can be filtered, and show its date and what to do', async () => {
  const { screen, currentUrl } = await openPage();
  gateway.answer(adminGetUser, {
    user: { ...adminUser, closing_requested_at: '2026-11-21T17:32:00.000Z', closing_reason: 'Mudei de ramo' },
  });
  await screen.getByLabelText('Pedidos de encerramento').click();
  await expect.poll(currentUrl).toBe('/admin/user-management?closing=true');
  await expect.poll(() => gateway.calls(adminUserBasics).at(-1)?.query.toString()).toBe('closing=true');
  await screen.getByRole('button', { name: 'Editar' }).first().click();
  await expect.element(screen.getByText('Encerramento pedido em 21/11/2026 às 14:32.')).toBeVisible();
  await expect.element(screen.getByText(/“Mudei de ramo” Quando não houver saldo/)).toBeVisible();
});

test('a closing request of a frozen account is shown as done', async () => {
  const moment = '2026-11-21T17:32:00.000Z';
  gateway.answer(adminGetUser, {
    user: { ...adminUser, closing_requested_at: moment, closing_reason: null, frozen_at: moment },
  });
  const { screen } = await openPage('/admin/user-management?id=12');
  await expect.element(screen.getByText(/Atendido: a conta está congelada/)).toBeVisible();
  expect(screen.getByText(/congele a conta/).elements()).toEqual([]);
});

test('failures to load the list and one user are shown', async () => {
  gateway.fail(adminUserBasics);
  gateway.fail(adminGetUser);
  const { screen } = await openPage('/admin/user-management?id=12');
  await expect.element(screen.getByText('Erro ao carregar usuários')).toBeInTheDocument();
  await expect.element(screen.getByText('Erro ao carregar dados do usuário')).toBeVisible();
});

test('a list without a total, from another provider, is read, and a user without id cannot be saved', async () => {
  gateway.answer(adminUserBasics, () => [adminUser] as never);
  gateway.answer(adminGetUser, () => ({ user: { ...adminUser, id: '' } }) as never);
  const { screen } = await openPage('/admin/user-management?id=12');
  await screen.getByLabelText('Nome', { exact: true }).fill('Outro Nome');
  await save(screen);
  await expect
    .element(screen.getByText('ID do usuário não encontrado. Por favor, tente novamente.'))
    .toBeVisible();
});

test('on a phone each user is shown with fewer details', async () => {
  await page.viewport(767, 900);
  const { screen } = await openPage();
  const list = screen.getByRole('list', { name: 'Usuários' });
  await expect.element(list.getByText('Severino Maranhão')).toBeVisible();
  await expect.element(list.getByText('R$ 250,40')).toBeVisible();
  for (const hidden of ['severino@example.com', '529.982.247-25'])
    await expect.element(screen.getByText(hidden)).not.toBeInTheDocument();
});

test('an account that was handed over says who holds it, and that their identity was looked at is recorded', async () => {
  const handedOver = {
    ...adminUser,
    held_by: { id: '34', name: 'Lia Sereno' },
    identity_review_since: '2026-11-21T17:32:00.000Z',
  };
  gateway.answer(adminGetUser, { user: handedOver });
  gateway.answer(adminConfirmIdentity, { success: true });
  const { screen } = await openPage('/admin/user-management?id=12');
  await expect.element(screen.getByText(/A conta mudou de titular em 21\/11\/2026/)).toBeVisible();
  await screen.getByRole('button', { name: 'Registrar conferência' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Identidade conferida' });
  await dialog.getByLabelText('Motivo').fill('Documento de Lia visto.');
  gateway.answer(adminGetUser, { user: { ...handedOver, identity_review_since: null } });
  await dialog.getByRole('button', { name: 'Registrar conferência' }).click();
  await expect.element(screen.getByText(/A conta mudou de titular/)).not.toBeInTheDocument();
  await expect.element(screen.getByText('Lia Sereno')).toBeVisible();
  expect(gateway.calls(adminConfirmIdentity).map(({ body }) => body)).toEqual([
    { reason: 'Documento de Lia visto.' },
  ]);
});

test('nothing about holders is shown for an account that was not handed over', async () => {
  const { screen } = await openPage('/admin/user-management?id=12');
  await expect.element(screen.getByRole('button', { name: 'Olhar a conta' })).toBeVisible();
  expect(screen.getByText('Titular').elements()).toEqual([]);
  expect(screen.getByRole('button', { name: 'Registrar conferência' }).elements()).toEqual([]);
});

test('access is given back with a new e-mail and a reason, which other administrators approve', async () => {
  gateway.answer(getApprovalPolicy, policyOn);
  gateway.refuse(adminRecoverAccount, 'APPROVAL_REQUESTED', { approval_id: 'r1' });
  const { screen } = await openPage(`/admin/user-management?id=${adminUser.id}`);
  await screen.getByRole('button', { name: 'Devolver acesso' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Devolver acesso' });
  await dialog.getByLabelText('Motivo').fill('Documento visto em vídeo');
  await dialog.getByRole('button', { name: 'Devolver acesso' }).click();
  await expect.element(dialog.getByLabelText('E-mail novo')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabelText('E-mail novo').fill('novo@example.com');
  await dialog.getByRole('button', { name: 'Devolver acesso' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.calls(adminRecoverAccount).map(({ body }) => body)).toEqual([
    { email: 'novo@example.com', reason: 'Documento visto em vídeo' },
  ]);
});

test('where the operator has no approvals, the dialog says so and leads there', async () => {
  gateway.answer(getApprovalPolicy, policyOff);
  const { screen } = await openPage(`/admin/user-management?id=${adminUser.id}`);
  await screen.getByRole('button', { name: 'Devolver acesso' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Devolver acesso' });
  await expect.element(dialog.getByText('As aprovações do operador estão desligadas.')).toBeVisible();
  await expect
    .element(dialog.getByRole('link', { name: 'Abrir Aprovações' }))
    .toHaveAttribute('href', '/admin/aprovacoes');
});
