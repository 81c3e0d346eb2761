import {
  changeMember,
  getApprovalPolicy,
  getHandover,
  getSupportAccess,
  inviteMember,
  listMembers,
  publicSettings,
  removeMember,
  withdrawInvitation,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { policyOff, policyOn } from '../../testing/approval-samples.ts';
import { cashier, finance, holder, invitation, noSupportAccess } from '../../testing/member-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { MembersPage } from './members-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(getHandover, { handover: null });
  gateway.answer(getApprovalPolicy, policyOff);
  gateway.answer(getSupportAccess, noSupportAccess);
  gateway.answer(listMembers, { members: [holder, finance, cashier], invitations: [invitation] });
});
afterEach(() => vi.unstubAllGlobals());

const openPage = (approved = true) => renderScreen('/membros', MembersPage, { approved });
type Screen = Awaited<ReturnType<typeof openPage>>['screen'];
const rowOf = (screen: Screen, name: string) => screen.getByRole('row', { name: new RegExp(name) });
async function openMember(screen: Screen, name: string) {
  await rowOf(screen, name).getByRole('button', { name: 'Alterar' }).click();
  return screen.getByRole('dialog');
}

test('members are listed with role, limits and day, and the holder is not changed', async () => {
  const { screen } = await openPage();
  await expect
    .element(rowOf(screen, 'Rafael Monteiro'))
    .toMatchTextContent(/rafael@example\.com.*Financeiro.*Saques até R\$\s2\.500,00 por dia.*10\/11\/2026/);
  await expect.element(rowOf(screen, 'Marina Albuquerque')).toMatchTextContent(/Titular.*Dono/);
  expect(rowOf(screen, 'Marina Albuquerque').getByRole('button').elements()).toEqual([]);
});

test('the table of roles says of each permission who has it', async () => {
  const { screen } = await openPage();
  const table = screen.getByRole('table', { name: 'O que cada papel pode' });
  const cells = (permission: string) =>
    table
      .getByRole('row', { name: new RegExp(`^${permission}`) })
      .getByRole('cell')
      .elements()
      .map((cell) => (cell.querySelector('[aria-label=Sim]') === null ? '' : 'Sim'));
  await expect.element(table).toBeVisible();
  expect(cells('Sacar')).toEqual(['Sim', 'Sim', '', '', '', '']);
  expect(cells('Criar cobranças')).toEqual(['Sim', '', 'Sim', 'Sim', '', '']);
});

test('an invitation is sent with role and limits, and is listed at once', async () => {
  const invited = {
    ...invitation,
    id: '0193f1c0-0000-7000-8000-0000000000a2',
    email: 'caixa@example.com',
    role: 'finance' as const,
  };
  gateway.answer(inviteMember, () => {
    gateway.answer(listMembers, { members: [holder], invitations: [invited] });
    return { invitation: invited };
  });
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Convidar' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('E-mail').fill(' caixa@example.com ');
  await dialog.getByRole('radio', { name: /^Financeiro/ }).click();
  await dialog.getByLabelText('Limite de saques por dia').fill('150000');
  await dialog.getByRole('button', { name: 'Enviar convite' }).click();
  await expect.element(screen.getByText('caixa@example.com')).toBeVisible();
  expect(gateway.calls(inviteMember).map(({ body }) => body)).toEqual([
    { email: 'caixa@example.com', role: 'finance', refund_limit: null, withdrawal_limit: 1500 },
  ]);
});

test('only limits that mean something for the role are asked for and sent', async () => {
  gateway.answer(inviteMember, { invitation });
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Convidar' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('E-mail').fill('novo@example.com');
  await dialog.getByLabelText('Limite de estornos por dia').fill('5000');
  expect(dialog.getByLabelText('Limite de saques por dia').elements()).toEqual([]);
  await dialog.getByRole('radio', { name: /^Caixa/ }).click();
  expect(dialog.getByLabelText('Limite de estornos por dia').elements()).toEqual([]);
  await dialog.getByRole('button', { name: 'Enviar convite' }).click();
  await expect
    .poll(() => gateway.calls(inviteMember).map(({ body }) => body))
    .toEqual([{ email: 'novo@example.com', role: 'cashier', refund_limit: null, withdrawal_limit: null }]);
});

test('an address without a domain is refused before anything is sent, and a refusal is shown in the form', async () => {
  gateway.refuse(inviteMember, 'MEMBER_EXISTS');
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Convidar' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('E-mail').fill('rafael@example');
  await dialog.getByRole('button', { name: 'Enviar convite' }).click();
  await expect.element(dialog.getByText(/Informe o e-mail inteiro/)).toBeVisible();
  expect(gateway.calls(inviteMember)).toHaveLength(0);
  await dialog.getByLabelText('E-mail').fill('rafael@example.com');
  await dialog.getByRole('button', { name: 'Enviar convite' }).click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/já é membro/);
});

test('role and limits of a member are changed', async () => {
  gateway.answer(changeMember, { member: { ...finance, role: 'accountant', withdrawal_limit: null } });
  const { screen } = await openPage();
  const dialog = await openMember(screen, 'Rafael Monteiro');
  await expect.element(dialog.getByLabelText('Limite de saques por dia')).toHaveValue('2.500,00');
  await dialog.getByRole('radio', { name: /^Contador/ }).click();
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await expect
    .poll(() => gateway.calls(changeMember).map(({ body }) => body))
    .toEqual([{ role: 'accountant', refund_limit: null, withdrawal_limit: null }]);
});

test('a member is removed only once it is said what becomes of their keys', async () => {
  gateway.answer(removeMember, { success: true, revoked_keys: 2 });
  const { screen } = await openPage();
  const dialog = await openMember(screen, 'Joana Dias');
  await dialog.getByRole('button', { name: 'Remover da conta' }).click();
  const removal = screen.getByRole('dialog', { name: 'Remover Joana Dias?' });
  await removal.getByRole('button', { name: 'Remover' }).click();
  await expect.element(removal.getByText('Escolha o que acontece com as chaves.')).toBeVisible();
  expect(gateway.calls(removeMember)).toHaveLength(0);
  gateway.answer(listMembers, { members: [holder, finance], invitations: [invitation] });
  await removal.getByRole('radio', { name: /^Revogar/ }).click();
  await removal.getByRole('button', { name: 'Remover' }).click();
  await expect.element(screen.getByText('Membro removido, chaves revogadas: 2')).toBeVisible();
  await expect.element(rowOf(screen, 'Joana Dias')).not.toBeInTheDocument();
  expect(gateway.calls(removeMember).map(({ body }) => body)).toEqual([{ keys: 'revoke' }]);
});

test('an open invitation is withdrawn', async () => {
  gateway.answer(withdrawInvitation, { success: true });
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Desfazer o convite para contador@example.com' }).click();
  gateway.answer(listMembers, { members: [holder], invitations: [] });
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Desfazer convite' }).click();
  await expect.element(screen.getByText('Convites abertos')).not.toBeInTheDocument();
  expect(gateway.calls(withdrawInvitation)).toHaveLength(1);
});

test('nobody is invited to an account that is not approved, or where no mail is sent', async () => {
  const waiting = await openPage(false);
  await expect.element(waiting.screen.getByText(/assim que ela for aprovada/)).toBeVisible();
  expect(waiting.screen.getByRole('button', { name: 'Convidar' }).elements()).toEqual([]);
  await waiting.screen.unmount();
  gateway.answer(publicSettings, { ...settings, mail: false });
  const { screen } = await openPage();
  await expect.element(screen.getByText(/não envia e-mails/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Convidar' }).elements()).toEqual([]);
});

test('a list that could not be loaded says so, and is loaded again on demand', async () => {
  gateway.fail(listMembers);
  const { screen } = await openPage();
  await expect.element(screen.getByText('Erro ao buscar os membros')).toBeVisible();
  gateway.answer(listMembers, { members: [holder], invitations: [] });
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(rowOf(screen, 'Marina Albuquerque')).toBeVisible();
});

test('before somebody goes without whom nothing could be approved, the dialog says so', async () => {
  const [own, other] = policyOn.approvers;
  if (own === undefined || other === undefined) throw new Error('two approve');
  gateway.answer(getApprovalPolicy, { ...policyOn, approvers: [own, { ...other, id: finance.id }] });
  const { screen } = await renderScreen('/membros', MembersPage);
  await screen
    .getByRole('row', { name: new RegExp(finance.name) })
    .getByRole('button')
    .click();
  await screen.getByRole('button', { name: 'Remover da conta' }).click();
  await expect.element(screen.getByRole('dialog').getByText('Faltariam pessoas que aprovem.')).toBeVisible();
});
