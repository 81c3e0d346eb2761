import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { borrowStack, callApi, registerMerchant, type SharedStack } from './stack.ts';
import { journeyWidths, newVisitor, openBrowser, readCopiedText } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;

/** The session of a new merchant without any data. */
let token: string;

beforeAll(async () => {
  stack = await borrowStack();
  token = await registerMerchant(stack, {
    username: 'loja.das.chaves',
    name: 'Loja das Chaves',
  });
  browser = await openBrowser();
});

/** The body of a call that creates a charge. */
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
    const createdDialog = page.getByRole('dialog', { name: 'Chave criada' });
    const apiKey = await createdDialog.getByText(/^jgd_\w{48}$/).textContent();
    await visitor.checkScreen('new key of a system');
    const copied = await readCopiedText(page, () =>
      createdDialog.getByRole('button', { name: 'Copiar chave' }).click(),
    );
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
    const rotatedDialog = page.getByRole('dialog', { name: 'Chave trocada' });
    const newKey = await rotatedDialog.getByText(/^jgd_\w{48}$/).textContent();
    await page.keyboard.press('Escape');
    await rotatedDialog.getByText('A chave ainda não foi copiada.').waitFor();
    await visitor.checkScreen('rotated key');
    await rotatedDialog.getByRole('button', { name: 'Fechar sem copiar' }).click();
    await list.getByText('Trocada').waitFor();
    await visitor.checkScreen('keys of systems');
    for (const validKey of [apiKey, newKey])
      await callApi(stack, 'POST', '/pix/new', { apiKey: validKey, body: charge });

    const revoke = list.getByRole('button', { name: /^Revogar/ });
    for (const remaining of [1, 0]) {
      await revoke.first().click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revogar chave' }).click();
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
      await expect.poll(() => revoke.count()).toBe(remaining);
    }
    await page.getByText('Nenhuma chave por sistema').waitFor();
    for (const revokedKey of [apiKey, newKey])
      await expect(callApi(stack, 'POST', '/pix/new', { apiKey: revokedKey, body: charge })).rejects.toThrow(
        'INVALID_API_KEY',
      );
    expect(visitor.complaints()).toEqual([]);
  },
);
