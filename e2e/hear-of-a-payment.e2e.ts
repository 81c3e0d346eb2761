import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { payAtBank } from './bank.ts';
import { installPush } from './push.ts';
import { borrowStack, callApi, createCharge, type SharedStack, signInAsDemoMerchant } from './stack.ts';
import { newVisitor, openWholeBrowser } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openWholeBrowser();
});
afterAll(() => browser?.close());

test('a payment is announced by the bell and a push message, and signing out ends the pushes', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  const push = await installPush(visitor, stack.url);
  const token = await signInAsDemoMerchant(stack);
  // Earlier notifications of the shared account do not count.
  await callApi(stack, 'POST', '/authed/notifications/read', { token, body: {} });
  await visitor.enter(token, `${stack.url}/profile`);
  await page.getByRole('button', { name: 'Ativar notificações' }).click();
  await page.getByText('Ativadas', { exact: true }).waitFor();
  await visitor.checkScreen('the profile with notifications');
  await page.getByRole('button', { name: /^Notificações/ }).click();
  await page.getByRole('link', { name: 'Ver todas' }).waitFor();

  const charge = await createCharge(stack, token, 37.5);
  await payAtBank(stack, charge.content);
  await page.getByRole('button', { name: 'Notificações, 1 não lida', exact: true }).waitFor();
  await visitor.checkScreen('the bell');
  await expect.poll(() => push.devices[0]?.received.length).toBe(1);
  const [pushed] = push.devices[0]?.received ?? [];
  await push.deliver(pushed?.message ?? {});
  await expect
    .poll(push.shownNotifications)
    .toEqual([{ title: 'Pix recebido', body: 'Você recebeu R$\u00a037,50.' }]);

  await page.getByRole('link', { name: 'Ver todas' }).click();
  await page.getByRole('heading', { name: 'Notificações', level: 1 }).waitFor();
  await visitor.checkScreen('the notifications');
  await page.getByRole('button', { name: /Não lida: Pix recebido/ }).click();
  await page.waitForURL(`**/transactions?id=${charge.id}`);
  await page.getByRole('dialog').getByText('R$ 37,50').first().waitFor();

  const { user } = await callApi(stack, 'GET', '/authed/profile', { token });
  expect(user).toMatchObject({ push_ids: [expect.any(String)] });
  await page.goto(`${stack.url}/dashboard`);
  // A call still under way when the session ends would be answered with 401, which the console reports.
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: /^Conta/ }).click();
  await page.getByRole('menuitem', { name: 'Sair' }).click();
  await page.waitForURL('**/login**');
  const newToken = await signInAsDemoMerchant(stack);
  const readUser = async () => (await callApi(stack, 'GET', '/authed/profile', { token: newToken }))['user'];
  await expect.poll(readUser).toMatchObject({ push_id: null, push_ids: [] });
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).not.toContain('push');
  expect(visitor.complaints()).toEqual([]);
  await push.close();
});
