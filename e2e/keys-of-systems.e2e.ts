import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { callApi, type LentStack, lentStack, openShop } from './stack.ts';
import { copiedBy, journeyWidths, newVisitor, openBrowser } from './visitor.ts';

let stack: LentStack;
let browser: Browser;

/** The session of a new merchant without any data. */
let token: string;

beforeAll(async () => {
  stack = await lentStack();
  token = await openShop(stack, {
    username: 'loja.das.chaves',
    name: 'Loja das Chaves',
  });
  browser = await openBrowser();
});

const charge = { amount: 42.5 };

test.each(journeyWidths)(
  'on a %s a key is created for one system, works within its scopes, is rotated and revoked',
  async (width) => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    await visitor.enter(token, `${stack.url}/api-keys`);
    await page.getByText('Nenhuma chave por sistema').waitFor();
    await page.getByRole('button', { name: 'Criar chave' }).click();
    const form = page.getByRole('dialog', { name: 'Criar chave' });
    await form.getByRole('button', { name: 'Criar chave' }).click();
    await form.getByText('Dê um nome à chave.').waitFor();
    await form.getByLabel('Nome do sistema').fill('Loja online');
    await form.getByLabel(/endereços IP/).fill('127.0.0.0/8\n::1');
    await visitor.checkScreen('form of a key');
    await form.getByRole('button', { name: 'Criar chave' }).click();
    const made = page.getByRole('dialog', { name: 'Chave criada' });
    const apiKey = await made.getByText(/^jgd_\w{48}$/).textContent();
    await visitor.checkScreen('new key of a system');
    const copied = await copiedBy(page, () => made.getByRole('button', { name: 'Copiar chave' }).click());
    expect(copied).toBe(apiKey);
    await page.keyboard.press('Escape');

    const { id } = await callApi(stack, 'POST', '/pix/new', { apiKey, body: charge });
    await expect(callApi(stack, 'POST', `/pix/${id}/refund`, { apiKey, body: {} })).rejects.toThrow(
      'KEY_SCOPE_MISSING',
    );

    const list = page.getByRole('list', { name: 'Chaves por sistema' });
    await list.getByRole('button', { name: /^Trocar/ }).click();
    await visitor.checkScreen('rotation of a key');
    await page.getByRole('button', { name: 'Trocar chave' }).click();
    const rotated = page.getByRole('dialog', { name: 'Chave trocada' });
    const fresh = await rotated.getByText(/^jgd_\w{48}$/).textContent();
    await page.keyboard.press('Escape');
    await rotated.getByText('A chave ainda não foi copiada.').waitFor();
    await visitor.checkScreen('rotated key');
    await rotated.getByRole('button', { name: 'Fechar sem copiar' }).click();
    await list.getByText('Trocada').waitFor();
    await visitor.checkScreen('keys of systems');
    for (const working of [apiKey, fresh])
      await callApi(stack, 'POST', '/pix/new', { apiKey: working, body: charge });

    const revoke = list.getByRole('button', { name: /^Revogar/ });
    for (const left of [1, 0]) {
      await revoke.first().click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revogar chave' }).click();
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
      await expect.poll(() => revoke.count()).toBe(left);
    }
    await page.getByText('Nenhuma chave por sistema').waitFor();
    for (const ended of [apiKey, fresh])
      await expect(callApi(stack, 'POST', '/pix/new', { apiKey: ended, body: charge })).rejects.toThrow(
        'INVALID_API_KEY',
      );
    expect(visitor.complaints()).toEqual([]);
  },
);
