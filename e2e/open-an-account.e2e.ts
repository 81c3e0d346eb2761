import type { Browser, Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { borrowStack, callApi, type SharedStack, signInAsDemoMerchant } from './stack.ts';
import { journeyWidths, newVisitor, openBrowser, sendCallsAlone } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
});

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Usuário').fill(username);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

/** Whether the gateway still accepts a token. */
async function isAccepted(token: string): Promise<boolean> {
  return callApi(stack, 'GET', '/authed/profile', { token }).then(
    () => true,
    () => false,
  );
}

describe.each(journeyWidths)('on a %s', (width) => {
  test('a visitor is asked to sign in, and then gets the page they asked for', async () => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    await page.goto(`${stack.url}/transactions?status=paid`);
    await page.waitForURL('**/login?from=*');

    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.getByText('Por favor, digite usuário e senha').waitFor();
    await signIn(page, 'lojista', 'nada disso');
    await page.getByText('Usuário ou senha inválidos').waitFor();
    expect(await page.getByLabel('Usuário').inputValue()).toBe('lojista');
    expect(await page.getByLabel('Senha', { exact: true }).inputValue()).toBe('nada disso');
    await visitor.checkScreen('refused sign-in');
    expect(await visitor.hasStoredSession()).toBe(false);

    await page.getByRole('button', { name: 'Mostrar senha' }).click();
    expect(await page.getByLabel('Senha', { exact: true }).getAttribute('type')).toBe('text');
    await signIn(page, 'lojista', 'lojista-demo');
    await page.getByText('Login realizado com sucesso!').waitFor();
    await page.waitForURL('**/transactions?status=paid');
    await page.getByRole('heading', { name: 'Todas as Transações' }).waitFor();

    for (const entrance of ['/login', '/register', '/']) {
      await page.goto(stack.url + entrance);
      await page.waitForURL('**/dashboard');
      await page.getByRole('heading', { name: 'Olá, Marina' }).waitFor();
    }
    expect(visitor.complaints(/status of 401/)).toEqual([]);
  });

  test('an unknown address says so, and shows the way back', async () => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    await visitor.enter(await signInAsDemoMerchant(stack), `${stack.url}/nada/aqui`);
    await page.getByRole('heading', { name: 'Página não encontrada' }).waitFor();
    await visitor.checkScreen('an address that leads nowhere');
    await page.getByRole('link', { name: 'Ir para o início' }).click();
    await page.getByRole('heading', { name: 'Olá, Marina' }).waitFor();
    expect(visitor.complaints()).toEqual([]);
  });

  test('an invalid registration says why at each field and loses no input', async () => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    const submit = page.getByRole('button', { name: 'Criar conta' });
    const field = (label: string) => page.getByLabel(label, { exact: true });
    const document = (type: 'CPF' | 'CNPJ') => page.getByRole('textbox', { name: type });
    const waitForText = (text: string) => page.getByText(text, { exact: true }).waitFor();

    await page.goto(`${stack.url}/register`);
    await submit.click();
    await waitForText('Nome de usuário é obrigatório');
    await waitForText('Nome completo é obrigatório');
    await waitForText('Email é obrigatório');
    await waitForText('CPF é obrigatório');
    await waitForText('A senha deve ter no mínimo 8 caracteres');
    await visitor.checkScreen('refused registration');

    await field('Nome de usuário').fill('lojista');
    await field('Nome completo').fill('Marina');
    await field('E-mail').fill('marina.example.com');
    await document('CPF').fill('123.456.789-00');
    await field('Senha').fill('mar calmo, vela alta');
    await field('Confirmar senha').fill('mar calmo, vela baixa');
    await submit.click();
    await waitForText('Por favor, insira seu nome completo (nome e sobrenome)');
    await waitForText('Email inválido');
    await waitForText('CPF inválido');
    await waitForText('As senhas não coincidem');

    await page.getByText('CNPJ', { exact: true }).click();
    await expect.poll(() => document('CNPJ').inputValue()).toBe('');
    await submit.click();
    await waitForText('CNPJ é obrigatório');
    await document('CNPJ').fill('11.222.333/0001-80');
    await submit.click();
    await waitForText('CNPJ inválido');

    const shopDocument = { phone: '11.222.333/0001-81', desktop: '12.ABC.345/01DE-35' }[width];
    await document('CNPJ').fill(shopDocument);
    await field('Nome completo').fill('Marina da Vela');
    await field('E-mail').fill(`marina-${width}@example.com`);
    await field('Confirmar senha').fill('mar calmo, vela alta');
    await submit.click();
    const failure = page.getByRole('alertdialog', { name: 'Erro no Registro' });
    await failure.getByText('Este nome de usuário já está em uso.').waitFor();
    await failure.getByText('USERNAME_TAKEN').waitFor();
    await visitor.checkScreen('a name that is taken');
    await failure.getByRole('button', { name: 'Fechar' }).last().click();
    expect(await document('CNPJ').inputValue()).toBe(shopDocument);

    await field('Nome de usuário').fill(`marina-${width}`);
    await submit.click();
    await page.waitForURL('**/dashboard');
    await page.getByRole('heading', { name: 'Olá, Marina' }).waitFor();
    await page.getByRole('link', { name: 'Verificar Agora' }).click();
    await page.waitForURL('**/kyc-verification');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(visitor.complaints(/status of 409/)).toEqual([]);
  });

  test('Sair in the sidebar and in the account menu ends the session here and at the gateway', async () => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    const account = page.getByRole('button', { name: 'Conta MA' });
    const waysToSignOut: readonly (() => Promise<void>)[] = [
      async () => {
        if (width === 'phone') await page.getByRole('button', { name: 'Abrir menu' }).click();
        await page.getByRole('button', { name: 'Sair' }).click();
      },
      async () => {
        if (width === 'phone') await account.tap();
        else await account.hover();
        await page.getByRole('menuitem', { name: 'Sair' }).waitFor();
        await visitor.checkScreen('account menu');
        await page.getByRole('menuitem', { name: 'Sair' }).click();
      },
      async () => {
        await page.mouse.move(0, 400);
        await account.focus();
        await page.keyboard.press('Enter');
        await page.getByRole('menuitem').first().waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
        await page.keyboard.press('ArrowDown');
        await page.getByRole('menuitem').first().waitFor();
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('Enter');
      },
    ];
    for (const signOut of waysToSignOut) {
      const token = await signInAsDemoMerchant(stack);
      await visitor.enter(token, `${stack.url}/wallet`);
      await page.getByRole('heading', { name: 'Minha Carteira' }).waitFor();
      await signOut();
      await page.waitForURL('**/login');
      await page.getByRole('heading', { name: 'Entrar' }).waitFor();
      expect(await visitor.hasStoredSession()).toBe(false);
      await expect.poll(() => isAccepted(token)).toBe(false);
    }
    // A call that is under way when the session ends is refused.
    expect(visitor.complaints(/status of 401/)).toEqual([]);
  });
});

test('a session that ended elsewhere leads to the sign-in at the next call, and from there back', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  const token = await signInAsDemoMerchant(stack);
  // The live channel is cut off, since it would report the end of the session before the next call does.
  await page.route('**/notifications/ticket', (route) => route.abort('connectionrefused'));
  await visitor.enter(token, `${stack.url}/dashboard`);
  await page.getByRole('heading', { name: 'Olá, Marina' }).waitFor();
  await page.waitForLoadState('networkidle');
  await callApi(stack, 'POST', '/logout', { token });
  await page.getByRole('link', { name: 'Carteira' }).click();
  await page.waitForURL('**/login?from=*');
  expect(await visitor.hasStoredSession()).toBe(false);
  await signIn(page, 'lojista', 'lojista-demo');
  await page.waitForURL('**/wallet');
  await page.getByRole('heading', { name: 'Minha Carteira' }).waitFor();
  expect(visitor.complaints(/status of 401|ERR_CONNECTION_REFUSED/)).toEqual([]);
});

test('reloading a page before it has read the user does not sign out', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  await visitor.enter(await signInAsDemoMerchant(stack), `${stack.url}/wallet`);
  await page.getByRole('heading', { name: 'Minha Carteira' }).waitFor();
  await sendCallsAlone(page);
  const neverRespond = (route: Route) => void route;
  await page.route('**/api/authed/profile', neverRespond);
  for (const [address, title] of [
    ['/transactions', 'Todas as Transações'],
    ['/dashboard', 'Olá, Marina'],
  ] as const) {
    const profileRequest = page.waitForRequest('**/api/authed/profile');
    await page.goto(stack.url + address, { waitUntil: 'commit' });
    await profileRequest;
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  }
  await page.unroute('**/api/authed/profile', neverRespond);
  await page.goto(`${stack.url}/wallet`);
  await page.getByRole('heading', { name: 'Minha Carteira' }).waitFor();
  expect(visitor.complaints()).toEqual([]);
});

test('two tabs sign out together and sign in together', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page, context } = visitor;
  await visitor.enter(await signInAsDemoMerchant(stack), `${stack.url}/wallet`);
  const other = await context.newPage();
  await other.goto(`${stack.url}/transactions`);
  await other.getByRole('heading', { name: 'Todas as Transações' }).waitFor();

  await page.getByRole('button', { name: 'Sair' }).click();
  await page.waitForURL('**/login');
  await other.waitForURL('**/login?from=*');

  await signIn(page, 'admin', 'admin-demo');
  await page.getByRole('heading', { name: 'Olá, Administração' }).waitFor();
  await other.waitForURL('**/dashboard');
  await other.getByRole('heading', { name: 'Olá, Administração' }).waitFor();
  expect(visitor.complaints()).toEqual([]);
});
