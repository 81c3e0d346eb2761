import {
  getNotificationPreferences,
  publicSettings,
  registerPush,
  setNotificationPreferences,
  unregisterPush,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { dropPushRegistration, renewPushRegistration } from './push-device.ts';
import { PushSettings } from './push-settings.tsx';

const pushKey = 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM';
const allKinds = {
  payments: true,
  withdrawals: true,
  refunds: true,
  disputes: true,
  account: true,
  operation: true,
};
const DAY_MS = 24 * 3_600_000;
let gateway: StubbedGateway;
let device: ReturnType<typeof stubPushBrowser>;

/** Stubs the push service, which the browser of the tests does not have, and the permission for notifications. */
function stubPushBrowser({ permission = 'default', answer = 'granted' } = {}) {
  const state = { permission, answer, subscribed: 0, subscription: null as object | null, active: true };
  vi.stubGlobal('Notification', {
    get permission() {
      return state.permission;
    },
    requestPermission: async () => {
      state.permission = state.answer;
      return state.answer;
    },
  });
  const bytes = Uint8Array.from(atob(pushKey.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
    c.charCodeAt(0),
  );
  const pushManager = {
    getSubscription: async () => state.subscription,
    subscribe: async () => {
      if (state.answer === 'no-service') throw new DOMException('no', 'AbortError');
      state.subscribed += 1;
      const endpoint = `https://push.example.com/${state.subscribed}`;
      state.subscription = {
        endpoint,
        options: { applicationServerKey: bytes.buffer },
        toJSON: () => ({ endpoint, keys: {} }),
        unsubscribe: async () => {
          state.subscription = null;
          return true;
        },
      };
      return state.subscription;
    },
  };
  const registration = { pushManager };
  vi.spyOn(navigator.serviceWorker, 'register').mockImplementation(async () => registration as never);
  vi.spyOn(navigator.serviceWorker, 'getRegistration').mockImplementation(async () => registration as never);
  vi.spyOn(navigator.serviceWorker, 'ready', 'get').mockImplementation(
    () => (state.active ? Promise.resolve(registration) : new Promise(() => {})) as never,
  );
  return state;
}

beforeEach(() => {
  localStorage.removeItem('push');
  gateway = stubGateway();
  gateway.answer(publicSettings, { ...settings, pushKey });
  gateway.answer(getNotificationPreferences, { push: allKinds });
  gateway.answer(registerPush, { success: true, push_id: 'p1' });
  gateway.answer(unregisterPush, { success: true });
  device = stubPushBrowser();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openSettings = () => renderScreen('/profile', () => <PushSettings />);
type Screen = Awaited<ReturnType<typeof openSettings>>['screen'];
const clickEvent = () => new MouseEvent('click', { bubbles: true });
const enable = (screen: Screen) => screen.getByRole('button', { name: 'Ativar notificações' }).click();

test('a device is registered once permission is granted, and unregistered by the button', async () => {
  const { screen } = await openSettings();
  await expect.element(screen.getByText('Desativadas')).toBeVisible();
  await enable(screen);
  await expect.element(screen.getByText('Ativadas', { exact: true })).toBeVisible();
  expect(gateway.calls(registerPush)[0]?.body).toEqual({
    token: '{"endpoint":"https://push.example.com/1","keys":{}}',
  });
  await screen.getByRole('button', { name: 'Desativar notificações' }).click();
  await expect.element(screen.getByText('Desativadas', { exact: true })).toBeVisible();
  expect(gateway.calls(unregisterPush)).toHaveLength(1);
  expect(device.subscription).toBeNull();
});

test('each obstacle is reported with the message of the specification', async () => {
  device.answer = 'default';
  const { screen } = await openSettings();
  await enable(screen);
  await expect.element(screen.getByText('Permission denied')).toBeVisible();
  device.permission = 'granted';
  device.answer = 'granted';
  vi.spyOn(navigator.serviceWorker, 'register').mockRejectedValueOnce(new Error('no'));
  await enable(screen);
  await expect.element(screen.getByText('Failed to initialize messaging')).toBeVisible();
  const { pushManager } = (await navigator.serviceWorker.getRegistration()) ?? {};
  if (pushManager === undefined) throw new Error('no registration');
  vi.spyOn(pushManager, 'subscribe').mockRejectedValueOnce(new DOMException('no', 'AbortError'));
  await enable(screen);
  await expect.element(screen.getByText('No registration token available')).toBeVisible();
  gateway.refuse(registerPush, 'PUSH_TOKEN_INVALID');
  await enable(screen);
  await expect.element(screen.getByText('A inscrição de push é inválida.')).toBeVisible();
  expect(localStorage.getItem('push')).toBeNull();
});

test('a service worker that is not active after 10 s counts as failed', async () => {
  device.active = false;
  const { screen } = await openSettings();
  await expect.element(screen.getByRole('button', { name: 'Ativar notificações' })).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  screen.getByRole('button', { name: 'Ativar notificações' }).query()?.dispatchEvent(clickEvent());
  await vi.advanceTimersByTimeAsync(9_900);
  expect(device.permission).toBe('granted');
  expect(document.body.textContent).not.toContain('Failed to initialize messaging');
  await vi.advanceTimersByTimeAsync(200);
  vi.useRealTimers();
  await expect.element(screen.getByText('Failed to initialize messaging')).toBeVisible();
});

test('a blocked permission points to the browser’s settings, and a browser without support is reported', async () => {
  device = stubPushBrowser({ permission: 'denied' });
  const blocked = await openSettings();
  await expect.element(blocked.screen.getByText(/configurações do navegador/)).toBeVisible();
  await expect.element(blocked.screen.getByRole('button')).not.toBeInTheDocument();
  await blocked.screen.unmount();
  vi.stubGlobal('PushManager', undefined);
  Reflect.deleteProperty(window, 'PushManager');
  const unsupported = await openSettings();
  await expect.element(unsupported.screen.getByText('Notifications not supported')).toBeVisible();
});

test('without a push key the settings are not shown', async () => {
  gateway.answer(publicSettings, settings);
  const { screen } = await openSettings();
  await expect.poll(() => gateway.calls(publicSettings)).toHaveLength(1);
  await expect.element(screen.getByText('Notificações')).not.toBeInTheDocument();
});

test('the kinds are chosen for all devices, and a refused change is undone', async () => {
  gateway.answer(setNotificationPreferences, { push: { ...allKinds, payments: false } });
  const { screen } = await openSettings();
  const payments = screen.getByRole('checkbox', { name: /Pagamentos/ });
  await payments.click();
  await expect.element(payments).not.toBeChecked();
  expect(gateway.calls(setNotificationPreferences)[0]?.body).toEqual({
    push: { ...allKinds, payments: false },
  });
  gateway.fail(setNotificationPreferences);
  const disputes = screen.getByRole('checkbox', { name: /Disputas/ });
  await disputes.click();
  await expect.element(screen.getByText('Erro ao salvar suas escolhas.')).toBeVisible();
  await expect.element(disputes).toBeChecked();
});

test('only administrators can choose notifications about operation', async () => {
  const merchant = await openSettings();
  await expect.element(merchant.screen.getByRole('checkbox', { name: /Conta/ })).toBeVisible();
  await expect.element(merchant.screen.getByRole('checkbox', { name: /Operação/ })).not.toBeInTheDocument();
  await merchant.screen.unmount();
  const administrator = await renderScreen('/profile', () => <PushSettings />, { role: 'ADMIN' });
  await expect.element(administrator.screen.getByRole('checkbox', { name: /Operação/ })).toBeVisible();
});

test('a device is registered again after 7 days, and unregistered when another user signs in or the user signs out', async () => {
  const { screen } = await openSettings();
  await enable(screen);
  await expect.element(screen.getByText('Ativadas', { exact: true })).toBeVisible();
  await renewPushRegistration(pushKey);
  expect(gateway.calls(registerPush)).toHaveLength(1);
  const storedRegistration = () => JSON.parse(localStorage.getItem('push') ?? '{}');
  localStorage.setItem('push', JSON.stringify({ ...storedRegistration(), at: Date.now() - 7 * DAY_MS }));
  await renewPushRegistration(pushKey);
  expect(gateway.calls(registerPush)).toHaveLength(2);
  expect(Date.now() - storedRegistration().at).toBeLessThan(DAY_MS);
  localStorage.setItem('push', JSON.stringify({ ...storedRegistration(), session: 'before' }));
  await renewPushRegistration(pushKey);
  expect(gateway.calls(registerPush)).toHaveLength(3);
  localStorage.setItem('push', JSON.stringify({ ...storedRegistration(), userId: 'somebody else' }));
  await renewPushRegistration(pushKey);
  expect([gateway.calls(registerPush).length, device.subscription, localStorage.getItem('push')]).toEqual([
    3,
    null,
    null,
  ]);
  await enable(screen);
  await expect.poll(() => device.subscription).not.toBeNull();
  await expect.poll(() => localStorage.getItem('push')).not.toBeNull();
  await dropPushRegistration();
  expect([device.subscription, localStorage.getItem('push')]).toEqual([null, null]);
});
