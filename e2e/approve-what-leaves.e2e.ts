import { generateSync } from 'otplib';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { payAtBank } from './bank.ts';
import { addMember } from './members.ts';
import { addAuthenticator, addFirstPasskey } from './passkeys.ts';
import { borrowStack, callApi, createCharge, PASSWORD, registerMerchant, type SharedStack } from './stack.ts';
import { newVisitor, openBrowser, type Visitor } from './visitor.ts';

const PIN = '4829';
let stack: SharedStack;
let browser: Browser;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
});

/** An authenticator app for somebody who does nothing in this test. */
async function addApp(token: string): Promise<void> {
  const { secret } = await callApi(stack, 'POST', '/authed/security/totp', {
    token,
    body: { password: PASSWORD },
  });
  const code = generateSync({ secret: String(secret) });
  await callApi(stack, 'POST', '/authed/security/totp/confirm', { token, body: { code } });
}

/** Gives the second factor where it is asked for once more, until what is awaited is there. */
async function confirmIfAsked(page: Page, awaited: string | RegExp): Promise<void> {
  const prompt = page.getByRole('dialog', { name: 'Confirme que é você' });
  const isDone = page.getByText(awaited).first();
  await prompt.or(isDone).first().waitFor();
  if (await prompt.isVisible()) await prompt.getByRole('button', { name: 'Usar chave de acesso' }).click();
  await isDone.waitFor();
}

/** Asks for a withdrawal in the panel, which then waits, and opens its request. */
async function askWithdrawal(owner: Visitor, cents: string): Promise<void> {
  const { page } = owner;
  await page.goto(`${stack.url}/withdrawals`);
  await page.getByLabel('Valor').pressSequentially(cents);
  await page.getByLabel('Tipo de chave').selectOption('email');
  await page.getByLabel('Chave PIX').fill('fornecedor@example.com');
  await page.getByRole('button', { name: 'Solicitar Saque' }).click();
  await page.getByLabel('PIN de saque', { exact: true }).pressSequentially(PIN);
  await page.getByRole('button', { name: 'Confirmar' }).click();
  const sent = page.getByRole('dialog', { name: 'Saque enviado a quem aprova' });
  await sent.waitFor();
  await owner.checkScreen('a withdrawal that waits for approval');
  await sent.getByRole('link', { name: 'Ver o pedido' }).click();
  await page.getByText(/^Você pediu isto/).waitFor();
}

/** Approves the request on the screen with the passkey of this browser. */
async function approveHere({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: 'Aprovar', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Usar chave de acesso' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Opens the newest request that waits for this person, from the start page. */
async function openFromStart({ page }: Visitor): Promise<void> {
  await page.goto(`${stack.url}/dashboard`);
  await page.getByText('1 pedido espera a sua aprovação.').waitFor();
  await page.getByRole('link', { name: 'Ver pedidos' }).click();
  await page
    .getByText(/^Saque de|^Mudança da política/)
    .first()
    .click();
  await page.getByRole('button', { name: 'Aprovar', exact: true }).waitFor();
}

test.each(['phone', 'desktop'] as const)(
  'what leaves an account waits for another person, who approves with a passkey or refuses, on a %s',
  async (width) => {
    const [owner, finance] = [await newVisitor(browser, width), await newVisitor(browser, width)];
    const token = await registerMerchant(stack, { username: `ana-${width}`, name: `Ana ${width} Lima` });
    await payAtBank(stack, (await createCharge(stack, token, 900)).content);
    const pin = { current_password: PASSWORD, new_pin: PIN, confirm_pin: PIN };
    await callApi(stack, 'POST', '/authed/set-withdrawal-pin', { token, body: pin });
    const add = (username: string, name: string) =>
      addMember(stack, { token, password: PASSWORD }, { username, name, role: 'finance' });
    const financeToken = await add(`bento-${width}`, 'Bento Maré');
    await addApp(await add(`celia-${width}`, 'Célia Duna'));
    for (const [visitor, ownToken, name] of [
      [finance, financeToken, 'Celular do Bento'],
      [owner, token, 'Notebook da Ana'],
    ] as const) {
      await addAuthenticator(visitor.page);
      await visitor.enter(ownToken, `${stack.url}/profile/security`);
      await addFirstPasskey(visitor.page, stack, name);
    }

    const { page } = owner;
    await page.goto(`${stack.url}/aprovacoes`);
    await page.getByRole('button', { name: 'Ligar aprovações' }).click();
    await owner.checkScreen('the terms of a policy');
    await page.getByRole('dialog').getByRole('button', { name: 'Ligar', exact: true }).click();
    await confirmIfAsked(page, /^Todo saque e todo estorno espera/);
    await owner.checkScreen('a policy that is on');

    // Approved with the passkey, it is sent, and the maker sees so without a press.
    await askWithdrawal(owner, '5000');
    await owner.checkScreen('a request of one’s own');
    await openFromStart(finance);
    await finance.page.getByText('A conta nunca enviou dinheiro para esta chave Pix.').waitFor();
    await finance.checkScreen('a request to approve');
    await approveHere(finance);
    await finance.page.getByText(/^O pedido foi aprovado/).waitFor();
    await finance.checkScreen('a request that was approved');
    await page.getByText(/^O pedido foi aprovado/).waitFor();
    const statuses = async () => {
      const { withdrawals } = await callApi(stack, 'GET', '/authed/withdrawals', { token });
      return (withdrawals as { status: string }[]).map(({ status }) => status);
    };
    await expect.poll(statuses).toEqual(['completed']);

    // Refused with a reason, nothing leaves.
    await askWithdrawal(owner, '6000');
    await openFromStart(finance);
    await finance.page.getByRole('button', { name: 'Recusar' }).click();
    await finance.page.getByLabel('Motivo (opcional)').fill('Fornecedor já foi pago');
    await finance.checkScreen('a refusal');
    await finance.page.getByRole('dialog').getByRole('button', { name: 'Recusar' }).click();
    await page.getByText('Fornecedor já foi pago').waitFor();
    await owner.checkScreen('a request that was refused');
    expect(await statuses()).toEqual(['failed', 'completed']);

    // From now on two approvals: the policy itself asks for one first.
    await page.goto(`${stack.url}/aprovacoes`);
    await page.getByRole('button', { name: 'Mudar', exact: true }).click();
    await page.getByLabel('Quantas aprovações').selectOption('2');
    await page.getByRole('button', { name: 'Pedir a mudança' }).click();
    await confirmIfAsked(page, 'Pedido enviado a quem aprova');
    await owner.checkScreen('an act that was sent to whoever approves');
    await page.getByRole('link', { name: 'Ver o pedido' }).click();
    await openFromStart(finance);
    await approveHere(finance);
    await page.getByText(/^O pedido foi aprovado e cumprido/).waitFor();

    // Whoever is removed takes their approval with them.
    await askWithdrawal(owner, '7000');
    await openFromStart(finance);
    await approveHere(finance);
    await page.reload();
    await page.getByText('1 de 2').waitFor();
    const requestUrl = page.url();
    await page.goto(`${stack.url}/membros`);
    await page.getByText('Bento Maré').first().click();
    await page.getByRole('button', { name: 'Remover da conta' }).click();
    await page.getByRole('radio', { name: /^Revogar/ }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Remover' }).click();
    await confirmIfAsked(page, /^Membro removido/);
    await page.goto(requestUrl);
    await page.getByText('0 de 2').waitFor();
    expect((await statuses())[0]).toBe('pending');
    expect(owner.complaints(/status of 40[39]/)).toEqual([]);
    // The session ended while calls were under way.
    expect(finance.complaints(/status of 40[139]/)).toEqual([]);
  },
);
