import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { dayOf, formatCalendarDay, shiftDay } from '../web/src/format/date.ts';
import { payAtBank } from './bank.ts';
import { borrowStack, callApi, PASSWORD, registerMerchant, type SharedStack } from './stack.ts';
import { newVisitor, openBrowser } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;
let token: string;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
  token = await registerMerchant(stack, { username: 'academia', name: 'Academia Boa Viagem' });
  await callApi(stack, 'POST', '/authed/apikey', { token, body: { password: PASSWORD } });
});

const dueDay = shiftDay(dayOf(new Date()), 10);

const file = [
  'Seu código;Valor;Nome;CPF ou CNPJ;Vencimento;Descrição',
  `aluno-1;1.250,00;Ana Conceição;529.982.247-25;${formatCalendarDay(dueDay)};Mensalidade`,
  'aluno-2;86,40;;;;Diária',
  'aluno-2;86,40;;;;Diária',
].join('\r\n');

async function chooseFile(page: Page, text: string): Promise<void> {
  // As a Brazilian spreadsheet writes it.
  const buffer = Buffer.from(text, 'latin1');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'dezembro.csv', mimeType: 'text/csv', buffer });
}

test('a merchant imports charges from a file on a phone, leaves a faulty line out, and gets the links', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/cobrancas`);
  await page.getByRole('link', { name: 'Lotes' }).click();
  await page.getByText('Nenhum lote ainda').waitFor();
  await visitor.checkScreen('no batches');
  await page.getByRole('link', { name: 'Importar cobranças' }).click();
  await page.getByText('A primeira linha tem os nomes das colunas').waitFor();
  await visitor.checkScreen('import');

  await chooseFile(page, file);
  await page.getByText('Seu código: Já está na linha 3.').waitFor();
  await visitor.checkScreen('preview with a faulty line');
  await page.getByRole('button', { name: 'Criar 2 cobranças' }).click();
  await page.getByText('A linha com problema fica de fora').waitFor();
  await visitor.checkScreen('confirmation');
  await page.getByRole('dialog').getByRole('button', { name: 'Criar 2 cobranças' }).click();
  await page.getByText('Concluído: 2 linhas').waitFor();
  await page.getByText('aluno-1').waitFor();
  await page.getByRole('link', { name: 'Ver cobrança' }).nth(1).waitFor();
  await visitor.checkScreen('batch');

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Baixar resultado (CSV)' }).click();
  const result = readFileSync(await (await saving).path(), 'utf8');
  expect(result).toMatch(/1;aluno-1;Criada;.*;1250,00;.*\/pagar\/.*;000201/);
  const [, code = ''] = /aluno-2;.*;(000201[^;]+);/.exec(result) ?? [];
  expect(await payAtBank(stack, code)).toMatch(/^E/);

  // The same charges once more, as somebody would who is not sure that it worked.
  await page.goto(`${stack.url}/cobrancas?tab=import`);
  await chooseFile(page, file);
  await page.getByRole('button', { name: 'Criar 2 cobranças' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Criar 2 cobranças' }).click();
  await page.getByText('Este arquivo já foi confirmado').waitFor();
  await visitor.checkScreen('file that was confirmed before');
  await page.getByRole('button', { name: 'Abrir o lote' }).click();
  await page.getByText('Concluído: 2 linhas').waitFor();
  const { data } = await callApi(stack, 'GET', '/pix/batches', { token });
  expect(data).toHaveLength(1);
  await page.getByRole('link', { name: 'Todos os lotes' }).click();
  await page.getByText('2 criadas').waitFor();
  await visitor.checkScreen('list of batches');
  expect(visitor.complaints()).toEqual([]);
});

test('a merchant lets Pix of other payers be held, accepts one and gives another back, on a phone', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/cobrancas?tab=held`);
  await page.getByText('Nada para decidir').waitFor();
  await visitor.checkScreen('nothing held');
  await page.getByRole('link', { name: 'Quem pode pagar' }).click();
  await page.getByLabel('Se outra pessoa pagar').selectOption('hold');
  await visitor.checkScreen('rules');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Regras salvas').waitFor();

  for (const external_id of ['aluno-7', 'aluno-8']) {
    const payer = { name: 'Ana Conceição', document: '52998224725' };
    const body = { amount: 150, external_id, due_date: dueDay, payer };
    const { content } = await callApi(stack, 'POST', '/pix/new', { token, body });
    await payAtBank(stack, content);
  }
  await expect
    .poll(
      async () => {
        await page.goto(`${stack.url}/cobrancas`);
        await page.getByRole('link', { name: /^Pix retidos \(\d\)$/ }).waitFor();
        return page.getByRole('link', { name: 'Pix retidos (2)' }).count();
      },
      { timeout: 120_000 },
    )
    .toBe(1);
  await page.getByRole('link', { name: 'Pix retidos (2)' }).click();
  const rows = page.getByRole('list', { name: 'Pix retidos' }).getByRole('button');
  await rows.first().waitFor();
  await visitor.checkScreen('held Pix');
  await rows.first().click();
  await page.getByText(/não é a pessoa que a cobrança nomeia/).waitFor();
  await visitor.checkScreen('detail of a held Pix');
  await page.getByRole('button', { name: 'Aceitar' }).click();
  await page.getByText('com a tarifa da cobrança').waitFor();
  await page.getByRole('button', { name: 'Aceitar' }).click();
  await page.getByText('Pix aceito').waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await rows.first().click();
  await page.getByRole('button', { name: 'Devolver' }).click();
  await page.getByText('Volta inteiro para').waitFor();
  await visitor.checkScreen('question before a Pix is given back');
  await page.getByRole('button', { name: 'Devolver' }).click();
  await page.getByText('Nada para decidir').waitFor();
  await page.getByText('Todos').click();
  await page.getByText('Aceito', { exact: true }).waitFor();
  await expect
    .poll(
      async () => {
        await page.getByRole('button', { name: 'Atualizar' }).click();
        return page.getByText('Devolvido', { exact: true }).count();
      },
      { timeout: 120_000 },
    )
    .toBe(1);
  await visitor.checkScreen('all held Pix');
  expect(visitor.complaints()).toEqual([]);
});
