import {
  adminSystemHealth,
  getKyc,
  getSecurity,
  listNotifications,
  ownBank,
  profile,
  publicSettings,
  type Role,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { call } from '../../api/client.ts';
import { liveStore } from '../../api/live-state.ts';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { securityQuery } from '../../features/security/use-security.ts';
import { formatMoney } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { paidIntoOwnBank } from '../../testing/connection-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { kycNone, settings, user, userWithParts } from '../../testing/samples.ts';
import { security } from '../../testing/security-samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { PageHeader } from '../../ui/index.ts';
import { FactorBanner } from './banners.tsx';
import { PanelLayout } from './panel-layout.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(profile, { user });
  gateway.answer(listNotifications, { notifications: [], unread: 0, next: null });
  gateway.answer(getKyc, kycNone);
});
afterEach(() => vi.unstubAllGlobals());

const Frame = () => (
  <PanelLayout>
    <PageHeader title="Tela" />
    <p style={{ height: 3000 }} />
    <Link to="/wallet">Outra tela</Link>
  </PanelLayout>
);
function openPanel(role: Role = 'USER', approved = true, isAccountLoaded = true) {
  if (isAccountLoaded) gateway.answer(profile, { user: { ...user, role, approved } });
  else gateway.stall(profile);
  return renderScreen('/dashboard', Frame, { role, approved });
}
type Screen = Awaited<ReturnType<typeof openPanel>>['screen'];
const menuOf = (screen: Screen) => screen.getByRole('navigation', { name: 'Menu' });

// This test is the first, because the account that a later test loads stays cached.
test('the top bar shows the balance once it is loaded, and no amount before', async () => {
  const first = await openPanel('USER', true, false);
  await expect.element(first.screen.getByText('Saldo', { exact: true })).toBeVisible();
  expect(first.screen.getByText(/R\$/).query()).toBeNull();
  await first.screen.unmount();
  const { screen } = await openPanel();
  await queryClient.prefetchQuery(profileQuery);
  await expect.element(screen.getByText('R$ 12.480,37')).toBeVisible();
});

test.each([
  12_480.37, 999_999.99, 9_999_999.99, 999_999_999.99, 1_234_567_890.12, 123_456_789_012.34,
  -123_456_789_012.34,
])(
  'a balance of %d fits the top bar at every width, and its full amount stays in the document',
  async (balance) => {
    gateway.answer(publicSettings, { ...settings, sandbox: true, mailbox: true });
    gateway.answer(profile, { user: { ...user, balance } });
    const { screen } = await renderScreen('/dashboard', Frame);
    await queryClient.prefetchQuery(profileQuery);
    const amount = formatMoney(Math.round(balance * 100));
    await expect.element(screen.getByText(amount).first()).toBeInTheDocument();
    const bar = screen.getByRole('button', { name: 'Conta MA' }).element().closest('header');
    const figure = bar?.querySelector('span.tabular-nums');
    for (const width of [250, 320, 351, 390, 640, 768, 1024, 1440]) {
      await page.viewport(width, 800);
      await new Promise(requestAnimationFrame);
      expect(figure?.getBoundingClientRect().width, `seen at ${width}`).toBeGreaterThan(20);
      const boxes = [...(bar?.querySelectorAll('a, button, span.tabular-nums') ?? [])]
        .map((element) => element.getBoundingClientRect())
        .filter((box) => box.width > 1)
        .toSorted((one, other) => one.left - other.left);
      const [first, last] = [boxes[0], boxes.at(-1)];
      expect(first?.left, `left at ${width}`).toBeGreaterThanOrEqual(0);
      expect(last?.right, `right at ${width}`).toBeLessThanOrEqual(width - 2);
      // The touch targets of small buttons may overlap, but must not cover text.
      for (const [at, box] of boxes.entries())
        expect(box.left - (boxes[at - 1]?.right ?? 0), `beside each other at ${width}`).toBeGreaterThan(-13);
      expect(document.documentElement.scrollWidth, `page at ${width}`).toBeLessThanOrEqual(width);
    }
  },
);

test('the top bar says where a balance is that has two parts', async () => {
  gateway.answer(profile, { user: userWithParts });
  const { screen } = await renderScreen('/dashboard', Frame);
  await queryClient.fetchQuery(profileQuery);
  await expect.element(screen.getByText('R$ 4.108,61', { exact: true })).toBeVisible();
  await expect.element(screen.getByText(/No operador R\$\s4\.103,61 · No seu banco R\$\s5,00/)).toBeVisible();
});

test('on a large screen the menu is a sidebar of 64 units, and each group opens and closes', async () => {
  const { screen } = await openPanel('ADMIN');
  await expect.element(menuOf(screen)).toBeVisible();
  const sidebar = menuOf(screen).element().closest('aside');
  expect(sidebar?.getBoundingClientRect()).toMatchObject({ left: 0, width: 64 * 4, height: 900 });
  await expect.element(screen.getByRole('button', { name: 'Abrir menu' })).not.toBeInTheDocument();
  for (const [group, entries] of [
    ['Transações', ['Todas as Transações', 'Criar Pagamento']],
    ['Saques', ['Sacar', 'Histórico de Saques']],
    ['Conta', ['Carteira', 'Chaves de API', 'Documentação API', 'Perfil']],
    ['Gerenciamento', ['Usuários', 'Verificações KYC']],
  ] as const) {
    const head = menuOf(screen).getByRole('button', { name: group, exact: true });
    await expect.element(head).toHaveAttribute('aria-expanded', 'true');
    for (const entry of entries)
      await expect.element(menuOf(screen).getByRole('link', { name: entry, exact: true })).toBeVisible();
    await head.click();
    await expect.element(head).toHaveAttribute('aria-expanded', 'false');
    for (const entry of entries)
      await expect
        .element(menuOf(screen).getByRole('link', { name: entry, exact: true }))
        .not.toBeInTheDocument();
  }
  await expect.element(screen.getByRole('button', { name: 'Sair' })).toBeVisible();
});

test('Gerenciamento is shown to ADMIN alone', async () => {
  for (const role of ['USER', 'SUPPORT', 'ADMIN'] as const) {
    const { screen } = await openPanel(role);
    await expect.element(menuOf(screen).getByRole('link', { name: 'Início' })).toBeVisible();
    const shown = menuOf(screen).getByRole('button', { name: 'Gerenciamento' }).elements();
    expect(shown).toHaveLength(role === 'ADMIN' ? 1 : 0);
    await screen.unmount();
  }
});

test('Banco and Tarifas are in the menu of merchants for whom they are of use', async () => {
  for (const [has_screen, has_own_accounts] of [
    [false, false],
    [true, false],
    [true, true],
  ] as const) {
    gateway.answer(ownBank, { ...paidIntoOwnBank, has_screen, has_own_accounts });
    const { screen } = await openPanel();
    await expect.poll(() => gateway.calls(ownBank).length).toBeGreaterThan(0);
    await expect.poll(() => queryClient.isFetching()).toBe(0);
    const links = (name: string) => menuOf(screen).getByRole('link', { name, exact: true }).elements();
    expect(links('Banco')).toHaveLength(has_screen ? 1 : 0);
    expect(links('Tarifas')).toHaveLength(has_own_accounts ? 1 : 0);
    await screen.unmount();
  }
});

test('Aprovações is in the menu where approvals are of use, and the start page says what waits', async () => {
  for (const waiting of [undefined, 0, 1, 2]) {
    gateway.answer(profile, { user, ...(waiting !== undefined && { approvals: { waiting } }) });
    const { screen } = await renderScreen('/dashboard', Frame);
    await queryClient.fetchQuery(profileQuery);
    const links = screen.getByRole('link', { name: 'Aprovações', exact: true });
    await expect.poll(() => links.elements().length).toBe(waiting === undefined ? 0 : 1);
    const notice = screen.getByText(/espera(m)? a sua aprovação\.$/);
    await expect
      .poll(() => notice.elements().map(({ textContent }) => textContent))
      .toEqual(
        waiting === 1
          ? ['1 pedido espera a sua aprovação.']
          : waiting === 2
            ? ['2 pedidos esperam a sua aprovação.']
            : [],
      );
    await screen.unmount();
  }
});

test('a merchant whose own banks send no payouts has no entry that withdraws, but the history', async () => {
  gateway.answer(ownBank, { ...paidIntoOwnBank, is_without_payouts: true });
  const { screen } = await openPanel();
  await expect.element(menuOf(screen).getByRole('link', { name: 'Banco' })).toBeVisible();
  expect(
    menuOf(screen)
      .getByRole('link', { name: /^Sa(car|que)/ })
      .elements(),
  ).toEqual([]);
  await expect.element(menuOf(screen).getByRole('link', { name: 'Histórico de Saques' })).toBeVisible();
});

test('on a small screen the menu is a drawer of 60 units, which a change of route closes', async () => {
  await page.viewport(390, 844);
  const { screen, currentUrl } = await openPanel();
  await expect.element(menuOf(screen)).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Abrir menu' }).click();
  const drawer = screen.getByRole('dialog', { name: 'Menu' });
  await expect.element(drawer.getByRole('link', { name: 'Início' })).toBeVisible();
  expect(drawer.element().getBoundingClientRect().width).toBe(60 * 4);
  screen
    .getByRole('link', { name: 'Outra tela', includeHidden: true })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  await expect.poll(currentUrl).toBe('/wallet');
  await expect.element(drawer).not.toBeInTheDocument();
});

test('the avatar opens its menu, and shows the initials when there is no picture', async () => {
  const { screen } = await openPanel();
  const account = screen.getByRole('button', { name: 'Conta MA' });
  await expect.element(account.getByText('MA')).toBeVisible();
  await account.hover();
  await expect.element(screen.getByRole('menuitem', { name: 'Perfil' })).toHaveAttribute('href', '/profile');
  await expect.element(screen.getByRole('menuitem', { name: 'Sair' })).toBeVisible();
});

test('the top bar has a shadow once the page is scrolled by more than 10 px', async () => {
  const { screen } = await openPanel();
  const account = screen.getByRole('button', { name: 'Conta MA' });
  await expect.element(account).toBeVisible();
  const bar = account.element().closest('header') ?? document.body;
  // Without its transition, so that the final shadow is there immediately.
  bar.style.transition = 'none';
  const shadow = () => getComputedStyle(bar).boxShadow;
  window.scrollTo(0, 10);
  await new Promise(requestAnimationFrame);
  expect(shadow()).toBe('none');
  window.scrollTo(0, 11);
  await expect.poll(shadow).not.toBe('none');
  window.scrollTo(0, 0);
  await expect.poll(shadow).toBe('none');
});

test('a banner links accounts that are not approved to the verification', async () => {
  const approved = await openPanel();
  await expect.element(approved.screen.getByText('Tela')).toBeVisible();
  expect(approved.screen.getByText('Verificação Pendente.').elements()).toEqual([]);
  await approved.screen.unmount();
  const { screen } = await openPanel('USER', false);
  await expect.element(screen.getByText('Verificação Pendente.')).toBeVisible();
  await expect
    .element(
      screen.getByText('Conclua a verificação de identidade para usar todos os recursos.', { exact: false }),
    )
    .toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Verificar Agora' }))
    .toHaveAttribute('href', '/kyc-verification');
});

test('the banner waits for the status, and leads to the verification when it cannot be loaded', async () => {
  gateway.stall(getKyc);
  const waiting = await openPanel('USER', false);
  const banner = waiting.screen.getByText('Verificação Pendente.');
  await expect.element(banner).toBeInTheDocument();
  await expect.element(banner).not.toBeVisible();
  await waiting.screen.unmount();
  gateway.fail(getKyc);
  const { screen } = await openPanel('USER', false);
  await expect.element(screen.getByRole('link', { name: 'Verificar Agora' })).toBeVisible();
});

test('for a verified account that is not approved, the banner links to the support’s e-mail', async () => {
  gateway.answer(publicSettings, { ...settings, adminEmail: 'suporte@gateway.example' });
  gateway.answer(getKyc, { ...kycNone, status: 'approved' });
  const { screen } = await openPanel('USER', false);
  await expect
    .element(screen.getByRole('link', { name: 'suporte@gateway.example' }))
    .toHaveAttribute('href', 'mailto:suporte@gateway.example');
});

test('support accounts see no verification banner', async () => {
  const { screen } = await openPanel('SUPPORT', false);
  await expect.element(screen.getByText('Tela')).toBeVisible();
  expect(screen.getByText('Verificação Pendente.').elements()).toEqual([]);
});

test('a lost live channel is announced quietly until it is back, and can be retried', async () => {
  const retry = vi.fn(() => liveStore.setState({ state: 'connecting' }));
  liveStore.setState({ state: 'connecting', retry });
  const { screen } = await openPanel();
  const strip = screen.getByRole('status').filter({ hasText: 'Atualizações ao vivo interrompidas' });
  await expect.element(screen.getByText('Tela')).toBeVisible();
  expect(strip.elements()).toEqual([]);
  liveStore.setState({ state: 'down' });
  await expect.element(strip).toBeVisible();
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  expect(retry).toHaveBeenCalledOnce();
  await expect.element(screen.getByRole('button', { name: 'Tentando' })).toBeVisible();
  await expect.element(strip).toBeVisible();
  liveStore.setState({ state: 'open' });
  await expect.element(strip).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'Tentando' })).not.toBeInTheDocument();
  liveStore.setState({ state: 'connecting' });
  expect(strip.elements()).toEqual([]);
});

test('a banner links a user who was refused for lack of a second factor to its setup, until the factor is given', async () => {
  gateway.refuse(adminSystemHealth, 'SECOND_FACTOR_SETUP_REQUIRED');
  const { screen } = await renderScreen('/dashboard', () => <FactorBanner />);
  await call(adminSystemHealth, {}).catch(() => {});
  await expect
    .element(screen.getByRole('link', { name: 'Abrir Segurança' }))
    .toHaveAttribute('href', '/profile/security');
  gateway.answer(getSecurity, { ...security, totp: true, given: true });
  await queryClient.fetchQuery(securityQuery);
  await expect.element(screen.getByRole('link', { name: 'Abrir Segurança' })).not.toBeInTheDocument();
});
