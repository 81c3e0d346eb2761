import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BR_CODE, type Provider, type Shape, shapes, startProvider } from './another-provider.ts';
import { close, listen } from './local-server.ts';
import { newVisitor, openBrowser, type Visitor } from './visitor.ts';

// The built dashboard against another provider of the API, in each shape of responses that the specification allows.

let provider: Provider;
let browser: Browser;
let dist: string;
let pages: Server;
let url: string;

beforeAll(async () => {
  provider = await startProvider();
  dist = mkdtempSync(join(tmpdir(), 'jangada-other-'));
  const [building, opened] = await Promise.allSettled([build(), openBrowser()]);
  if (opened.status === 'fulfilled') browser = opened.value;
  if (building.status === 'rejected') throw building.reason;
  pages = createServer((request, response) => {
    const file = fileFor(new URL(request.url ?? '', 'http://pages').pathname);
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
    if (file.endsWith('.html')) response.setHeader('content-security-policy', policy());
    response.end(readFileSync(join(dist, file)));
  });
  url = await listen(pages);
});

afterAll(async () => {
  if (pages) await close(pages);
  await provider?.stop();
  rmSync(dist, { recursive: true, force: true });
});

/** Builds the dashboard as an operator with another provider does. */
async function build(): Promise<void> {
  const web = fileURLToPath(new URL('../web', import.meta.url));
  const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url));
  await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', dist, '--emptyOutDir'], {
    cwd: web,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      VITE_API_URL: provider.url,
      VITE_WS_URL: provider.liveUrl,
    },
  });
}

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** Returns the file for a path, as a static server does: some pages have files of their own, the app serves all other paths. */
function fileFor(path: string): string {
  if (extname(path) !== '') return path;
  return ['/login', '/register', '/docs'].includes(path) ? `${path}.html` : 'index.html';
}

function policy(): string {
  return JSON.parse(readFileSync(join(dist, 'csp.json'), 'utf8')).policy;
}

/** Expects that the screen shows no trace of a missing value. */
async function expectNoMissingValues(page: Page): Promise<void> {
  const text = (await page.locator('body').textContent()) ?? '';
  expect(text.match(/undefined|\bNaN\b|Invalid Date|\[object|\bnull\b/g)).toBeNull();
}

/** The console errors that the responses in these tests cause. */
const expectedErrors = /the server responded with a status of (400|401|404|409|502|504)/;

/**
 * Ends a visit. Expects no console errors but the expected ones, and no calls outside the specification but GET /settings,
 * which the dashboard tries with every provider.
 */
async function endVisit(visitor: Visitor): Promise<void> {
  expect(visitor.complaints(expectedErrors)).toEqual([]);
  expect([...provider.unknownCalls].filter((call) => call !== 'GET /settings')).toEqual([]);
  await visitor.context.close();
}

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Usuário').fill(username);
  await page.getByLabel('Senha', { exact: true }).fill('segredo-bom');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByText('Login realizado com sucesso!').waitFor();
  await page.waitForURL('**/dashboard');
}

/** Opens a screen by its entry in the menu. */
async function openScreen(page: Page, entry: string, heading = entry): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: entry, exact: true })
    .click();
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
}

const waitForText = (page: Page, text: string | RegExp) =>
  page
    .getByText(text, { exact: typeof text === 'string' })
    .filter({ visible: true })
    .first()
    .waitFor();

/** Draws a picture of one shade of grey, as PNG. */
const greyPng = (page: Page, shade: number): Promise<Buffer> =>
  page
    .evaluate((grey) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [640, 480];
      const context = canvas.getContext('2d');
      if (context) context.fillStyle = `rgb(${grey} ${grey} ${grey})`;
      context?.fillRect(0, 0, 640, 480);
      return canvas.toDataURL('image/png').split(',')[1] ?? '';
    }, shade)
    .then((base64) => Buffer.from(base64, 'base64'));

/** A short run opens all screens with one shape of responses. With the other shapes it checks only what differs. */
const { plain, ...otherShapes } = shapes;
const shapesOfFullWalk: Readonly<Record<string, Shape>> = process.env['LONG'] ? shapes : { plain };

describe.each(Object.entries(shapesOfFullWalk))('a provider that responds in the %s shape', (_, shape) => {
  test('a merchant opens every screen of the specification, and each works', async () => {
    provider.reset(shape);
    const visitor = await newVisitor(browser, 'desktop');
    const { page } = visitor;
    await signIn(page, 'marina');

    await page.getByRole('heading', { name: 'Olá, Marina' }).waitFor();
    for (const text of ['R$ 38.561,10', '44', '3', '5', 'R$ 12.480,37']) await waitForText(page, text);
    const recent = page.getByRole('table', { name: 'Transações recentes' });
    await expect.poll(() => recent.getByRole('row').count()).toBe(6);
    await recent.getByText('R$ 412,90').waitFor();
    await expectNoMissingValues(page);
    await definePin(page);
    await expectOnlySpecifiedScreens(page);

    await openScreen(page, 'Carteira', 'Minha Carteira');
    for (const text of ['R$ 38.561,10', 'R$ 250,50', 'R$ 321,07', '60', '44', '16'])
      await waitForText(page, text);
    await page.getByRole('button', { name: 'Atualizar' }).click();
    await page.getByRole('row', { name: 'Saques pendentes 1' }).waitFor();
    await expectNoMissingValues(page);

    await generateApiKeys(page);
    await checkTransactions(page);
    await createPayment(page);
    await withdraw(page, shape);
    await checkWithdrawals(page);
    await checkProfile(page);

    await endVisit(visitor);
  });
});

describe.each(Object.entries(otherShapes))('a provider that responds in the %s shape', (_, shape) => {
  test('a merchant reads their numbers and transactions, and makes a payment', async () => {
    provider.reset(shape);
    const visitor = await newVisitor(browser, 'desktop');
    const { page } = visitor;
    await signIn(page, 'marina');
    for (const text of ['R$ 38.561,10', '44', '3', '5', 'R$ 12.480,37']) await waitForText(page, text);
    await page.getByRole('table', { name: 'Transações recentes' }).getByText('R$ 412,90').waitFor();
    await expectNoMissingValues(page);
    await openScreen(page, 'Carteira', 'Minha Carteira');
    for (const text of ['R$ 38.561,10', 'R$ 250,50', 'R$ 321,07', '60', '44', '16'])
      await waitForText(page, text);
    await generateApiKeys(page);
    await checkTransactions(page);
    await createPayment(page);
    await endVisit(visitor);
  });
});

/** The shapes with which the administrator's screens and the registration are tested. */
const shapesOfAdministration: Readonly<Record<string, Shape>> = process.env['LONG']
  ? { plain, nested: shapes.nested }
  : { nested: shapes.nested };

describe.each(Object.entries(shapesOfAdministration))(
  'a provider that responds in the %s shape',
  (_, shape) => {
    test('an administrator decides on documents and changes users, and sees none of our own admin screens', async () => {
      provider.reset(shape);
      const visitor = await newVisitor(browser, 'desktop');
      const { page } = visitor;
      await visitor.enter('token-chefe', `${url}/dashboard`);
      await page.getByRole('heading', { name: 'Olá, Beatriz' }).waitFor();
      await expectOnlySpecifiedScreens(page);

      await openScreen(page, 'Verificações KYC');
      await page.getByRole('button', { name: 'Ver Severino Maranhão' }).click();
      const documents = page.getByRole('dialog', { name: 'Severino Maranhão' });
      await documents.getByText('529.982.247-25').waitFor();
      await documents.getByRole('button', { name: 'Ampliar selfie com o documento' }).click();
      await page.getByRole('img', { name: 'Selfie com o documento' }).waitFor();
      await expectNoMissingValues(page);
      await page.keyboard.press('Escape');
      await documents.getByRole('button', { name: 'Aprovar' }).click();
      await waitForText(page, 'Verificação aprovada');
      await page.getByRole('button', { name: 'Rejeitar Rosa Lima' }).click();
      await page.getByLabel('Motivo').fill('A selfie está escura.');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Rejeitar/ })
        .click();
      await waitForText(page, 'Verificação rejeitada');
      const rejected = provider.calls.find(({ name }) => name === 'POST /admin/users/kyc/reject/52');
      expect(rejected?.body).toEqual({ reason: 'A selfie está escura.' });

      await openScreen(page, 'Usuários');
      await waitForText(page, 'Severino Maranhão');
      await page
        .getByRole('searchbox')
        .or(page.getByLabel(/^Buscar/))
        .first()
        .fill('rosa');
      await expect.poll(() => page.getByText('Severino Maranhão').filter({ visible: true }).count()).toBe(0);
      await page.getByRole('button', { name: 'Editar' }).first().click();
      const user = page.getByRole('dialog', { name: 'Editar usuário' });
      await user.getByLabel('Entrada (%)').fill('1,25');
      await user.getByLabel('Aprovado').click();
      await expectNoMissingValues(page);
      await user.getByRole('button', { name: 'Salvar' }).click();
      await waitForText(page, 'Usuário atualizado');
      const saved = provider.calls.find(({ name }) => name === 'PUT /admin/users/52')?.body;
      expect(saved).toMatchObject({
        id: 52,
        username: 'rosa',
        approved: true,
        balance: 12_480.37,
        push_ids: [],
      });
      expect(saved?.['taxes']).toMatchObject({ pix: { in: 1.25 } });
      await endVisit(visitor);
    });

    test('a visitor without an account registers, signs in and submits identity documents', async () => {
      provider.reset(shape);
      const visitor = await newVisitor(browser, 'phone');
      const { page } = visitor;
      await tryRefusedSignIns(page);
      await page.goto(`${url}/register`);
      const field = (label: string) => page.getByLabel(label, { exact: true });
      await field('Nome de usuário').fill('ocupado');
      await field('Nome completo').fill('Novo Lojista');
      await field('E-mail').fill('novo@outro.example');
      await page.getByRole('textbox', { name: 'CPF' }).fill('123.456.789-09');
      await field('Senha').fill('mar calmo, vela alta');
      await field('Confirmar senha').fill('mar calmo, vela alta');
      await page.getByRole('button', { name: 'Criar conta' }).click();
      const errorDialog = page.getByRole('alertdialog').or(page.getByRole('dialog')).first();
      await errorDialog.getByText('Erro no Registro').waitFor();
      await errorDialog.getByText('Nome de usuário já existe').waitFor();
      await errorDialog.getByRole('button', { name: 'Fechar' }).last().click();
      await field('Nome de usuário').fill('novo');
      await page.getByRole('button', { name: 'Criar conta' }).click();
      await page.waitForURL('**/dashboard');
      expect(provider.calls.findLast(({ name }) => name === 'POST /register')?.body).toEqual({
        username: 'novo',
        name: 'Novo Lojista',
        password: 'mar calmo, vela alta',
        email: 'novo@outro.example',
        document: '12345678909',
        doctype: 'cpf',
      });

      await waitForText(page, 'Verificação Pendente.');
      await page.getByRole('link', { name: 'Verificar Agora' }).click();
      const sides = ['Frente do documento', 'Verso do documento', 'Selfie com o documento'];
      for (const [index, side] of sides.entries()) {
        const buffer = await greyPng(page, 40 * (index + 1));
        await page
          .getByLabel(`Escolher imagem: ${side}`)
          .setInputFiles({ name: `${index}.png`, mimeType: 'image/png', buffer });
        await page.getByRole('img', { name: side }).waitFor();
      }
      await expectNoMissingValues(page);
      await page.getByRole('button', { name: 'Enviar Documentos' }).click();
      await waitForText(page, 'Documentos enviados com sucesso!');
      await waitForText(page, 'Aguarde a análise da nossa equipe.');
      await endVisit(visitor);
    });
  },
);

test('errors of another provider appear in the texts of the specification, and nobody is led to pay twice', async () => {
  provider.reset(shapes.plain);
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  await visitor.enter('token-marina', `${url}/statement`);
  await page.getByRole('heading', { name: 'Página não encontrada' }).waitFor();
  await expect.poll(() => provider.channels.at(-1)).toBe('token-marina');
  provider.notify('Pix recebido', 'R$ 10,00 de Ana');
  await waitForText(page, 'Pix recebido · R$ 10,00 de Ana');

  provider.fail('GET /authed/wallet/stats', 502, '<html>Bad Gateway</html>');
  await openScreen(page, 'Carteira', 'Minha Carteira');
  await waitForText(page, 'Erro ao buscar estatísticas da carteira.');
  await expectNoMissingValues(page);

  await openScreen(page, 'Início', 'Olá, Marina');
  await definePin(page);
  provider.fail('POST /authed/withdraw', 504, '<html>Gateway Timeout</html>');
  await openScreen(page, 'Sacar', 'Solicitar Saque');
  await requestWithdrawal(page, '1357');
  await waitForText(page, /Antes de pedir de novo, confira no Histórico de Saques/);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Fechar' }).last().click();

  provider.fail('GET /authed/feed/transactions', 401, '{}');
  await page.getByRole('link', { name: 'Todas as Transações', exact: true }).click();
  await page.waitForURL('**/login?from=*');
  expect(await visitor.hasStoredSession()).toBe(false);
  await endVisit(visitor);
});

test("the documentation names the provider's addresses, in the panel and without signing in", async () => {
  provider.reset(shapes.plain);
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  await visitor.enter('token-marina', `${url}/pix-api-docs`);
  await page.getByText(`${provider.url}/pix/new`).first().waitFor();
  await page.goto(`${url}/docs`);
  await page.getByText(`${provider.url}/pix/new`).first().waitFor();
  await endVisit(visitor);
});

async function tryRefusedSignIns(page: Page): Promise<void> {
  await page.goto(`${url}/login`);
  const attempt = async (username: string) => {
    await page.getByLabel('Usuário').fill(username);
    await page.getByLabel('Senha', { exact: true }).fill('errada');
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  };
  await attempt('marina');
  await waitForText(page, 'Credenciais inválidas');
  await attempt('sem-token');
  await waitForText(page, 'Login response did not contain a token.');
  expect(await page.getByRole('button', { name: 'Entrar com chave de acesso' }).isVisible()).toBe(false);
  expect(await page.getByText('Esqueci a senha').isVisible()).toBe(false);
}

async function definePin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Definir PIN' }).click();
  const dialog = page.getByRole('dialog', { name: 'Definir PIN de saque' });
  await dialog.getByLabel('Senha atual', { exact: true }).fill('errada');
  await dialog.getByLabel('Novo PIN', { exact: true }).fill('1357');
  await dialog.getByLabel('Confirmar PIN', { exact: true }).fill('1357');
  await dialog.getByRole('button', { name: 'Definir PIN' }).click();
  await waitForText(page, 'Senha atual incorreta');
  await dialog.getByLabel('Senha atual', { exact: true }).fill('segredo-bom');
  await dialog.getByRole('button', { name: 'Definir PIN' }).click();
  await waitForText(page, 'PIN de saque definido');
}

/** Expects that the menu and the header offer only features of the specification. */
async function expectOnlySpecifiedScreens(page: Page): Promise<void> {
  const specified = [
    'Início',
    ...['Todas as Transações', 'Criar Pagamento', 'Sacar', 'Histórico de Saques'],
    ...['Carteira', 'Chaves de API', 'Documentação API', 'Perfil', 'Usuários', 'Verificações KYC'],
  ];
  const menu = page.getByRole('navigation', { name: 'Menu' }).getByRole('link');
  // The menu's entries for our own features disappear once the provider has responded with 404.
  await expect
    .poll(async () => (await menu.allTextContents()).filter((entry) => !specified.includes(entry.trim())))
    .toEqual([]);
  await page.getByRole('button', { name: /^Notificações/ }).waitFor({ state: 'detached' });
}

async function generateApiKeys(page: Page): Promise<void> {
  const key = 'chave-de-outro-provedor-0123456789';
  await openScreen(page, 'Criar Pagamento');
  await page.getByRole('link', { name: 'Ir para Chaves de API' }).click();
  await page.getByRole('button', { name: 'Gerar chave' }).click();
  const keyDialog = page.getByRole('dialog', { name: 'Sua nova chave de API' });
  await keyDialog.getByText(key).waitFor();
  await keyDialog.getByRole('button', { name: 'Copiar chave' }).click();
  await waitForText(page, 'API key copied to clipboard');
  await keyDialog.getByRole('button', { name: 'Fechar' }).last().click();
  await page.getByRole('button', { name: 'Mostrar chave' }).click();
  await page.getByText(key, { exact: true }).waitFor();
  await page.getByText(`Host: ${new URL(provider.url).host}`).waitFor();
  await expectNoMissingValues(page);
  await page.getByRole('button', { name: 'Revogar chave' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revogar chave' }).click();
  await waitForText(page, 'API key revoked successfully');
  await page.getByRole('button', { name: 'Gerar chave' }).click();
  await keyDialog.getByRole('button', { name: 'Fechar' }).last().click();
}

async function checkTransactions(page: Page): Promise<void> {
  await openScreen(page, 'Todas as Transações');
  const rows = page.getByRole('table', { name: 'Transações' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(11);
  await waitForText(page, 'em_custodia');
  await page
    .getByRole('button', { name: 'Próxima página' })
    .or(page.getByRole('button', { name: '2', exact: true }))
    .first()
    .click();
  await waitForText(page, 'R$ 111,00');
  await expectNoMissingValues(page);
  await page.getByText('Pendentes', { exact: true }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('button', { name: 'Detalhes' }).first().click();
  await waitForText(page, '00020126BRCODE1');
  expect(await page.getByRole('button', { name: 'Cancelar cobrança' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Fechar' }).last().click();
  await page.getByText('Pagas', { exact: true }).click();
  // The previous rows stay until the requested rows are loaded.
  const paid = rows.filter({ hasText: 'R$ 412,90' }).first();
  await paid.getByRole('button', { name: 'Detalhes' }).click();
  await waitForText(page, 'R$ 408,81');
  await page.getByRole('button', { name: 'Estornar' }).click();
  await waitForText(page, 'Funcionalidade de estorno não implementada');
  await expectNoMissingValues(page);
  await page.getByRole('button', { name: 'Fechar' }).last().click();
}

async function createPayment(page: Page): Promise<void> {
  await openScreen(page, 'Criar Pagamento');
  await page.getByLabel(/^Valor/).pressSequentially('2590');
  await page.getByRole('button', { name: 'Gerar Pagamento' }).click();
  await page.getByText('Aguardando o Pix').waitFor();
  await waitForText(page, BR_CODE);
  await page.getByRole('img', { name: 'QR Code para pagar este Pix' }).waitFor();
  await page.getByRole('button', { name: 'Copiar código Pix' }).click();
  await waitForText(page, /R\$\s25,90/);
  await expectNoMissingValues(page);
  const creation = provider.calls.find(({ name }) => name === 'POST /pix/new');
  expect(creation?.body).toEqual({ amount: 25.9, expiresIn: 1800 });
  expect(creation?.headers['x-api-key']).toBe('chave-de-outro-provedor-0123456789');
  expect(creation?.headers.authorization).toBeUndefined();
}

async function withdraw(page: Page, shape: Shape): Promise<void> {
  await openScreen(page, 'Sacar', 'Solicitar Saque');
  await waitForText(page, shape.hasDetails ? /R\$\s0,80/ : /R\$\s1,50/);
  await expectNoMissingValues(page);
  await requestWithdrawal(page, '2468');
  const errorDialog = page.getByRole('alertdialog', { name: 'Erro' });
  await errorDialog.getByText('PIN de saque incorreto').waitFor();
  await errorDialog.getByRole('button', { name: 'Fechar' }).last().click();
  await requestWithdrawal(page, '1357');
  const successDialog = page.getByRole('dialog', { name: 'Sucesso!' });
  await successDialog.getByText('Saque registrado no provedor').waitFor();
  await successDialog.getByRole('button', { name: 'OK' }).click();
  expect(provider.calls.findLast(({ name }) => name === 'POST /authed/withdraw')?.body).toEqual({
    amount: 50,
    pixKey: '12345678909',
    pix_key_type: 'cpf',
    withdrawal_pin: '1357',
  });
}

/** Requests a withdrawal of R$ 50,00 to a CPF, and confirms it with a PIN. */
async function requestWithdrawal(page: Page, pin: string): Promise<void> {
  const amount = page.getByLabel(/^Valor/);
  await amount.fill('');
  await amount.pressSequentially('5000');
  await page.getByLabel('Chave PIX').fill('123.456.789-09');
  await page.getByRole('button', { name: 'Solicitar Saque' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('PIN de saque', { exact: true }).fill(pin);
  await dialog.getByRole('button', { name: 'Confirmar' }).click();
}

async function checkWithdrawals(page: Page): Promise<void> {
  await openScreen(page, 'Histórico de Saques');
  for (const text of ['Processando', 'Concluído', 'Falhou', 'Pago', 'on_hold', 'R$ 100,50'])
    await waitForText(page, text);
  await waitForText(page, 'Página 1 de 1');
  await page.getByRole('button', { name: 'Detalhes' }).nth(2).click();
  const detail = page.getByRole('dialog', { name: 'Saque' });
  await detail.getByText('Chave inexistente').waitFor();
  await detail.getByText('R$ 100,50').first().waitFor();
  await detail.getByRole('button', { name: 'Atualizar' }).click();
  await expectNoMissingValues(page);
  await detail.getByRole('button', { name: 'Fechar' }).last().click();
}

async function checkProfile(page: Page): Promise<void> {
  await openScreen(page, 'Perfil');
  for (const text of ['Verificado', 'Tarifas', 'marina@outro.example', '123.456.789-09'])
    await waitForText(page, text);
  const buffer = await greyPng(page, 200);
  await page.getByLabel('Escolher foto').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  await waitForText(page, 'Foto trocada');
  await expectNoMissingValues(page);
}
