import {
  accountTaxes,
  getDailyStats,
  getReserves,
  getWalletStats,
  listDisputes,
  profile,
  publicSettings,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { WalletPage } from '../features/wallet/wallet-page.tsx';
import { endSession } from '../session/session.ts';
import { LAST_VISIT, readStored, writeStored } from '../session/storage.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { disputesOf, settings, taxes, user, walletOf } from '../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../testing/stub-gateway.ts';
import { keepForNextVisit } from './last-visit.ts';

let gateway: StubbedGateway;
let userCount = 0;
const userId = () => `user-${userCount}`;

beforeEach(async () => {
  await page.viewport(412, 823);
  gateway = stubGateway();
  gateway.answer(profile, () => ({ user: { ...user, id: userId() } }));
  gateway.answer(publicSettings, settings);
  gateway.answer(listDisputes, disputesOf([]));
  gateway.answer(getReserves, { total: 0, releases: [] });
  gateway.answer(accountTaxes, { success: true, data: taxes });
  gateway.answer(getDailyStats, { days: [] });
  gateway.answer(getWalletStats, walletOf({ available: 480.37, earned: 906.53, gross: 1000, deposits: 3 }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  endSession('sign-out');
});

const received = (screen: { getByText: typeof page.getByText }) => screen.getByText('R$ 906,53');
const availableBalance = (screen: { getByText: typeof page.getByText }) => screen.getByText('R$ 480,37');

/** Opens the wallet as one user, and returns what the browser keeps for that user's next visit. */
async function visitWallet(): Promise<string> {
  userCount += 1;
  const { screen } = await renderScreen('/wallet', WalletPage, { id: userId() });
  writeStored('token', 'token');
  const stopKeeping = keepForNextVisit();
  await expect.element(received(screen)).toBeVisible();
  await page.getByRole('button', { name: 'Atualizar' }).click();
  await expect.poll(() => readStored(LAST_VISIT)).toContain('wallet');
  stopKeeping();
  await screen.unmount();
  return readStored(LAST_VISIT) ?? '';
}

/** Opens the wallet as another user in a browser that keeps this text for them, and holds back the gateway's answers. */
async function visitAgain(kept: string) {
  userCount += 1;
  const answers = Promise.withResolvers<void>();
  const fetchAtOnce = fetch;
  vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
    await answers.promise;
    return await fetchAtOnce(...call);
  });
  const keptForUser = kept.replace(/user-\d+/, userId());
  const openScreen = () => {
    writeStored(LAST_VISIT, keptForUser);
    return <WalletPage />;
  };
  const { screen } = await renderScreen('/wallet', openScreen, { id: userId() });
  return { screen, answer: () => answers.resolve() };
}

test('a screen begins with what it showed on the last visit, says of when that is, and then shows what is true now', async () => {
  const kept = await visitWallet();
  gateway.answer(getWalletStats, walletOf({ available: 480.37, earned: 1000.01, gross: 1100, deposits: 4 }));
  const { screen, answer } = await visitAgain(kept);
  await expect.element(received(screen)).toBeVisible();
  await expect.element(screen.getByText(/^Como estava às \d\d:\d\d\. Atualizando…$/)).toBeVisible();
  answer();
  await expect.element(screen.getByText('R$ 1.000,01')).toBeVisible();
  await expect.element(received(screen)).not.toBeInTheDocument();
  await expect.element(screen.getByText(/^Como estava/)).not.toBeInTheDocument();
});

test('what can be withdrawn is never shown as it was on the last visit', async () => {
  const { screen, answer } = await visitAgain(await visitWallet());
  await expect.element(received(screen)).toBeVisible();
  await expect.element(availableBalance(screen)).not.toBeInTheDocument();
  answer();
  await expect.element(availableBalance(screen).first()).toBeVisible();
});

test.each([
  ['another user', (kept: string) => kept.replace(/user-\d+/, 'somebody')],
  ['another version of the script', (kept: string) => kept.replace(/"script":"[^"]*"/, '"script":"other"')],
  ['more than a day ago', (kept: string) => kept.replaceAll(/"loadedAtMs":\d+/g, '"loadedAtMs":1')],
  ['a damaged storage', (kept: string) => kept.slice(1)],
])('what was kept for %s is not shown', async (_, change) => {
  const { screen, answer } = await visitAgain(change(await visitWallet()));
  await expect.element(screen.getByText('Total recebido')).toBeVisible();
  expect(received(screen).query()).toBeNull();
  answer();
  await expect.element(received(screen)).toBeVisible();
});

test('the end of the session deletes what was kept', async () => {
  await visitWallet();
  endSession('sign-out');
  expect(readStored(LAST_VISIT)).toBeNull();
});

test('nothing is kept once another tab has ended the session', async () => {
  const { screen } = await renderScreen('/wallet', WalletPage, { id: 'left' });
  const stopKeeping = keepForNextVisit();
  await expect.element(received(screen)).toBeVisible();
  await new Promise((passed) => setTimeout(passed, 1500));
  stopKeeping();
  expect(readStored(LAST_VISIT)).toBeNull();
});
