import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { randomCpf } from '../server/test/random-cpf.ts';
import { callBank, payAtBank } from './bank.ts';
import { createTypist } from './keyboard.ts';
import { createPaidCharge } from './paid-charge.ts';
import { callApi, PASSWORD, type SharedStack, sendDocuments, signInByApi } from './stack.ts';
import { newVisitor, readCopiedText, type Width } from './visitor.ts';

type JourneyContext = { readonly stack: SharedStack; readonly browser: Browser; readonly token: string };

/**
 * Declares tests of whole journeys by keyboard alone, with the announcements of a screen reader along the way. The test
 * file that calls this function provides a running product, a browser and the demo merchant's session.
 */
export function keyboardJourneys(getContext: () => JourneyContext): void {
  test('a merchant signs in, is paid, refunds a part and withdraws by keyboard alone, with each result announced', async () => {
    const { stack } = getContext();
    const { page, keys, close } = await openPage(getContext(), 'desktop');
    await page.goto(`${stack.url}/login`);
    await page.getByRole('heading', { name: 'Entrar' }).waitFor();
    await keys.tabTo('Usuário');
    await keys.press('Enter');
    await keys.waitForFocus('Usuário');
    expect(await keys.waitForAnnouncement(/./)).toEqual(['Por favor, digite usuário e senha']);
    await keys.type('lojista');
    await keys.tabTo('Senha');
    await keys.type('lojista-demo');
    await keys.press('Enter');
    await keys.waitForScreen('Início');
    await expect.poll(() => page.title()).toBe('Início · Jangada');
    await keys.waitForAnnouncement(/^Login realizado com sucesso!$/);

    await keys.tabTo('Criar Pagamento', 'back');
    await keys.press('Enter');
    await keys.waitForFocus('Valor');
    await keys.press('Enter');
    await keys.waitForFocus('Valor');
    await expect.poll(() => page.getByLabel('Valor').getAttribute('aria-invalid')).toBe('true');
    await keys.type('777777');
    await keys.tabTo('30 min');
    await keys.press('ArrowLeft', 'Enter');
    await page.getByText('Aguardando o Pix').waitFor();
    await keys.waitForScreen('Criar Pagamento');
    await keys.tabTo('Copiar código Pix');
    await keys.takeAnnouncements();
    const code = await readCopiedText(page, async () => {
      await keys.press('Enter');
      expect(await keys.waitForAnnouncement(/./)).toEqual(['Copiado']);
    });
    await payAtBank(stack, code);
    await page.getByText('Ver transação').waitFor();
    await keys.waitForScreen('Criar Pagamento');
    await expect.poll(() => page.title()).toMatch(/^Pago · R\$\s7\.777,77$/);
    const announcement = /Pago\. R\$\s7\.777,77 recebidos\./;
    const announcements = await keys.waitForAnnouncement(announcement);
    expect(announcements.filter((words) => announcement.test(words))).toHaveLength(1);
    expect(announcements.join()).not.toContain('Pix recebido');

    await keys.tabTo('Todas as Transações', 'back');
    await keys.press('Enter');
    await keys.waitForScreen('Todas as Transações');
    await keys.tabTo(/^Todas(?! as)/);
    await keys.press('ArrowRight');
    await page.waitForURL('**/transactions?status=paid');
    await keys.tabTo('Buscar por ID, EndToEndId, valor ou referência');
    await keys.takeAnnouncements();
    await keys.type('7777,77');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await keys.waitForAnnouncement(/1–1 de 1/);
    await keys.tabTo('Detalhes');
    await keys.press('Enter');
    await keys.waitForFocus('Transação');
    await keys.tabTo('Estornar');
    await keys.press('Enter');
    await keys.waitForFocus('Estornar pagamento');
    await keys.tabTo('O valor inteiro');
    await keys.press('ArrowRight');
    await keys.waitForFocus('Uma parte');
    await keys.tabTo('Valor a devolver');
    await keys.press('Enter');
    await keys.waitForFocus('Valor a devolver');
    await keys.type('500');
    await keys.press('Enter');
    await keys.waitForFocus(/^(Estornar|Transação)$/);
    await page.getByText('Devolvido', { exact: true }).waitFor();
    await keys.press('Escape');
    await keys.waitForFocus('Detalhes');

    await keys.tabTo('Sacar', 'back');
    await keys.press('Enter');
    await keys.waitForScreen('Solicitar Saque');
    await keys.tabTo('Valor');
    await keys.type('2000');
    await keys.tabTo('Tipo de chave');
    await keys.type('E');
    await keys.tabTo('Chave PIX');
    await keys.type('financeiro@');
    await keys.press('Enter');
    await keys.waitForFocus('Chave PIX');
    await page.getByText('Email inválido').waitFor();
    await keys.type('loja.example');
    await keys.press('Enter');
    await keys.waitForFocus('PIN de saque');
    await keys.press('Enter');
    await keys.waitForFocus('PIN de saque');
    await keys.type('2580');
    await keys.press('Enter');
    await page.getByRole('dialog', { name: 'Sucesso!' }).waitFor();
    await keys.waitForFocus('OK');
    await keys.press('Enter');
    await keys.waitForFocus('Chave PIX');
    await close();
  });

  test('a merchant answers a dispute and changes the account by keyboard alone', async () => {
    const { stack, token } = getContext();
    const { page, keys, enter, close } = await openPage(getContext(), 'desktop');
    await openDispute(stack, token);
    await enter(token, '/disputes');
    await page.getByText('Espera defesa').first().waitFor();
    await keys.tabTo('Pular para o conteúdo');
    await keys.press('Enter');
    await keys.waitForScreen('Disputas');
    await keys.tabTo('Detalhes');
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Sua defesa' }).waitFor();
    await keys.waitForScreen('Disputas');
    await keys.tabTo('Enviar defesa');
    await keys.press('Enter');
    await keys.waitForFocus('Texto da defesa');
    await keys.type('Entregue em mãos.');
    await keys.tabTo('Enviar defesa');
    await keys.press('Enter');
    await keys.waitForFocus('Voltar');
    await keys.tabTo('Enviar');
    await keys.press('Enter');
    await page.getByText(/^Enviada em/).waitFor();
    await keys.waitForScreen('Disputas');

    await keys.tabTo(/^Notificações/, 'back');
    await keys.press('Enter');
    await page.getByText('Ver todas').waitFor();
    await keys.tabTo('Ver todas');
    await keys.press('Escape');
    await keys.waitForFocus(/^Notificações/);
    await keys.tabTo(/^Conta /);
    await keys.press('Enter');
    await keys.waitForFocus('Perfil');
    await keys.press('ArrowDown', 'Enter');
    await keys.waitForFocus(/^Conta /);
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
    await keys.press('ArrowDown');
    await keys.waitForFocus('Perfil');
    await keys.press('Enter');
    await page.waitForURL('**/profile');
    await keys.waitForScreen('Perfil');
    await keys.tabTo('Abrir Segurança');
    await keys.press('Enter');
    await page.getByRole('button', { name: 'Trocar nome' }).waitFor();
    await keys.waitForScreen('Segurança');
    await keys.tabTo('Trocar nome');
    await keys.press('Enter');
    await keys.waitForFocus('Nome completo');
    await keys.press('Control+A');
    await keys.type('Marina do Teclado');
    await keys.press('Enter');
    await keys.waitForFocus('Senha');
    await keys.type('lojista-demo');
    await keys.takeAnnouncements();
    await keys.press('Enter');
    await keys.waitForFocus('Trocar nome');
    await keys.waitForAnnouncement(/Nome trocado/);
    await close();
  });

  test('on a narrow screen the menu opens, navigates and closes by keyboard alone', async () => {
    const { page, keys, enter, close } = await openPage(getContext(), 'narrow');
    await enter(getContext().token, '/dashboard');
    await page.getByRole('heading', { name: 'Transações recentes' }).waitFor();
    await keys.tabTo('Abrir menu');
    await keys.press('Enter');
    await keys.waitForFocus('Fechar menu');
    await keys.tabTo('Sair');
    await keys.press('Escape');
    await keys.waitForFocus('Abrir menu');
    await keys.press('Enter');
    await keys.tabTo('Carteira');
    await keys.press('Enter');
    await keys.waitForScreen('Minha Carteira');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await close();
  });

  test('an administrator approves a user and changes a fee by keyboard alone', async () => {
    const { stack } = getContext();
    const { page, keys, enter, close } = await openPage(getContext(), 'desktop');
    const pictures = [80, 70, 60].map((quality) => page.screenshot({ type: 'jpeg', quality }));
    await registerForApproval(stack, await Promise.all(pictures));
    await enter(await signInByApi(stack, 'admin', 'admin-demo'), '/admin/kyc-management');
    await page.getByRole('button', { name: 'Ver Tecla Maria' }).waitFor();
    await keys.tabTo('Ver Tecla Maria');
    await keys.press('Enter');
    await keys.waitForFocus('Tecla Maria');
    await keys.tabTo(/^Ampliar frente/);
    await keys.press('Enter');
    await keys.waitForFocus('Frente do documento');
    await keys.press('Escape');
    await keys.waitForFocus(/^Ampliar frente/);
    await keys.tabTo('Aprovar');
    await keys.takeAnnouncements();
    await keys.press('Enter');
    await page.getByRole('button', { name: 'Ver Tecla Maria' }).waitFor({ state: 'detached' });
    await keys.waitForFocus(/^Verificações/);
    await keys.waitForAnnouncement(/Verificação aprovada/);

    await keys.tabTo('Usuários', 'back');
    await keys.press('Enter');
    await page.waitForURL('**/admin/user-management');
    await keys.waitForScreen('Usuários');
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
    await keys.waitForFocus('Editar');
    await close();
  });
}

async function openPage({ stack, browser }: JourneyContext, width: Width) {
  const visitor = await newVisitor(browser, width);
  const { page } = visitor;
  const keys = await createTypist(page);
  return {
    page,
    keys,
    enter: (token: string, path: string) => visitor.enter(token, stack.url + path),
    async close() {
      expect(visitor.complaints()).toEqual([]);
      await visitor.context.close();
    },
  };
}

/** Makes the payer of a new payment dispute it, and waits until the merchant sees the dispute. */
async function openDispute(stack: SharedStack, token: string): Promise<void> {
  const { endToEndId } = await createPaidCharge(stack, token, 77.7);
  await callBank(stack, 'POST', '/sandbox/disputes', { endToEndId, reason: 'Caí em um golpe' });
  const listOpen = () => callApi(stack, 'GET', '/authed/disputes?status=open', { token });
  await expect.poll(async () => (await listOpen())['total']).not.toBe(0);
}

/** Registers a user and sends the user's documents, which an administrator must approve. */
async function registerForApproval(stack: SharedStack, pictures: readonly Buffer[]): Promise<void> {
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
