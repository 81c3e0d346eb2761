import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { callBank } from './bank.ts';
import { borrowStack, PASSWORD, registerMerchant, type SharedStack } from './stack.ts';
import {
  journeyWidths,
  newVisitor,
  openBrowser,
  readCopiedText,
  type Visitor,
  type Width,
} from './visitor.ts';

let stack: SharedStack;
let browser: Browser;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
});

/** Opens the dashboard as a new merchant who is approved and has connected no bank. */
async function enterAsNewcomer(width: Width, username: string): Promise<Visitor> {
  const visitor = await newVisitor(browser, width);
  const token = await registerMerchant(stack, { username, name: 'Dalva da Jangada' });
  await visitor.enter(token, `${stack.url}/dashboard`);
  await visitor.page.getByRole('heading', { name: 'Olá, Dalva' }).waitFor();
  return visitor;
}

/** Goes from any screen to the form for the credentials of Banco Sandbox. */
async function chooseSandbox({ page, checkScreen }: Visitor, width: Width): Promise<void> {
  if (width === 'phone') await page.getByRole('button', { name: 'Abrir menu' }).tap();
  await page.getByRole('link', { name: 'Banco', exact: true }).click();
  await page.getByRole('heading', { name: 'Nenhuma conta conectada' }).waitFor();
  await checkScreen('no bank connected');
  await page.getByRole('link', { name: 'Conectar banco' }).click();
  const banks = page.getByRole('list', { name: 'Bancos' });
  await banks.getByRole('link', { name: /^Banco Sandbox/ }).click();
  await page.getByRole('heading', { name: 'Conectar Banco Sandbox' }).waitFor();
}

/** Follows a link that opens Banco Sandbox in a tab of its own. */
async function openBank({ page, context }: Visitor, link: string): Promise<Page> {
  const [bank] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: link }).click(),
  ]);
  return bank;
}

/** Opens an account at the bank, and returns what its page hands out by the buttons that copy. */
async function openAccount(bank: Page, holder: string): Promise<Record<string, string>> {
  await bank.getByText('Abrir uma conta', { exact: true }).click();
  await bank.getByLabel('Nome do titular').fill(holder);
  await bank.getByRole('button', { name: 'Abrir conta' }).click();
  await bank.waitForURL('**/contas?account=*');
  const copied: Record<string, string> = {};
  for (const label of ['Chave Pix', 'Client ID', 'Client Secret']) {
    const button = bank.getByRole('button', { name: `Copiar ${label}`, exact: true });
    // Of all accounts on the page, only the new one is unfolded.
    copied[label] = await readCopiedText(bank, () => button.click());
  }
  return copied;
}

async function fillForm(page: Page, { 'Chave Pix': key = '', ...credentials }: Record<string, string>) {
  await page.getByLabel('Chave Pix da conta').fill(key);
  for (const [label, value] of Object.entries(credentials))
    await page.getByLabel(label, { exact: true }).fill(value);
}

const steps = (page: Page) => page.getByRole('list', { name: 'Passos da verificação' }).getByRole('listitem');

/** The sentence about the whole check. Screen readers hear it too, from outside the main part. */
const outcome = (page: Page, sentence: RegExp) => page.getByRole('main').getByText(sentence);

describe.each(journeyWidths)('on a %s', (width) => {
  test('a merchant opens an account at the bank, connects it, puts it to use and is paid into it', async () => {
    const visitor = await enterAsNewcomer(width, `dalva-${width}`);
    const { page } = visitor;
    const holder = `Loja da Dalva no ${width}`;
    await chooseSandbox(visitor, width);
    await visitor.checkScreen('form for the credentials');
    const bank = await openBank(visitor, 'Contas do Banco Sandbox');
    const account = await openAccount(bank, holder);
    await bank.close();
    await fillForm(page, account);
    await page.getByRole('button', { name: 'Guardar e verificar' }).click();

    await outcome(page, /^Passou em [^,]*$/).waitFor();
    await page.getByText('Tudo certo no banco.').waitFor();
    const states = await steps(page).getByRole('button').allTextContents();
    expect(states.length).toBeGreaterThan(10);
    for (const state of states) expect(state).toMatch(/: (passou|não se aplica)$/);
    await steps(page)
      .getByRole('button', { name: /^O banco aceita as credenciais/ })
      .click();
    await page.getByText('O banco deu um token.').waitFor();
    await visitor.checkScreen('check that passed');

    await page.getByRole('button', { name: 'Ativar conta' }).click();
    await page.getByLabel('Senha atual').fill(PASSWORD);
    await visitor.checkScreen('password before an account is used');
    await page.getByRole('button', { name: 'Ativar', exact: true }).click();
    await page.getByRole('dialog', { name: 'Conta ativa' }).waitFor();
    await visitor.checkScreen('account in use');
    await page.getByRole('dialog').getByRole('link', { name: 'Criar cobrança' }).click();

    await page.getByText('Você não possui uma chave API').waitFor();
    await page.getByRole('link', { name: 'Ir para Chaves de API' }).click();
    await page.getByRole('button', { name: /Gerar/ }).click();
    await page
      .getByRole('dialog')
      .getByText(/jgd_\w{20}/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${stack.url}/pix-payment`);
    await page.getByLabel(/^Valor/).pressSequentially('4200');
    await page.getByRole('button', { name: /Gerar/ }).click();
    const payer = await openBank(visitor, 'Pagar esta cobrança no Banco Sandbox');
    await payer.getByText(holder).first().waitFor();
    // The charge turns by itself, because the bank of the own account notifies the gateway too.
    const notice = page.getByText('Pix recebido').waitFor();
    await payer.getByRole('button', { name: /^Pagar/ }).click();
    await payer.getByRole('heading', { name: 'Pagamento feito' }).waitFor();
    await notice;
    await expect.poll(() => page.title()).toContain('Pago');
    await payer.goto(`${stack.bankUrl}/contas`);
    const atBank = payer.getByRole('listitem').filter({ hasText: holder });
    await atBank.getByText('R$ 42,00', { exact: true }).waitFor();
    await payer.close();
    expect(visitor.complaints()).toEqual([]);
  });

  test('a check that fails says what the bank answered and what to do, and passes once that is done', async () => {
    const visitor = await enterAsNewcomer(width, `zefa-${width}`);
    const { page } = visitor;
    const holder = { name: 'Loja da Zefa', document: '11222333000181', city: 'Recife' };
    const opened = await callBank(stack, 'POST', '/sandbox/accounts', holder);
    const credentials = {
      'Client ID': `${opened['clientId']}`,
      'Client Secret': `${opened['clientSecret']}`,
    };
    await chooseSandbox(visitor, width);
    await fillForm(page, {
      ...credentials,
      'Chave Pix': `${opened['key']}`,
      'Client Secret': 'outro segredo',
    });
    await page.getByRole('button', { name: 'Guardar e verificar' }).click();

    await outcome(page, /^Não passou em .*: 1 passo falhou\.$/).waitFor();
    const isFailed = page.getByRole('button', { name: /^O banco aceita as credenciais ?: falhou$/ });
    const failed = steps(page).filter({ has: isFailed });
    await failed.getByText(/Confira .*Client Secret.*na página do Banco Sandbox/).waitFor();
    await page.getByText(/Corrija no banco o que o passo diz, ou altere as credenciais/).waitFor();
    expect(await page.getByRole('button', { name: 'Ativar conta' }).count()).toBe(0);
    await visitor.checkScreen('check that failed');

    await page.getByRole('button', { name: 'Alterar credenciais' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Alterar credenciais' });
    for (const [label, value] of Object.entries(credentials))
      await dialog.getByLabel(label, { exact: true }).fill(value);
    await dialog.getByLabel('Senha atual').fill(PASSWORD);
    await visitor.checkScreen('other credentials');
    await dialog.getByRole('button', { name: 'Enviar e verificar' }).click();
    await outcome(page, /^Passou em /).waitFor();
    await page.getByRole('button', { name: 'Ativar conta' }).waitFor();
    expect(visitor.complaints()).toEqual([]);
  });
});
