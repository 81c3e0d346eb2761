import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { payAtBank, setPayoutBehaviour } from './bank.ts';
import { borrowStack, callApi, createCharge, PASSWORD, registerMerchant, type SharedStack } from './stack.ts';
import { newVisitor, openBrowser } from './visitor.ts';

const PIN = '4829';
let stack: SharedStack;
let browser: Browser;
let token: string;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
  token = await registerMerchant(stack, { username: 'iracema', name: 'Iracema Beira-Mar' });
  await payAtBank(stack, (await createCharge(stack, token, 900)).content);
});

async function readBalance(): Promise<number> {
  const { user } = await callApi(stack, 'GET', '/authed/profile', { token });
  return Math.round(Number((user as { balance: number }).balance) * 100);
}

type ListedWithdrawal = { id: string; status: string; amount_cents: number; pix_key: string };

async function listWithdrawals(): Promise<ListedWithdrawal[]> {
  return (await callApi(stack, 'GET', '/authed/withdrawals', { token }))['withdrawals'] as ListedWithdrawal[];
}

function reais(cents: number): string {
  return `R$ ${(cents / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2 })}`;
}

/** Fills in the form of a withdrawal and requests the withdrawal, which then waits for the PIN. */
async function requestWithdrawal(
  page: Page,
  { cents, type, key }: { cents: string; type: string; key: string },
) {
  await page.getByLabel('Valor').pressSequentially(cents);
  await page.getByLabel('Tipo de chave').selectOption(type);
  await page.getByLabel('Chave PIX').fill(key);
  await page.getByRole('button', { name: 'Solicitar Saque' }).click();
  await page.getByRole('dialog', { name: 'Confirmar saque' }).waitFor();
}

/** Confirms a requested withdrawal with the PIN. */
async function confirm(page: Page, pin = PIN) {
  await page.getByLabel('PIN de saque', { exact: true }).pressSequentially(pin);
  await page.getByRole('button', { name: 'Confirmar' }).click();
}

const historyLink = (page: Page) =>
  page.getByRole('dialog').getByRole('link', { name: 'Histórico de Saques' });

test('a merchant sets the PIN, withdraws, and sees the withdrawal succeed', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/dashboard`);
  const notice = page.getByText('Defina seu PIN de saque.');
  await notice.waitFor();
  await page.getByRole('button', { name: 'Definir PIN' }).click();
  const pinDialog = page.getByRole('dialog', { name: 'Definir PIN de saque' });
  const define = async (password: string, pin: string) => {
    await pinDialog.getByLabel('Senha atual').fill(password);
    await pinDialog.getByLabel('Novo PIN', { exact: true }).fill(pin);
    await pinDialog.getByLabel('Confirmar PIN', { exact: true }).fill(pin);
    await pinDialog.getByRole('button', { name: 'Definir PIN' }).click();
  };
  await define('nao-e-esta', PIN);
  await pinDialog.getByText('Senha incorreta.').waitFor();
  await define(PASSWORD, '1234');
  await pinDialog.getByText(/Escolha um PIN menos óbvio/).waitFor();
  await visitor.checkScreen('a PIN that is too simple');
  await define(PASSWORD, PIN);
  await pinDialog.waitFor({ state: 'detached' });
  await notice.waitFor({ state: 'detached' });

  await expect.poll(readBalance).toBeGreaterThan(0);
  const before = await readBalance();
  await page.getByRole('link', { name: 'Sacar', exact: true }).click();
  await page.getByText('O PIN é pedido a cada saque.').waitFor();
  await requestWithdrawal(page, {
    cents: '12345',
    type: 'email',
    key: 'financeiro@emporiocapibaribe.com.br',
  });
  await visitor.checkScreen('the PIN');
  await confirm(page, '1111');
  const errorDialog = page.getByRole('alertdialog', { name: 'Erro' });
  await errorDialog.getByText('PIN incorreto. Restam 4 tentativas.').waitFor();
  await visitor.checkScreen('a wrong PIN');
  await errorDialog.getByRole('button', { name: 'Fechar' }).last().click();
  await confirm(page);
  await page.getByRole('dialog', { name: 'Sucesso!' }).waitFor();
  await visitor.checkScreen('success');
  await historyLink(page).click();

  const row = page.getByRole('table', { name: 'Saques' }).getByRole('row').nth(1);
  await row.getByText('Concluído', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Detalhes' }).click();
  const detail = page.getByRole('dialog', { name: 'Saque' });
  for (const text of [
    'R$ 121,95',
    '− R$ 1,50',
    'financeiro@emporiocapibaribe.com.br',
    'E-mail',
    'Concluído em',
  ])
    await detail.getByText(text, { exact: true }).waitFor();
  await visitor.checkScreen('a withdrawal');
  await detail.getByRole('button', { name: 'Fechar' }).last().click();
  await page
    .getByRole('banner')
    .getByText(reais(before - 12_345))
    .waitFor();
  expect(await readBalance()).toBe(before - 12_345);
  expect(visitor.complaints(/status of 40[03]/)).toEqual([]);
});

test('a withdrawal refused by the bank returns the money, and says why', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  const before = await readBalance();
  await setPayoutBehaviour(stack, 'refused');
  onTestFinished(() => setPayoutBehaviour(stack, 'normal'));
  await visitor.enter(token, `${stack.url}/withdrawals`);
  await page.getByText('O PIN é pedido a cada saque.').waitFor();
  await requestWithdrawal(page, { cents: '4321', type: 'cpf', key: '12345678909' });
  await visitor.checkScreen('the PIN');
  await confirm(page);
  await page.getByRole('dialog', { name: 'Sucesso!' }).waitFor();
  await historyLink(page).click();
  const first = page.getByRole('list', { name: 'Saques' }).getByRole('button').first();
  await first.getByText('Falhou', { exact: true }).waitFor();
  await page.getByRole('banner').getByText(reais(before)).waitFor();
  await first.click();
  await page
    .getByRole('dialog', { name: 'Saque' })
    .getByText(/O valor voltou ao seu saldo\./)
    .waitFor();
  await visitor.checkScreen('a refused withdrawal');
  expect(await readBalance()).toBe(before);
  expect(visitor.complaints()).toEqual([]);
});

test('a withdrawal whose response is lost is made once', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/withdrawals`);
  await page.getByText('O PIN é pedido a cada saque.').waitFor();
  await page.route('**/api/authed/withdraw', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await requestWithdrawal(page, { cents: '2222', type: 'phone', key: '(81) 99999-8888' });
  await confirm(page);
  const unknownDialog = page.getByRole('alertdialog', { name: 'Saque sem resposta' });
  await unknownDialog.getByText(/não sabemos se o saque foi registrado/).waitFor();
  await visitor.checkScreen('an unknown outcome');
  await unknownDialog.getByRole('button', { name: 'Fechar' }).last().click();
  await page.unroute('**/api/authed/withdraw');
  await expect
    .poll(async () => (await listWithdrawals()).find(({ amount_cents }) => amount_cents === 2_222)?.status)
    .toBe('completed');
  await page.getByRole('button', { name: 'Solicitar Saque' }).click();
  await confirm(page);
  await page.getByRole('dialog', { name: 'Sucesso!' }).waitFor();
  expect((await listWithdrawals()).filter(({ amount_cents }) => amount_cents === 2_222)).toHaveLength(1);
  expect(visitor.complaints(/ERR_CONNECTION_RESET/)).toEqual([]);
});

test('on a slow line that loses an answer, a withdrawal shows at every moment what is known, and is made once', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/withdrawals`);
  await page.getByText('O PIN é pedido a cada saque.').waitFor();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const throttle = { offline: false, latency: 1500, downloadThroughput: -1, uploadThroughput: -1 };
  await devtools.send('Network.emulateNetworkConditions', throttle);
  const answerIsLost = Promise.withResolvers<void>();
  await page.route('**/api/authed/withdraw', async (route) => {
    await route.fetch();
    await answerIsLost.promise;
    await route.abort('connectionreset');
  });
  // The dialog needs nothing of the network.
  await requestWithdrawal(page, { cents: '3333', type: 'phone', key: '(81) 99999-8888' });
  await confirm(page);
  const dialog = page.getByRole('dialog', { name: 'Confirmar saque' });
  await dialog.getByRole('button', { name: 'Enviando' }).waitFor();
  await dialog.getByText(/Ainda sem resposta/).waitFor();
  await visitor.checkScreen('a withdrawal without an answer yet');
  answerIsLost.resolve();
  const unknownDialog = page.getByRole('alertdialog', { name: 'Saque sem resposta' });
  await unknownDialog.getByText(/não sabemos se o saque foi registrado/).waitFor();
  await unknownDialog.getByRole('button', { name: 'Fechar' }).last().click();
  await page.unroute('**/api/authed/withdraw');
  await page.getByRole('button', { name: 'Solicitar Saque' }).click();
  await confirm(page);
  await page.getByRole('dialog', { name: 'Sucesso!' }).waitFor();
  expect((await listWithdrawals()).filter(({ amount_cents }) => amount_cents === 3_333)).toHaveLength(1);
  expect(visitor.complaints(/ERR_CONNECTION_RESET/)).toEqual([]);
});

test('Back closes a dialog over the form first, and then leaves the form', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/profile`);
  const openMenu = () => page.getByRole('button', { name: 'Abrir menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await openMenu();
  await menu.getByRole('link', { name: 'Sacar', exact: true }).click();
  await page.getByText('O PIN é pedido a cada saque.').waitFor();
  await requestWithdrawal(page, { cents: '4444', type: 'email', key: 'financeiro@emporiocapibaribe.com.br' });
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Valor').inputValue()).toBe('44,44');
  await openMenu();
  await menu.waitFor();
  await page.goBack();
  await menu.waitFor({ state: 'hidden' });
  expect(new URL(page.url()).pathname).toBe('/withdrawals');
  await page.goBack();
  await page.waitForURL(`${stack.url}/profile`);
  expect(visitor.complaints()).toEqual([]);
});

test('a session that ended elsewhere leads to the sign-in with the reason, and back to the typed values without the PIN', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  const { token: endedToken } = await callApi(stack, 'POST', '/login', {
    body: { username: 'iracema', password: PASSWORD },
  });
  await visitor.enter(String(endedToken), `${stack.url}/withdrawals`);
  await page.getByText('O PIN é pedido a cada saque.').waitFor();
  await requestWithdrawal(page, { cents: '4444', type: 'email', key: 'financeiro@emporiocapibaribe.com.br' });
  await callApi(stack, 'POST', '/logout', { token: String(endedToken) });
  await confirm(page);
  await page.getByText(/^Sua sessão terminou: .* Entre de novo para continuar\.$/).waitFor();
  await visitor.checkScreen('the sign-in after a session that ended');
  await page.getByLabel('Usuário').fill('iracema');
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL(`${stack.url}/withdrawals`);
  await expect.poll(() => page.getByLabel('Valor').inputValue()).toBe('44,44');
  expect(await page.getByLabel('Tipo de chave').inputValue()).toBe('email');
  expect(await page.getByLabel('Chave PIX').inputValue()).toBe('financeiro@emporiocapibaribe.com.br');
  await page.getByText('O PIN é pedido a cada saque.').waitFor();
  await page.getByRole('button', { name: 'Solicitar Saque' }).click();
  expect(await page.getByLabel('PIN de saque', { exact: true }).inputValue()).toBe('');
  expect((await listWithdrawals()).filter(({ amount_cents }) => amount_cents === 4_444)).toEqual([]);
  expect(visitor.complaints(/401/)).toEqual([]);
});

test('the API key withdraws once enabled, and only to a saved destination', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  const { apiKey } = await callApi(stack, 'POST', '/authed/apikey', {
    token,
    body: { password: PASSWORD },
  });
  const withdrawByApi = (pixKey: string) =>
    callApi(stack, 'POST', '/withdraw', { apiKey, body: { amount: 1_717, pixKey, keyType: 'email' } });
  await expect(withdrawByApi('maria@example.com')).rejects.toThrow('API_WITHDRAWALS_OFF');

  await visitor.enter(token, `${stack.url}/api-withdrawals`);
  await page.getByRole('button', { name: 'Ligar o saque pela API' }).click();
  const fillPasswordAndPin = async () => {
    await page.getByLabel('Senha atual').fill(PASSWORD);
    await page.getByLabel('PIN de saque', { exact: true }).fill(PIN);
  };
  await fillPasswordAndPin();
  await visitor.checkScreen('turning it on');
  await page.getByRole('button', { name: 'Ligar', exact: true }).click();
  await page.getByText('Ligado', { exact: true }).waitFor();
  await expect(withdrawByApi('maria@example.com')).rejects.toThrow('DESTINATION_NOT_SAVED');
  await page.getByRole('button', { name: 'Adicionar destino' }).click();
  await page.getByLabel('Tipo de chave').selectOption('email');
  await page.getByLabel('Chave PIX').fill('Maria@example.com');
  await fillPasswordAndPin();
  await visitor.checkScreen('adding a destination');
  await page.getByRole('button', { name: 'Salvar destino' }).click();
  await page.getByRole('list', { name: 'Destinos salvos' }).getByText('maria@example.com').waitFor();
  await visitor.checkScreen('with a destination');

  const { withdrawal_id: id, status } = await withdrawByApi('maria@example.com');
  expect(status).toBe('PENDING');
  await page.goto(`${stack.url}/withdrawal-history?id=${id}`);
  await page.getByRole('dialog', { name: 'Saque' }).getByText('Concluído', { exact: true }).waitFor();

  await page.goto(`${stack.url}/api-withdrawals`);
  await page.getByRole('button', { name: 'Desligar' }).click();
  await page.getByText('Desligado', { exact: true }).waitFor();
  await expect(withdrawByApi('maria@example.com')).rejects.toThrow('API_WITHDRAWALS_OFF');
  expect(visitor.complaints()).toEqual([]);
});
