import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { randomCpf } from '../server/test/random-cpf.ts';
import { askBank, payAtBank } from './bank.ts';
import { typist } from './keyboard.ts';
import { paidCharge } from './paid-charge.ts';
import { callApi, type LentStack, PASSWORD, sendDocuments, signInByApi } from './stack.ts';
import { copiedBy, newVisitor, type Width } from './visitor.ts';

type Given = { readonly stack: LentStack; readonly browser: Browser; readonly token: string };

/** Whole journeys by keyboard alone, and the announcements of a screen reader along the way. */
export function keyboardJourneys(given: () => Given): void {
  test('a merchant signs in, is paid, refunds a part and withdraws by keyboard alone, with each result announced', async () => {
    const { stack } = given();
    const { page, keys, end } = await sitDown(given(), 'desktop');
    await page.goto(`${stack.url}/login`);
    await page.getByRole('heading', { name: 'Entrar' }).waitFor();
    await keys.tabTo('Usuário');
    await keys.press('Enter');
    await keys.at('Usuário');
    expect(await keys.hears(/./)).toEqual(['Por favor, digite usuário e senha']);
    await keys.type('lojista');
    await keys.tabTo('Senha');
    await keys.type('lojista-demo');
    await keys.press('Enter');
    await keys.at('Início');
    await expect.poll(() => page.title()).toBe('Início · Jangada');
    await keys.hears(/^Login realizado com sucesso!$/);

    await keys.tabTo('Criar Pagamento', 'back');
    await keys.press('Enter');
    await keys.at('Valor');
    await keys.press('Enter');
    await keys.at('Valor');
    await expect.poll(() => page.getByLabel('Valor').getAttribute('aria-invalid')).toBe('true');
    await keys.type('777777');
    await keys.tabTo('30 min');
    await keys.press('ArrowLeft', 'Enter');
    await page.getByText('Aguardando o Pix').waitFor();
    await keys.at('Criar Pagamento');
    await keys.tabTo('Copiar código Pix');
    await keys.heard();
    const code = await copiedBy(page, async () => {
      await keys.press('Enter');
      expect(await keys.hears(/./)).toEqual(['Copiado']);
    });
    await payAtBank(stack, code);
    await page.getByText('Ver transação').waitFor();
    await keys.at('Criar Pagamento');
    await expect.poll(() => page.title()).toMatch(/^Pago · R\$\s7\.777,77$/);
    const announcement = /Pago\. R\$\s7\.777,77 recebidos\./;
    const heard = await keys.hears(announcement);
    expect(heard.filter((words) => announcement.test(words))).toHaveLength(1);
    expect(heard.join()).not.toContain('Pix recebido');

    await keys.tabTo('Todas as Transações', 'back');
    await keys.press('Enter');
    await keys.at('Todas as Transações');
    await keys.tabTo(/^Todas(?! as)/);
    await keys.press('ArrowRight');
    await page.waitForURL('**/transactions?status=paid');
    await keys.tabTo('Buscar por ID, EndToEndId, valor ou referência');
    await keys.heard();
    await keys.type('7777,77');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await keys.hears(/1–1 de 1/);
    await keys.tabTo('Detalhes');
    await keys.press('Enter');
    await keys.at('Transação');
    await keys.tabTo('Estornar');
    await keys.press('Enter');
    await keys.at('Estornar pagamento');
    await keys.tabTo('O valor inteiro');
    await keys.press('ArrowRight');
    await keys.at('Uma parte');
    await keys.tabTo('Valor a devolver');
    await keys.press('Enter');
    await keys.at('Valor a devolver');
    await keys.type('500');
    await keys.press('Enter');
    await keys.at(/^(Estornar|Transação)$/);
    await page.getByText('Devolvido', { exact: true }).waitFor();
    await keys.press('Escape');
    await keys.at('Detalhes');

    await keys.tabTo('Sacar', 'back');
    await keys.press('Enter');
    await keys.at('Solicitar Saque');
    await keys.tabTo('Valor');
    await keys.type('2000');
    await keys.tabTo('Tipo de chave');
    await keys.type('E');
    await keys.tabTo('Chave PIX');
    await keys.type('financeiro@');
    await keys.press('Enter');
    await keys.at('Chave PIX');
    await page.getByText('Email inválido').waitFor();
    await keys.type('loja.example');
    await keys.press('Enter');
    await keys.at('PIN de saque');
    await keys.press('Enter');
    await keys.at('PIN de saque');
    await keys.type('2580');
    await keys.press('Enter');
    await page.getByRole('dialog', { name: 'Sucesso!' }).waitFor();
    await keys.at('OK');
    await keys.press('Enter');
    await keys.at('Chave PIX');
    await end();
  });

  test('a merchant answers a dispute and changes the account by keyboard alone', async () => {
    const { stack, token } = given();
    const { page, keys, enter, end } = await sitDown(given(), 'desktop');
    await contest(stack, token);
    await enter(token, '/disputes');
    await page.getByText('Espera defesa').first().waitFor();
    await keys.tabTo('Pular para o conteúdo');
    await keys.press('Enter');
    await keys.at('Disputas');
    await keys.tabTo('Detalhes');
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Sua defesa' }).waitFor();
    await keys.at('Disputas');
    await keys.tabTo('Enviar defesa');
    await keys.press('Enter');
    await keys.at('Texto da defesa');
    await keys.type('Entregue em mãos.');
    await keys.tabTo('Enviar defesa');
    await keys.press('Enter');
    await keys.at('Voltar');
    await keys.tabTo('Enviar');
    await keys.press('Enter');
    await page.getByText(/^Enviada em/).waitFor();
    await keys.at('Disputas');

    await keys.tabTo(/^Notificações/, 'back');
    await keys.press('Enter');
    await keys.tabTo('Ver todas');
    await keys.press('Escape');
    await keys.at(/^Notificações/);
    await keys.tabTo(/^Conta /);
    await keys.press('Enter');
    await keys.at('Perfil');
    await keys.press('ArrowDown', 'Enter');
    await keys.at(/^Conta /);
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
    await keys.press('ArrowDown');
    await keys.at('Perfil');
    await keys.press('Enter');
    await page.waitForURL('**/profile');
    await keys.at('Perfil');
    await keys.tabTo('Abrir Segurança');
    await keys.press('Enter');
    await page.getByRole('button', { name: 'Trocar nome' }).waitFor();
    await keys.at('Segurança');
    await keys.tabTo('Trocar nome');
    await keys.press('Enter');
    await keys.at('Nome completo');
    await keys.press('Control+A');
    await keys.type('Marina do Teclado');
    await keys.press('Enter');
    await keys.at('Senha');
    await keys.type('lojista-demo');
    await keys.heard();
    await keys.press('Enter');
    await keys.at('Trocar nome');
    await keys.hears(/Nome trocado/);
    await end();
  });

  test('on a narrow screen the menu opens, navigates and closes by keyboard alone', async () => {
    const { page, keys, enter, end } = await sitDown(given(), 'narrow');
    await enter(given().token, '/dashboard');
    await page.getByRole('heading', { name: 'Transações recentes' }).waitFor();
    await keys.tabTo('Abrir menu');
    await keys.press('Enter');
    await keys.at('Fechar menu');
    await keys.tabTo('Sair');
    await keys.press('Escape');
    await keys.at('Abrir menu');
    await keys.press('Enter');
    await keys.tabTo('Carteira');
    await keys.press('Enter');
    await keys.at('Minha Carteira');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await end();
  });

  test('an administrator approves a user and changes a fee by keyboard alone', async () => {
    const { stack } = given();
    const { page, keys, enter, end } = await sitDown(given(), 'desktop');
    const pictures = [80, 70, 60].map((quality) => page.screenshot({ type: 'jpeg', quality }));
    await waitForApproval(stack, await Promise.all(pictures));
    await enter(await signInByApi(stack, 'admin', 'admin-demo'), '/admin/kyc-management');
    await page.getByRole('button', { name: 'Ver Tecla Maria' }).waitFor();
    await keys.tabTo('Ver Tecla Maria');
    await keys.press('Enter');
    await keys.at('Tecla Maria');
    await keys.tabTo(/^Ampliar frente/);
    await keys.press('Enter');
    await keys.at('Frente do documento');
    await keys.press('Escape');
    await keys.at(/^Ampliar frente/);
    await keys.tabTo('Aprovar');
    await keys.heard();
    await keys.press('Enter');
    await page.getByRole('button', { name: 'Ver Tecla Maria' }).waitFor({ state: 'detached' });
    await keys.at(/^Verificações/);
    await keys.hears(/Verificação aprovada/);

    await keys.tabTo('Usuários', 'back');
    await keys.press('Enter');
    await page.waitForURL('**/admin/user-management');
    await keys.at('Usuários');
    await keys.tabTo(/^Buscar por nome/);
    await keys.type('tecla@');
    await page.getByText('Usuários 1–1 de 1').waitFor();
    await keys.tabTo('Editar');
    await keys.press('Enter');
    await page.getByLabel('Entrada (%)').waitFor();
    await keys.tabTo('Entrada (%)');
    await keys.press('Control+A');
    await keys.type('1.25');
    await keys.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await keys.at('Editar');
    await end();
  });
}

async function sitDown({ stack, browser }: Given, width: Width) {
  const visitor = await newVisitor(browser, width);
  const { page } = visitor;
  const keys = await typist(page);
  return {
    page,
    keys,
    enter: (token: string, path: string) => visitor.enter(token, stack.url + path),
    async end() {
      expect(visitor.complaints()).toEqual([]);
      await visitor.context.close();
    },
  };
}

/** A disputed payment, once the merchant is notified. */
async function contest(stack: LentStack, token: string): Promise<void> {
  const { endToEndId } = await paidCharge(stack, token, 77.7);
  await askBank(stack, 'POST', '/sandbox/disputes', { endToEndId, reason: 'Caí em um golpe' });
  const open = () => callApi(stack, 'GET', '/authed/disputes?status=open', { token });
  await expect.poll(async () => (await open())['total']).not.toBe(0);
}

/** A user awaiting approval. */
async function waitForApproval(stack: LentStack, pictures: readonly Buffer[]): Promise<void> {
  const username = 'tecla';
  const body = {
    username,
    name: 'Tecla Maria',
    document: randomCpf(),
    doctype: 'cpf',
    email: `${username}@example.com`,
    password: PASSWORD,
  };
  const { token } = await callApi(stack, 'POST', '/register', { body });
  await sendDocuments(stack, String(token), pictures);
}
