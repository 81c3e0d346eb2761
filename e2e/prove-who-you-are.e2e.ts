import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomCpf } from '../server/test/random-cpf.ts';
import { installPush } from './push.ts';
import { borrowStack, PASSWORD, registerMerchant, type SharedStack, signInByApi } from './stack.ts';
import { newVisitor, openWholeBrowser, type Visitor } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openWholeBrowser();
});
afterAll(() => browser?.close());

const sides = ['Frente do documento', 'Verso do documento', 'Selfie com o documento'];

async function register(page: Page, person: Record<'username' | 'name' | 'type' | 'document', string>) {
  await page.goto(`${stack.url}/register`);
  await page.getByLabel('Nome de usuário').fill(person.username);
  await page.getByLabel('Nome completo').fill(person.name);
  await page.getByLabel('E-mail').fill(`${person.username}@example.com`);
  if (person.type !== 'CPF') await page.getByText(person.type, { exact: true }).first().click();
  await page.getByRole('textbox', { name: person.type }).pressSequentially(person.document);
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirmar senha').fill(PASSWORD);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await page.waitForURL('**/dashboard');
}

/** Chooses three pictures, which are screenshots in the format of a camera. */
async function chooseDocuments(page: Page): Promise<void> {
  for (const [index, side] of sides.entries()) {
    const buffer = await page.screenshot({ type: 'jpeg', quality: 80 - index });
    const file = { name: `${side}.jpg`, mimeType: 'image/jpeg', buffer };
    await page.getByLabel(`Escolher imagem: ${side}`).setInputFiles(file);
    await page.getByRole('img', { name: side }).waitFor();
  }
}

async function sendDocuments({ page }: Visitor): Promise<void> {
  await chooseDocuments(page);
  await page.getByRole('button', { name: 'Enviar Documentos' }).click();
  await page.getByText('Documentos enviados com sucesso!').waitFor();
  await page.getByText('Aguarde a análise da nossa equipe.').waitFor();
}

test('a new user is rejected with a reason, sends documents again, is approved, and is notified', async () => {
  const [visitor, operator] = [await newVisitor(browser, 'phone'), await newVisitor(browser, 'desktop')];
  const push = await installPush(visitor, stack.url);
  const { page } = visitor;
  await register(page, {
    username: 'jacira',
    name: 'Jacira Beira-Mar',
    type: 'CPF',
    document: randomCpf(),
  });
  await page.getByText('Verificação Pendente').waitFor();
  await page.getByRole('link', { name: 'Verificar Agora' }).click();
  await page.getByRole('button', { name: 'Enviar Documentos' }).click();
  await page.getByText('Por favor, envie todas as imagens necessárias.').waitFor();
  await visitor.checkScreen('documents that are missing');
  await sendDocuments(visitor);
  await visitor.checkScreen('documents that were sent');

  await operator.enter(await signInByApi(stack, 'admin', 'admin-demo'), `${stack.url}/admin/kyc-management`);
  const desk = operator.page;
  await desk.getByRole('button', { name: 'Ver Jacira Beira-Mar' }).click();
  await operator.checkScreen('the documents of somebody');
  await desk.getByRole('button', { name: 'Ampliar selfie com o documento' }).click();
  const picture = desk.getByRole('dialog', { name: 'Selfie com o documento' });
  await picture.getByRole('img', { name: 'Selfie com o documento' }).waitFor();
  await picture.getByRole('button', { name: 'Girar para a direita' }).click();
  await operator.checkScreen('a picture, turned');
  await desk.keyboard.press('Escape');
  await desk.getByRole('dialog', { name: 'Jacira' }).getByRole('button', { name: 'Rejeitar' }).click();
  const rejection = desk.getByRole('dialog', { name: 'Rejeitar verificação' });
  await rejection.getByLabel('Motivo da rejeição').fill('A selfie está escura.');
  await rejection.getByRole('button', { name: 'Rejeitar' }).click();
  await desk.getByText('Verificação rejeitada').waitFor();

  await page.getByText('Motivo: A selfie está escura.').waitFor();
  await visitor.checkScreen('a rejection');
  await page.goto(`${stack.url}/profile`);
  await page.getByRole('button', { name: 'Ativar notificações' }).click();
  await page.getByText('Ativadas', { exact: true }).waitFor();
  await page.goto(`${stack.url}/kyc-verification`);
  await sendDocuments(visitor);

  await desk.getByRole('button', { name: 'Atualizar' }).click();
  await desk.getByRole('button', { name: 'Ver Jacira Beira-Mar' }).click();
  await desk.getByRole('dialog', { name: 'Jacira' }).getByRole('button', { name: 'Aprovar' }).click();
  await desk.getByText('Verificação aprovada').waitFor();
  await desk.getByRole('button', { name: 'Ver Jacira Beira-Mar' }).waitFor({ state: 'detached' });

  await page.getByText('Conta aprovada').first().waitFor();
  await expect.poll(() => push.devices[0]?.received.length).toBe(1);
  await push.deliver(push.devices[0]?.received[0]?.message ?? {});
  await expect.poll(async () => (await push.shownNotifications()).length).toBe(1);
  await page.goto(`${stack.url}/dashboard`);
  await page.getByText('Verificação Pendente').waitFor({ state: 'hidden' });
  expect(visitor.complaints()).toEqual([]);
  expect(operator.complaints()).toEqual([]);
  await push.close();
});

test('a company is told where to send its documents', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  const document = '04252011000110';
  await register(page, { username: 'empresa', name: 'Mar Aberto Pescados', type: 'CNPJ', document });
  await page.goto(`${stack.url}/kyc-verification`);
  await page.getByRole('link', { name: 'contas@jangada.test' }).waitFor();
  await visitor.checkScreen('the notice for companies');
  await page.getByRole('link', { name: 'Fechar' }).click();
  await page.waitForURL('**/dashboard');
  expect(visitor.complaints()).toEqual([]);
});

test('an administrator changes fees and a balance, and finds both in the audit log', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  const merchant = await registerMerchant(stack, { username: 'ritinha', name: 'Rita Maré' });
  await visitor.enter(await signInByApi(stack, 'admin', 'admin-demo'), `${stack.url}/admin/user-management`);
  await page.getByLabel('Buscar por nome, usuário, e-mail ou documento').fill('ritinha');
  await page.getByText('Usuários 1–1 de 1').waitFor();
  await page.getByRole('row', { name: /ritinha/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Editar usuário' });
  await dialog.getByLabel('Entrada (%)').fill('1.25');
  const balance = dialog.getByLabel('Saldo disponível');
  const before = await balance.inputValue();
  const reais = Number(before.replaceAll('.', '').replace(',', '.')) + 10;
  await balance.fill(reais.toFixed(2).replace('.', ','));
  await dialog.getByLabel('Motivo do ajuste').fill('Estorno de tarifa cobrada a mais.');
  await visitor.checkScreen('a user that is edited');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.goto(`${stack.url}/admin/audit-log`);
  await page.getByRole('row', { name: /Tarifa de entrada: 0,99% → 1,25%/ }).waitFor();
  await visitor.checkScreen('the audit log');
  await page.getByRole('row', { name: /Saldo ajustado/ }).click();
  await page.getByRole('dialog').getByText('Estorno de tarifa cobrada a mais.').waitFor();
  await visitor.checkScreen('an entry of the audit log');

  await visitor.enter(merchant, `${stack.url}/admin/user-management`);
  await page.waitForURL('**/dashboard');
  expect(visitor.complaints()).toEqual([]);
});
