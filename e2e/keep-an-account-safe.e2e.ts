import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { addAuthenticator } from './passkeys.ts';
import { borrowStack, callApi, PASSWORD, registerMerchant, type SharedStack } from './stack.ts';
import { newVisitor, openBrowser } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
});

/** Reads the link that resets the password from the sandbox's mails; empty until the mail has arrived. */
async function readResetLink(): Promise<string> {
  const mails = JSON.stringify(await callApi(stack, 'GET', '/sandbox/mails'));
  return /https?:\/\/[^\s"]+\/redefinir-senha\?token=[\w-]+/.exec(mails)?.[0] ?? '';
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${stack.url}/dashboard`);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Conta/ })
    .click();
  await page.getByRole('menuitem', { name: 'Sair' }).click();
  await page.waitForURL('**/login**');
}

test('a passkey is added, and signs in without a password', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  await addAuthenticator(page);
  const token = await registerMerchant(stack, { username: 'salina', name: 'Salina Guedes' });
  await visitor.enter(token, `${stack.url}/profile/security`);
  await page.getByRole('button', { name: 'Adicionar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Adicionar chave de acesso' });
  await dialog.getByLabel('Nome da chave').fill('Notebook do balcão');
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  // Adding the first factor requires the password again, even right after the sign-in.
  const passwordDialog = page.getByRole('dialog', { name: 'Confirme sua senha' });
  await passwordDialog.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await passwordDialog.getByRole('button', { name: 'Confirmar' }).click();
  const codes = page.getByRole('dialog', { name: 'Guarde os códigos de recuperação' });
  await codes.waitFor();
  const [code = ''] = await codes.getByRole('listitem').allTextContents();
  await visitor.checkScreen('recovery codes');
  await codes.getByRole('button', { name: 'Já guardei' }).click();
  await page.getByText('Notebook do balcão').waitFor();
  await visitor.checkScreen('security');

  await signOut(page);
  await page.getByRole('button', { name: 'Entrar com chave de acesso' }).click();
  await page.waitForURL('**/dashboard');
  await page.getByRole('heading', { name: 'Olá, Salina' }).waitFor();

  // Without the passkey, the sign-in takes the password and then a recovery code.
  await signOut(page);
  await page.getByLabel('Usuário').fill('salina');
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByRole('heading', { name: 'Confirme que é você' }).waitFor();
  await visitor.checkScreen('the second factor of a sign-in');
  await page.getByRole('button', { name: /código de recuperação/i }).click();
  await page.getByLabel('Código de recuperação').fill(code);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL('**/dashboard');
  expect(visitor.complaints(/status of 403/)).toEqual([]);
});

test('a forgotten password is replaced through a mailed link that works once', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  await page.goto(`${stack.url}/register`);
  await page.getByLabel('Nome de usuário').fill('catarina');
  await page.getByLabel('Nome completo').fill('Catarina Beira-Mar');
  await page.getByLabel('E-mail').fill('catarina@example.com');
  await page.getByRole('textbox', { name: 'CPF' }).pressSequentially('15350946056');
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirmar senha').fill(PASSWORD);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await page.waitForURL('**/dashboard');
  await signOut(page);

  await page.getByRole('link', { name: /senha/i }).click();
  await page.getByLabel('E-mail').fill('catarina@example.com');
  await visitor.checkScreen('a forgotten password');
  await page.getByRole('button', { name: /Enviar/ }).click();
  await page.getByText('Se houver uma conta com este endereço').waitFor();
  await expect.poll(readResetLink).toContain('token=');
  const link = await readResetLink();
  await page.goto(`${stack.url}/mailbox`);
  await page.getByText('catarina@example.com').first().waitFor();
  await visitor.checkScreen('the mailbox of the sandbox');
  await page.goto(link);
  await page.getByLabel('Nova senha').fill('vento leste, rede cheia');
  await page.getByLabel('Confirmar senha').fill('vento leste, rede cheia');
  await visitor.checkScreen('a new password');
  await page.getByRole('button', { name: 'Trocar senha' }).click();
  await page.getByRole('heading', { name: 'Senha trocada' }).waitFor();
  await page.goto(`${stack.url}/login`);
  await page.getByLabel('Usuário').fill('catarina');
  await page.getByLabel('Senha', { exact: true }).fill('vento leste, rede cheia');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL('**/dashboard');
  await page.goto(link);
  await page.getByText(/já foi usado ou não vale mais/).waitFor();
  await page.getByRole('link', { name: 'Pedir outro link' }).waitFor();
  await visitor.checkScreen('a link that was used');
  expect(visitor.complaints(/status of 40[01]/)).toEqual([]);
});
