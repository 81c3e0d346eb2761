import {
  approvalOptions,
  approve,
  askToApprove,
  cancelApproval,
  exportApprovals,
  getApproval,
  getApprovalPolicy,
  listApprovals,
  profile,
  rejectApproval,
  retractApproval,
  setApprovalPolicy,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ApprovalSent } from '../../app/layouts/approval-sent.tsx';
import { approvedReason } from '../../panel/approvals/approved-order.ts';
import {
  approvedOwnRequest,
  detailOf,
  onlyOneApproves,
  openRequest,
  policyOff,
  policyOn,
  rejectedRequest,
} from '../../testing/approval-samples.ts';
import { shopAccount } from '../../testing/member-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { AdminApprovalsPage, ApprovalsPage } from './approvals-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(profile, { user, approvals: { waiting: 1 } });
  gateway.answer(listApprovals, {
    open: [approvedOwnRequest, openRequest],
    ended: [rejectedRequest],
    waiting_for_you: 1,
  });
  gateway.answer(getApproval, { approval: detailOf(openRequest) });
  gateway.answer(getApprovalPolicy, policyOn);
});
afterEach(() => vi.unstubAllGlobals());

function Page() {
  return (
    <>
      <ApprovalsPage />
      <ApprovalSent />
    </>
  );
}

const openList = () => renderScreen('/aprovacoes', Page);
const openDetail = () => renderScreen(`/aprovacoes?id=${openRequest.id}`, Page);

test('what waits for the person comes first, and a press opens it', async () => {
  const { screen, currentUrl } = await openList();
  const headings = screen.getByRole('heading', { level: 2 });
  await expect.element(headings.first()).toHaveTextContent('Prontos para você concluir');
  expect(headings.elements().map(({ textContent }) => textContent)).toEqual([
    'Prontos para você concluir',
    'Esperam a sua aprovação',
    'Terminados',
    'Quando se pede aprovação',
  ]);
  const row = screen.getByRole('row', { name: /Saque de R\$ 4\.200,00/ });
  await expect.element(row).toMatchTextContent(/por Marina Albuquerque.*Fora do comum.*1 de 2/);
  await row.getByRole('button', { name: 'Detalhes' }).click();
  expect(currentUrl()).toBe(`/aprovacoes?id=${openRequest.id}`);
});

test('the link of a withdrawal that waits opens its request', async () => {
  const { screen, currentUrl } = await renderScreen(`/aprovacoes?order=${openRequest.order_id}`, Page);
  await expect.element(screen.getByRole('button', { name: 'Aprovar' })).toBeVisible();
  expect(currentUrl()).toBe(`/aprovacoes?id=${openRequest.id}`);
});

test('a request shows what is unusual, who approved by which means, and the exact text on demand', async () => {
  const { screen } = await openDetail();
  await expect.element(screen.getByText('A conta nunca enviou dinheiro para esta chave Pix.')).toBeVisible();
  await expect.element(screen.getByText(/Foi pedido à noite/)).toBeVisible();
  await expect.element(screen.getByText(/É maior que todos os saques/)).toBeVisible();
  await expect.element(screen.getByText(/com chave de acesso, em/)).toBeVisible();
  await expect.element(screen.getByText(/jangada-approval\/1/)).not.toBeVisible();
  await screen.getByText('Ver o texto que se assina').click();
  await expect.element(screen.getByText(/jangada-approval\/1/)).toBeVisible();
  await expect.element(screen.getByText(detailOf(openRequest).digest)).toBeVisible();
});

test('a request is approved with the code of the app, and then shows the approval', async () => {
  gateway.answer(approvalOptions, { methods: ['totp'], options: null, digest: '' });
  gateway.answer(approve, {
    approval: {
      ...detailOf(openRequest),
      status: 'done',
      may_approve: false,
      ended_at: '2026-11-22T12:00:00.000Z',
    },
  });
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Aprovar' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Código do aplicativo autenticador').fill('123 456');
  await dialog.getByRole('button', { name: 'Aprovar' }).click();
  await expect.element(screen.getByText('Pedido aprovado')).toBeVisible();
  expect(gateway.calls(approve).map(({ body }) => body)).toEqual([{ code: '123456' }]);
});

test('a wrong code is said in the dialog, which stays', async () => {
  gateway.answer(approvalOptions, { methods: ['totp'], options: null, digest: '' });
  gateway.refuse(approve, 'SECOND_FACTOR_WRONG');
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Aprovar' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Código do aplicativo autenticador').fill('123456');
  await dialog.getByRole('button', { name: 'Aprovar' }).click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/não confere/);
});

test('whoever does not count yet asks the others, and is told that they were asked', async () => {
  gateway.refuse(approvalOptions, 'APPROVER_NOT_COUNTED');
  gateway.refuse(askToApprove, 'APPROVAL_REQUESTED', { approval_id: approvedOwnRequest.id });
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Aprovar' }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Pedir que conte' }).click();
  const sent = screen.getByRole('dialog', { name: 'Pedido enviado a quem aprova' });
  await expect
    .element(sent.getByRole('link', { name: 'Ver o pedido' }))
    .toHaveAttribute('href', `/aprovacoes?id=${approvedOwnRequest.id}`);
  expect(gateway.calls(askToApprove).map(({ body }) => body)).toEqual([{ of: 'account' }]);
});

test('a request is rejected with a reason', async () => {
  gateway.answer(rejectApproval, {
    approval: { ...detailOf(openRequest), status: 'rejected', reason: 'Chave errada', may_approve: false },
  });
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Recusar' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Motivo (opcional)').fill(' Chave errada ');
  await dialog.getByRole('button', { name: 'Recusar' }).click();
  await expect.element(screen.getByText('Pedido recusado')).toBeVisible();
  expect(gateway.calls(rejectApproval).map(({ body }) => body)).toEqual([{ reason: 'Chave errada' }]);
});

test('whoever approved may take it back', async () => {
  const [first] = openRequest.approvals;
  const approved = {
    ...detailOf(openRequest),
    may_approve: false,
    approvals: first ? [{ ...first, is_own: true }] : [],
  };
  gateway.answer(getApproval, { approval: approved });
  gateway.answer(retractApproval, { approval: { ...approved, approvals: [], may_approve: true } });
  const { screen } = await openDetail();
  await expect.element(screen.getByText(/^Você aprovou\./)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Aprovar', exact: true }).elements()).toEqual([]);
  await screen.getByRole('button', { name: 'Retirar minha aprovação' }).click();
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Retirar aprovação' }).click();
  await expect.element(screen.getByText('Aprovação retirada')).toBeVisible();
  expect(gateway.calls(retractApproval)).toHaveLength(1);
});

test('whoever asked does not approve, and may give the request up', async () => {
  const own = { ...detailOf(openRequest), is_maker: true, may_approve: false };
  gateway.answer(getApproval, { approval: own });
  gateway.answer(cancelApproval, { approval: { ...own, status: 'cancelled' } });
  const { screen } = await openDetail();
  await expect.element(screen.getByText(/Você pediu isto, e por isso outra pessoa precisa/)).toBeVisible();
  for (const name of ['Aprovar', 'Recusar'])
    expect(screen.getByRole('button', { name, exact: true }).elements()).toEqual([]);
  await screen.getByRole('button', { name: 'Desistir do pedido' }).click();
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Desistir' }).click();
  await expect.element(screen.getByText('Pedido desfeito')).toBeVisible();
});

test('an approved act of one’s own says where to conclude it', async () => {
  gateway.answer(getApproval, { approval: detailOf(approvedOwnRequest) });
  const { screen } = await openDetail();
  await expect.element(screen.getByText(/Conclua-o até/)).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'Concluir' })).toHaveAttribute('href', '/api-keys');
});

test('the reason of an approved act comes along to where it is concluded, and only there', async () => {
  const order = { user: '7', id: 'w1', amount_cents: 500, reason: 'Conferido por telefone' };
  gateway.answer(getApproval, {
    approval: {
      ...detailOf(approvedOwnRequest),
      kind: 'held-withdrawal',
      document: JSON.stringify({ order }),
    },
  });
  const { screen, currentUrl } = await renderScreen(
    `/admin/aprovacoes?id=${approvedOwnRequest.id}`,
    AdminApprovalsPage,
    { role: 'ADMIN' },
  );
  await expect.element(screen.getByText(/O motivo já vem preenchido/)).toBeVisible();
  await screen.getByRole('link', { name: 'Concluir' }).click();
  expect(currentUrl()).toBe('/admin/withdrawals?view=held');
  expect(approvedReason('held-withdrawal', { user: '7', id: 'w1' })).toBe('Conferido por telefone');
  expect(approvedReason('held-withdrawal', { user: '7', id: 'w2' })).toBe('');
  expect(approvedReason('payouts')).toBe('');
});

test('who confirms reads the facts of the request in the dialog too', async () => {
  gateway.answer(approvalOptions, { methods: ['totp'], options: null, digest: '' });
  const facts = [{ label: 'Limite por dia, sem aprovação', value: 'R$ 100,00 → R$ 999.999.999,99' }];
  gateway.answer(getApproval, { approval: { ...detailOf(openRequest), facts } });
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Aprovar' }).click();
  await expect
    .element(screen.getByRole('dialog'))
    .toMatchTextContent(/Limite por dia, sem aprovação.*R\$ 100,00 → R\$ 999\.999\.999,99/);
});

test('a rejected request names who rejected it, and speaks of money only where some was held', async () => {
  gateway.answer(getApproval, { approval: { ...detailOf(rejectedRequest), kind: 'policy' } });
  const { screen } = await openDetail();
  await expect.element(screen.getByText('Rafael Monteiro recusou. Nada foi feito.')).toBeVisible();
});

test('the approvals are saved as the file from which they are checked', async () => {
  gateway.answerFile(exportApprovals, new Blob(['{}']));
  const { screen } = await openList();
  await screen.getByRole('button', { name: 'Baixar para conferir' }).click();
  await expect.poll(() => gateway.calls(exportApprovals)[0]?.query.get('of')).toBe('account');
});

test('too few people who approve are said on the page, before something waits for nobody', async () => {
  gateway.answer(getApprovalPolicy, {
    ...policyOn,
    approvers: onlyOneApproves,
  });
  const { screen } = await openList();
  await expect.element(screen.getByText('Faltam pessoas que aprovem.')).toBeVisible();
});

test('a request whose time is over offers nothing any more', async () => {
  gateway.answer(getApproval, {
    approval: { ...detailOf(openRequest), expires_at: '2026-11-01T12:00:00.000Z', may_approve: false },
  });
  const { screen } = await openDetail();
  await expect.element(screen.getByText('Vencido')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Recusar' }).elements()).toEqual([]);
});

test('a request of another account is not found, and that is said', async () => {
  gateway.refuse(getApproval, 'APPROVAL_NOT_FOUND');
  const { screen } = await openDetail();
  await expect.element(screen.getByText(/troque de conta no menu/)).toBeVisible();
});

test('an owner switches the policy on, with terms that they chose', async () => {
  gateway.answer(listApprovals, { open: [], ended: [], waiting_for_you: 0 });
  gateway.answer(getApprovalPolicy, policyOff);
  gateway.answer(setApprovalPolicy, policyOn);
  const { screen } = await openList();
  await screen.getByRole('button', { name: 'Ligar aprovações' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('A partir de').fill('150000');
  await dialog.getByLabelText('Prazo').selectOptions('1 dia');
  await dialog.getByLabelText(/Só chaves de acesso/).click();
  gateway.answer(getApprovalPolicy, policyOn);
  await dialog.getByRole('button', { name: 'Ligar', exact: true }).click();
  await expect.element(screen.getByText(/De R\$\s1\.500,00 em diante/)).toBeVisible();
  expect(gateway.calls(setApprovalPolicy).map(({ body }) => body)).toEqual([
    { enabled: true, from: 1500, approvals: 1, expires_hours: 24, passkeys_only: true, of: 'account' },
  ]);
});

test('with too few people, the form says so before it is sent, and the refusal says so too', async () => {
  gateway.answer(getApprovalPolicy, {
    ...policyOff,
    approvers: onlyOneApproves,
  });
  gateway.refuse(setApprovalPolicy, 'APPROVERS_TOO_FEW');
  const { screen } = await openList();
  await screen.getByRole('button', { name: 'Ligar aprovações' }).click();
  const dialog = screen.getByRole('dialog');
  // More approvals than people could give are not offered.
  expect(dialog.getByLabelText('Quantas aprovações').getByRole('option').elements()).toHaveLength(1);
  await expect.element(dialog.getByText(/Hoje 1 pessoa aprova.*são necessárias 2/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Ligar', exact: true }).click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/Faltam pessoas que aprovem/);
  expect(dialog.getByText(/Hoje 1 pessoa aprova/).elements()).toEqual([]);
});

test('under a policy, switching it off is a request', async () => {
  gateway.refuse(setApprovalPolicy, 'APPROVAL_REQUESTED', { approval_id: openRequest.id });
  const { screen } = await openList();
  await screen.getByRole('button', { name: 'Desligar' }).click();
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Pedir para desligar' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'Pedido enviado a quem aprova' })).toBeVisible();
  expect(screen.getByRole('alertdialog').elements()).toEqual([]);
});

test('under a policy, a change is a request too, and the form closes', async () => {
  gateway.refuse(setApprovalPolicy, 'APPROVAL_REQUESTED', { approval_id: openRequest.id });
  const { screen } = await openList();
  await screen.getByRole('button', { name: 'Mudar', exact: true }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Pedir a mudança' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'Pedido enviado a quem aprova' })).toBeVisible();
  await expect.poll(() => screen.getByRole('dialog').elements()).toHaveLength(1);
});

test('whoever does not approve sees their own requests and no means to decide', async () => {
  gateway.answer(listApprovals, {
    open: [{ ...openRequest, may_approve: false, is_maker: true }],
    ended: [],
    waiting_for_you: 0,
  });
  const { screen } = await renderScreen('/aprovacoes', Page, {
    account: { ...shopAccount, role: 'operator' },
  });
  await expect.element(screen.getByText('Esperam aprovação')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Desligar' }).elements()).toEqual([]);
});

test('a list that could not be loaded says so, and is loaded again on demand', async () => {
  gateway.fail(listApprovals);
  const { screen } = await openList();
  await expect.element(screen.getByText('Erro ao buscar os pedidos')).toBeVisible();
  gateway.answer(listApprovals, { open: [openRequest], ended: [], waiting_for_you: 1 });
  await screen.getByRole('button', { name: 'Tentar Novamente' }).first().click();
  await expect.element(screen.getByRole('row', { name: /Saque de R\$ 4\.200,00/ })).toBeVisible();
});
