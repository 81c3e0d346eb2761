import {
  apiKeyStatus,
  enterAccount,
  listPaymentLinks,
  listPayments,
  listRefunds,
  listScopedKeys,
  type MemberRole,
  memberRoles,
  paymentTimeline,
  profile,
  publicSettings,
  transactionFeed,
  webhookSecret,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ApiKeysPage } from '../features/api-keys/api-keys-page.tsx';
import { MemberStartPage } from '../features/dashboard/member-start-page.tsx';
import { PaymentLinksPage } from '../features/payment-links/payment-links-page.tsx';
import { TransactionsPage } from '../features/transactions/transactions-page.tsx';
import { PinMessage } from '../features/withdrawals/pin-message.tsx';
import { session } from '../session/session.ts';
import { holdNavigation } from '../testing/hold-navigation.ts';
import { shopAccount } from '../testing/member-samples.ts';
import { paymentLink } from '../testing/offer-samples.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { feedOf, refundsOf, settings, transaction, user } from '../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../testing/stub-gateway.ts';
import { AccountFrozen } from './layouts/account-frozen.tsx';
import { groupsFor } from './layouts/menu-table.ts';
import { RoleMissing } from './layouts/role-missing.tsx';
import { WithoutAccount } from './layouts/without-account.tsx';
import { paths } from './paths.ts';
import { findRoute, routeAt } from './routes.ts';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
});
afterEach(() => vi.unstubAllGlobals());

const as = (role: MemberRole) => ({ account: { ...shopAccount, role } });
const Nothing = () => <p />;

/** The screens of an account that each role opens, beside those that everybody does. */
const money = [
  paths.disputes,
  paths.withdrawalHistory,
  paths.apiWithdrawals,
  paths.wallet,
  paths.statement,
  paths.bank,
  paths.fees,
];
const offers = [paths.paymentLinks, paths.counterCodes, paths.subscriptions];
const hooks = [paths.webhooks, paths.webhookDeliveries, paths.webhookDoctor];
const openedBy: Readonly<Record<MemberRole, readonly string[]>> = {
  owner: [
    ...money,
    ...offers,
    ...hooks,
    ...[
      paths.transactions,
      paths.pixPayment,
      paths.newSubscription,
      paths.customers,
      paths.reminders,
      paths.withdrawals,
      paths.bankConnect,
      paths.apiKeys,
      paths.members,
    ],
  ],
  finance: [...money, ...offers, paths.transactions, paths.customers, paths.withdrawals],
  operator: [
    ...offers,
    paths.transactions,
    paths.pixPayment,
    paths.newSubscription,
    paths.customers,
    paths.reminders,
  ],
  cashier: [paths.pixPayment, paths.customers],
  accountant: [...money, ...offers, paths.transactions, paths.customers],
  developer: [...hooks, paths.apiKeys],
};
const everybodys: readonly string[] = [
  paths.dashboard,
  paths.apiDocs,
  paths.approvals,
  paths.profile,
  paths.security,
  paths.notifications,
  paths.kycVerification,
];
const screensOfAccounts = [...new Set(Object.values(openedBy).flat()), ...everybodys];

test.each(memberRoles)(
  'the role %s opens its screens, and gets another page at the address of the others',
  async (role) => {
    await renderScreen('/dashboard', Nothing, as(role));
    const isOpened = (path: string) => {
      const found = findRoute({ pathname: path, search: '', hash: '' }, { isPreload: true });
      return found !== undefined && 'Screen' in found && found.Screen === routeAt(path)?.Screen;
    };
    const expected = [...openedBy[role], ...everybodys];
    expect(screensOfAccounts.filter(isOpened).toSorted()).toEqual(expected.toSorted());
  },
);

test('a page that a role may not see says whose it is', async () => {
  const { screen } = await renderScreen('/wallet', RoleMissing, as('cashier'));
  await expect
    .element(
      screen.getByText('O seu papel nesta conta é Caixa. Quem abre esta tela: Dono, Financeiro e Contador.'),
    )
    .toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Ir para o início' }))
    .toHaveAttribute('href', '/dashboard');
});

test('staff who act for an account of somebody else have its screens, and not those of the staff', async () => {
  await renderScreen('/dashboard', Nothing, { role: 'ADMIN', ...as('finance') });
  const found = findRoute({ pathname: paths.adminUsers, search: '', hash: '' }, { isPreload: true });
  expect(found).toEqual({ redirectTo: paths.dashboard });
});

test('of a frozen account only what concerns the person is open, and the way to their own', async () => {
  const opened = holdNavigation();
  gateway.answer(enterAccount, {
    account: { account_id: 'u1', name: 'Marina', role: 'owner', own: true, current: true, frozen: false },
  });
  const { screen } = await renderScreen('/wallet', AccountFrozen, {
    account: { ...shopAccount, frozen: true },
  });
  const screenAt = (path: string) => {
    const found = findRoute({ pathname: path, search: '', hash: '' }, { isPreload: true });
    return found !== undefined && 'Screen' in found ? found.Screen : undefined;
  };
  expect(screenAt(paths.wallet)).not.toBe(routeAt(paths.wallet)?.Screen);
  expect(screenAt(paths.security)).toBe(routeAt(paths.security)?.Screen);
  await expect.element(screen.getByText(/A conta Empório Capibaribe foi congelada/)).toBeVisible();
  await screen.getByRole('button', { name: 'Ir para a minha conta' }).click();
  await expect.poll(() => opened).toEqual(['/dashboard']);
  expect(session.getState().user?.id).toBe('u1');
});

test('the till starts with its own charges of today, each opened where it is paid', async () => {
  gateway.answer(listPayments, {
    data: [transaction, { ...transaction, id: 'other', status: 'pending' }],
    next: null,
  });
  const { screen, currentUrl } = await renderScreen('/dashboard', MemberStartPage, as('cashier'));
  await expect.element(screen.getByRole('link', { name: 'Criar Pagamento' })).toBeVisible();
  await expect.element(screen.getByText('1 paga, R$ 412,90')).toBeVisible();
  await screen.getByRole('row', { name: /Pago/ }).click();
  expect(currentUrl()).toBe(`/pix-payment?id=${transaction.id}`);
});

test('a developer starts with keys, webhooks and documentation', async () => {
  const { screen } = await renderScreen('/dashboard', MemberStartPage, as('developer'));
  for (const name of [/^Chaves de API/, /^Webhooks/, /^Documentação API/])
    await expect.element(screen.getByRole('link', { name })).toBeVisible();
});

test('a developer handles no key that moves money, and does not see the account’s key', async () => {
  const key = {
    id: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a55',
    name: 'Loja online',
    masked: 'jgd_••••••••4f2a',
    scopes: ['read' as const],
    allowed_addresses: [],
    status: 'active' as const,
    created_at: '2026-11-01T15:00:00.000Z',
    expires_at: null,
    last_used_at: null,
    last_used_address: null,
  };
  const withdrawing = {
    ...key,
    id: 'b3c1e5d2-0000-4d0e-9b3a-61f2d8c07a55',
    name: 'Repasses',
    scopes: ['withdrawals' as const],
  };
  gateway.answer(listScopedKeys, { keys: [key, withdrawing] });
  gateway.answer(webhookSecret, { secret: 'whsec_first' });
  const { screen } = await renderScreen('/api-keys', ApiKeysPage, as('developer'));
  await expect.element(screen.getByRole('button', { name: /^Revogar a chave Loja online/ })).toBeVisible();
  expect(screen.getByRole('button', { name: /chave Repasses/ }).elements()).toEqual([]);
  expect(gateway.calls(apiKeyStatus)).toHaveLength(0);
  await screen.getByRole('button', { name: 'Criar chave' }).click();
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByRole('checkbox', { name: /^Cobranças|^Cobrar/ }).first()).toBeVisible();
  expect(dialog.getByRole('checkbox', { name: /Estorn|Sac/ }).elements()).toEqual([]);
});

test('an accountant reads a charge without a button that changes it', async () => {
  gateway.answer(transactionFeed, feedOf([transaction, { ...transaction, id: 'open', status: 'pending' }]));
  gateway.answer(listRefunds, refundsOf(transaction));
  gateway.answer(paymentTimeline, { data: [] });
  for (const [id, button] of [
    [transaction.id, 'Estornar'],
    ['open', 'Cancelar cobrança'],
  ] as const) {
    for (const role of ['owner', 'accountant'] as const) {
      const { screen } = await renderScreen(`/transactions?id=${id}`, TransactionsPage, as(role));
      await expect.element(screen.getByText('Conteúdo do QR Code').first()).toBeVisible();
      const dialog = screen.getByRole('dialog');
      if (role === 'owner') await expect.element(dialog.getByRole('button', { name: button })).toBeVisible();
      else expect(dialog.getByRole('button', { name: button }).elements()).toEqual([]);
      await screen.unmount();
    }
  }
});

test('payment links are created and changed by those who manage charges alone', async () => {
  gateway.answer(listPaymentLinks, { data: [paymentLink], next: null });
  gateway.answer(profile, { user });
  gateway.answer(listPayments, { data: [], next: null });
  for (const [role, isOffered] of [
    ['operator', true],
    ['finance', false],
  ] as const) {
    const { screen } = await renderScreen(`/payment-links?id=${paymentLink.id}`, PaymentLinksPage, as(role));
    const dialog = screen.getByRole('dialog');
    await expect.element(dialog.getByRole('button', { name: 'Fechar' }).last()).toBeVisible();
    // The list behind the dialog has arrived.
    await expect.element(screen.getByText(paymentLink.title).first()).toBeInTheDocument();
    for (const name of ['Editar', 'Desligar', 'Criar link'])
      await expect
        .poll(() => screen.getByRole('button', { name, includeHidden: true }).elements().length)
        .toBe(isOffered ? 1 : 0);
    await screen.unmount();
  }
});

test('whoever withdraws but sets no PIN is told that an owner does', async () => {
  const lookAtPin = (role: MemberRole) =>
    renderScreen(
      '/withdrawals',
      () => (
        <PinMessage
          pin={{ status: 'not_set', lockedUntil: null, heldUntil: null }}
          blocker={undefined}
          onSetPin={() => {}}
          ref={() => {}}
        />
      ),
      as(role),
    );
  const finance = await lookAtPin('finance');
  await expect.element(finance.screen.getByText(/Um dono da conta precisa definir o PIN/)).toBeVisible();
  expect(finance.screen.getByRole('button', { name: 'Definir PIN' }).elements()).toEqual([]);
  await finance.screen.unmount();
  const { screen } = await lookAtPin('owner');
  await expect.element(screen.getByRole('button', { name: 'Definir PIN' })).toBeVisible();
});

test('whoever was removed from their only account finds one page that says so, and what concerns themself', async () => {
  const { screen } = await renderScreen('/dashboard', WithoutAccount, { withoutAccount: true });
  const isOpened = (path: string) => {
    const found = findRoute({ pathname: path, search: '', hash: '' }, { isPreload: true });
    return found !== undefined && 'Screen' in found && found.Screen === routeAt(path)?.Screen;
  };
  expect(screensOfAccounts.filter(isOpened).toSorted()).toEqual(
    [paths.profile, paths.security, paths.notifications, paths.kycVerification].toSorted(),
  );
  const noBank = {
    has_screen: false,
    must_connect: false,
    is_without_payouts: false,
    is_paid_into_own: false,
    has_own_accounts: false,
  };
  expect(groupsFor('USER', undefined, true, noBank, true).flatMap(({ entries }) => entries)).toMatchObject([
    { to: paths.profile },
  ]);
  await expect.element(screen.getByText('Você não é membro de nenhuma conta')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Sair' })).toBeVisible();
});
