import type { Page } from 'playwright-core';
import { PASSWORD, type SharedStack } from './stack.ts';

/** Adds a virtual authenticator to the browser, which creates and uses passkeys without a touch. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Adds a first passkey to the account that is signed in, in a browser with an authenticator. */
export async function addFirstPasskey(page: Page, stack: SharedStack, name: string): Promise<void> {
  await page.goto(`${stack.url}/profile/security`);
  await page.getByRole('button', { name: 'Adicionar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Adicionar chave de acesso' });
  await dialog.getByLabel('Nome da chave').fill(name);
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  // Adding the first factor requires the password, unless it was given a moment ago.
  const passwordDialog = page.getByRole('dialog', { name: 'Confirme sua senha' });
  const codesSaved = page.getByRole('button', { name: 'Já guardei' });
  await passwordDialog.or(codesSaved).first().waitFor();
  if (await passwordDialog.isVisible()) {
    await passwordDialog.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await passwordDialog.getByRole('button', { name: 'Confirmar' }).click();
  }
  await codesSaved.click();
  await page.getByText(name).waitFor();
}
