import { listNotifications, readNotifications } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../api/query.ts';
import { Bell } from '../../app/layouts/bell.tsx';
import { applyLiveMessage } from '../../app/live/live-messages.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { paidNotification, pinNotification } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { NotificationsPage } from './notifications-page.tsx';

let gateway: StubbedGateway;

beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(listNotifications, ({ query }) =>
    query.get('before') === null
      ? { notifications: [paidNotification], unread: 1, next: paidNotification.id }
      : { notifications: [pinNotification], unread: 1, next: null },
  );
  gateway.answer(readNotifications, { unread: 0 });
});
afterEach(() => vi.unstubAllGlobals());

const openPage = () => renderScreen('/notifications', NotificationsPage);
const openBell = () => renderScreen('/dashboard', () => <Bell />);

test('the list shows what happened, loads older entries, and links to their subjects', async () => {
  const { screen, currentUrl } = await openPage();
  await expect.element(screen.getByText('Você recebeu R$ 412,90.')).toBeVisible();
  await screen.getByRole('button', { name: 'Carregar mais' }).click();
  await expect.element(screen.getByText('Seu PIN de saque foi definido.')).toBeVisible();
  expect(gateway.calls(listNotifications)[1]?.query.get('before')).toBe(paidNotification.id);
  await expect.element(screen.getByRole('button', { name: 'Carregar mais' })).not.toBeInTheDocument();
  await screen.getByRole('button', { name: /Não lida: Pix recebido/ }).click();
  expect(gateway.calls(readNotifications)[0]?.body).toEqual({ ids: [paidNotification.id] });
  expect(currentUrl()).toBe(`/transactions?id=${paidNotification.data['id']}`);
});

test('all notifications can be marked as read with one press', async () => {
  const { screen } = await openPage();
  const markAllButton = screen.getByRole('button', { name: 'Marcar todas como lidas' });
  await markAllButton.click();
  await expect.element(screen.getByRole('button', { name: /^Pix recebido/ })).toBeVisible();
  await expect.element(markAllButton).not.toBeInTheDocument();
  expect(gateway.calls(readNotifications)[0]?.body).toEqual({});
});

test('the empty, failed and loading states are shown', async () => {
  gateway.answer(listNotifications, { notifications: [], unread: 0, next: null });
  const empty = await openPage();
  await expect.element(empty.screen.getByText('Nenhuma notificação')).toBeVisible();
  await empty.screen.unmount();
  gateway.fail(listNotifications);
  const failed = await openPage();
  await expect.element(failed.screen.getByText('Erro ao buscar notificações')).toBeVisible();
  gateway.answer(listNotifications, { notifications: [pinNotification], unread: 0, next: null });
  await failed.screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(failed.screen.getByText('PIN de saque', { exact: true })).toBeVisible();
  await failed.screen.unmount();
  gateway.stall(listNotifications);
  const loading = await openPage();
  await expect.element(loading.screen.getByText('Carregando')).toBeInTheDocument();
});

test('the bell counts unread notifications, follows the live channel, and closes with Esc', async () => {
  const { screen } = await openBell();
  const bell = screen.getByRole('button', { name: 'Notificações, 1 não lida' });
  await bell.click();
  await expect.element(screen.getByText('Você recebeu R$ 412,90.')).toBeVisible();
  const arrived = { ...paidNotification, id: 'new', title: 'Saque concluído' };
  applyLiveMessage(queryClient, { type: 'notification', notification: arrived });
  applyLiveMessage(queryClient, { type: 'notification', notification: arrived });
  await expect.element(screen.getByRole('button', { name: /Saque concluído/ })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Notificações, 2 não lidas' })).toBeVisible();
  applyLiveMessage(queryClient, { type: 'unread', unread: 0 });
  await expect.element(screen.getByRole('button', { name: 'Notificações', exact: true })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByText('Ver todas')).not.toBeInTheDocument();
});

test.each([
  [320, 300],
  [1440, 384],
])('on a screen %i wide the bell’s panel fits, and is wide enough to read', async (width, minWidth) => {
  await page.viewport(width, 844);
  const { screen } = await renderScreen('/dashboard', () => (
    <div className="flex justify-end">
      <Bell />
    </div>
  ));
  await screen.getByRole('button', { name: /Notificações/ }).click();
  const { left, right } = screen
    .getByRole('region', { name: 'Notificações' })
    .element()
    .getBoundingClientRect();
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(width);
  expect(right - left).toBeGreaterThanOrEqual(minWidth);
});

test('a provider without a notification list has no bell', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 404 }));
  const { screen } = await openBell();
  await expect.element(screen.getByRole('button')).not.toBeInTheDocument();
});
