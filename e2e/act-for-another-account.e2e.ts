import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { randomCpf } from '../server/test/random-cpf.ts';
import { findInvitationLink } from './members.ts';
import { borrowStack, PASSWORD, registerMerchant, type SharedStack } from './stack.ts';
import { newVisitor, openBrowser, type Visitor } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
});

async function invite(owner: Visitor, email: string): Promise<void> {
  const { page } = owner;
  await page.getByRole('button', { name: 'Convidar' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByRole('radio', { name: /^Caixa/ }).check();
  await owner.checkScreen('an invitation');
  await dialog.getByRole('button', { name: 'Enviar convite' }).click();
  await page.getByRole('heading', { name: 'Convites abertos' }).waitFor();
  await owner.checkScreen('members and an open invitation');
}

/** From the mail in the sandbox's mailbox through the registration into the account. */
async function acceptByRegistering(
  guest: Visitor,
  person: { username: string; email: string },
): Promise<void> {
  const { page } = guest;
  await expect.poll(() => findInvitationLink(stack, person.email)).toBeDefined();
  await page.goto(`${stack.url}/mailbox`);
  await page.getByRole('button', { name: new RegExp(person.email) }).click();
  await page.getByRole('link', { name: /\/convite\?token=/ }).click();
  await page.getByRole('heading', { name: /^Convite para a conta Dona/ }).waitFor();
  await guest.checkScreen('an invitation before the registration');
  await page.getByRole('link', { name: 'Criar conta para aceitar' }).click();
  await page.getByText('O convite é para este e-mail.').waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe(person.email);
  await page.getByLabel('Nome de usuário').fill(person.username);
  await page.getByLabel('Nome completo').fill('Davi Maré');
  await page.getByRole('textbox', { name: 'CPF' }).pressSequentially(randomCpf());
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirmar senha').fill(PASSWORD);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await page.getByRole('button', { name: 'Aceitar convite' }).waitFor();
  await guest.checkScreen('an invitation after the registration');
  await page.getByRole('button', { name: 'Aceitar convite' }).click();
  await page.getByText(/^Convite aceito\. Você age agora pela conta Dona/).waitFor();
  await guest.checkScreen('the start of a cashier');
  await page.getByRole('button', { name: 'Entendi' }).click();
}

async function chooseAccount(page: Page, name: RegExp): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Conta/ })
    .press('Enter');
  await page.getByRole('menuitem', { name }).click();
}

test.each(['phone', 'desktop'] as const)(
  'somebody who is invited acts for the account in their role, in every tab, until they are removed, on a %s',
  async (width) => {
    const [owner, guest] = [await newVisitor(browser, width), await newVisitor(browser, width)];
    const email = `davi-${width}@example.com`;
    const token = await registerMerchant(stack, { username: `dona-${width}`, name: `Dona ${width} Lima` });
    await owner.enter(token, `${stack.url}/membros`);
    await invite(owner, email);
    await acceptByRegistering(guest, { username: `davi-${width}`, email });

    // What the role may do, and nothing else.
    const { page } = guest;
    await page.getByRole('link', { name: 'Criar Pagamento' }).first().click();
    await page.getByLabel('Valor').fill('25,90');
    await page.getByRole('button', { name: 'Gerar Pagamento' }).click();
    await page.getByText('Aguardando o Pix').waitFor();
    await page.goto(`${stack.url}/dashboard`);
    await page.getByText('Nenhuma paga ainda').waitFor();
    await page.goto(`${stack.url}/wallet`);
    await page.getByText(/Quem abre esta tela: Dono, Financeiro e Contador\./).waitFor();
    await guest.checkScreen('a screen of other roles');

    // Another account in one tab is that of all tabs.
    const secondTab = await guest.context.newPage();
    await secondTab.goto(`${stack.url}/dashboard`);
    await secondTab.getByText('Suas cobranças de hoje').waitFor();
    await chooseAccount(page, /Sua conta/);
    await page.getByText('Verificação Pendente.').waitFor();
    await secondTab.getByText(/^A conta desta sessão foi trocada em outra aba/).waitFor();
    expect(await secondTab.getByText('Suas cobranças de hoje').count()).toBe(0);
    await secondTab.close();
    await chooseAccount(page, /Caixa/);
    await page.getByText('Suas cobranças de hoje').waitFor();

    // The removal is noticed without a press.
    await owner.page.reload();
    await owner.page.getByText('Davi Maré').first().click();
    await owner.checkScreen('a member');
    await owner.page.getByRole('button', { name: 'Remover da conta' }).click();
    await owner.page.getByRole('radio', { name: /^Revogar/ }).check();
    await owner.checkScreen('the removal of a member');
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Remover' }).click();
    await page.waitForURL('**/login**');
    await page.getByText(/^Sua sessão na conta Dona \S+ Lima terminou\./).waitFor();
    await guest.checkScreen('the sign-in after a removal');
    await page.getByLabel('Usuário').fill(`davi-${width}`);
    await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.getByText('Verificação Pendente.').waitFor();
    expect(await page.getByText('Dona', { exact: false }).count()).toBe(0);
    // The session ended while calls were under way.
    expect(guest.complaints(/status of 40[139]/)).toEqual([]);
    expect(owner.complaints()).toEqual([]);
  },
);
