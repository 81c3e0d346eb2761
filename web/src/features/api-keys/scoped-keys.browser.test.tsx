import {
  apiKeyStatus,
  confirmPassword,
  createScopedKey,
  listScopedKeys,
  publicSettings,
  revokeScopedKey,
  rotateScopedKey,
  type ScopedKey,
  updateScopedKey,
  webhookSecret,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
import { apiKey, settings } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { ApiKeysPage } from './api-keys-page.tsx';

/** A whole key, as the gateway sends it once. */
const SECRET = 'jgd_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f4f2a';
const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const key: ScopedKey = {
  id: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a55',
  name: 'Loja online',
  masked: 'jgd_••••••••4f2a',
  scopes: ['read', 'charges'],
  allowed_addresses: ['203.0.113.7', '2001:db8::/32'],
  status: 'active',
  created_at: '2026-11-01T15:00:00.000Z',
  expires_at: daysFromNow(300),
  last_used_at: daysFromNow(-1),
  last_used_address: '203.0.113.7',
};

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(apiKeyStatus, apiKey);
  gateway.answer(publicSettings, settings);
  gateway.answer(webhookSecret, { secret: 'whsec_first' });
  gateway.answer(listScopedKeys, { keys: [key] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openPage = (approved = true) => renderScreen('/api-keys', ApiKeysPage, { approved });
type Screen = Awaited<ReturnType<typeof openPage>>['screen'];
const buttonOf = (screen: Screen, verb: string) =>
  screen.getByRole('button', { name: `${verb} a chave Loja online, ${key.masked}` });

test('a key names who made it, and says when that is no member any more', async () => {
  const made_by = { id: '31', name: 'Rafael Monteiro', member: false };
  gateway.answer(listScopedKeys, { keys: [{ ...key, made_by }] });
  gateway.answer(apiKeyStatus, {
    ...apiKey,
    made_by: { id: 'u1', name: 'Marina Albuquerque', member: true },
  });
  const { screen } = await openPage();
  await expect.element(screen.getByText(/Criada por Rafael Monteiro \(não é mais membro\)/)).toBeVisible();
  await expect.element(screen.getByText('Criada por Marina Albuquerque')).toBeVisible();
});

test('a key whose maker is unknown names nobody', async () => {
  const { screen } = await openPage();
  await expect.element(screen.getByText('Loja online', { exact: true })).toBeVisible();
  expect(screen.getByText(/Criada por/).elements()).toEqual([]);
});

test('each key shows its permissions, its last use and address, and its expiry', async () => {
  const expiringKey = {
    ...key,
    id: crypto.randomUUID(),
    name: 'ERP',
    expires_at: daysFromNow(3.1),
    allowed_addresses: [],
  };
  const replaced = { ...key, id: crypto.randomUUID(), name: 'Antiga', status: 'replaced' as const };
  const expired = { ...key, id: crypto.randomUUID(), name: 'Vencida há pouco', status: 'expired' as const };
  gateway.answer(listScopedKeys, { keys: [key, expiringKey, replaced, expired] });
  const { screen } = await openPage();
  const rows = screen.getByRole('list', { name: 'Chaves por sistema' }).getByRole('listitem');
  const row = (name: string) => rows.filter({ hasText: name }).first();
  const expectText = (name: string, text: RegExp) => expect.element(row(name).getByText(text)).toBeVisible();
  await expectText('Loja online', /^Cobranças$/);
  await expectText('Loja online', /^Usada ontem, de 203\.0\.113\.7$/);
  await expectText('Loja online', /Vence em \d/);
  await expectText('Loja online', /Só de 203\.0\.113\.7 e 2001:db8::\/32/);
  await expectText('ERP', /Vence em .*: faltam 3 dias$/);
  await expectText('ERP', /De qualquer endereço/);
  await expectText('Antiga', /^Trocada$/);
  expect(row('Antiga').getByRole('button').elements()).toHaveLength(1);
  await expect.element(row('Vencida há pouco').getByRole('button', { name: /^Remover/ })).toBeVisible();
});

test('a key is created with name, scopes, expiry and addresses after the password, and is shown once', async () => {
  const copiedTexts = spyClipboard();
  gateway.answer(listScopedKeys, { keys: [] });
  gateway.refuse(createScopedKey, 'PASSWORD_REQUIRED');
  gateway.answer(confirmPassword, () => {
    gateway.answer(createScopedKey, { apiKey: SECRET, key });
    gateway.answer(listScopedKeys, { keys: [key] });
    return { success: true as const };
  });
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Criar chave' }).click();
  const form = screen.getByRole('dialog', { name: 'Criar chave' });
  const send = form.getByRole('button', { name: 'Criar chave' });
  await send.click();
  await expect.element(form.getByText('Dê um nome à chave.')).toBeVisible();
  expect(gateway.calls(createScopedKey)).toEqual([]);

  await form.getByLabelText('Nome do sistema').fill(' Loja online ');
  await form.getByRole('checkbox', { name: /Estornos/ }).click();
  await form.getByRole('checkbox', { name: /Leitura/ }).click();
  await form.getByLabelText('Vence').selectOptions('Nunca');
  await form.getByLabelText(/endereços IP/).fill('203.0.113.7\n2001:db8::/32');
  await send.click();
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
  await userEvent.keyboard('certa{Enter}');
  const shownKeyDialog = screen.getByRole('dialog', { name: 'Chave criada' });
  await expect.element(shownKeyDialog.getByText(SECRET)).toBeVisible();
  expect(gateway.calls(createScopedKey).at(-1)?.body).toEqual({
    name: 'Loja online',
    scopes: ['charges', 'refunds'],
    allowed_addresses: ['203.0.113.7', '2001:db8::/32'],
    expires_at: null,
  });

  await shownKeyDialog.getByRole('button', { name: 'Fechar' }).last().click();
  await expect.element(shownKeyDialog.getByText('A chave ainda não foi copiada.')).toBeVisible();
  await shownKeyDialog.getByRole('button', { name: 'Copiar chave' }).click();
  expect(copiedTexts).toEqual([SECRET]);
  await shownKeyDialog.getByRole('button', { name: 'Fechar', exact: true }).last().click();
  await expect.element(screen.getByText(SECRET)).not.toBeInTheDocument();
  await expect.element(screen.getByText('Loja online')).toBeVisible();
});

test('a new key is shown although the list cannot be fetched again', async () => {
  gateway.answer(listScopedKeys, { keys: [] });
  gateway.answer(createScopedKey, () => {
    gateway.stall(listScopedKeys);
    return { apiKey: SECRET, key };
  });
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Criar chave' }).click();
  const form = screen.getByRole('dialog', { name: 'Criar chave' });
  await form.getByLabelText('Nome do sistema').fill('ERP');
  await form.getByRole('checkbox', { name: /Leitura/ }).click();
  await form.getByRole('button', { name: 'Criar chave' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'Chave criada' })).toBeVisible();
});

test('an address that the server refuses is reported at its field, and the input stays', async () => {
  gateway.refuse(updateScopedKey, 'KEY_ADDRESS_INVALID');
  const { screen } = await openPage();
  await buttonOf(screen, 'Alterar').click();
  const form = screen.getByRole('dialog', { name: 'Alterar chave' });
  await expect.element(form.getByLabelText(/endereços IP/)).toHaveValue('203.0.113.7\n2001:db8::/32');
  await form.getByLabelText(/endereços IP/).fill('loja.example');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(form.getByText('Um dos endereços não é um IP nem uma rede CIDR.')).toBeVisible();
  await expect.element(form.getByLabelText(/endereços IP/)).toHaveAttribute('aria-invalid', 'true');

  gateway.answer(updateScopedKey, { key: { ...key, allowed_addresses: [] } });
  gateway.stall(listScopedKeys);
  await form.getByLabelText(/endereços IP/).fill('');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(screen.getByText('Chave alterada')).toBeVisible();
  await expect.element(screen.getByText(/De qualquer endereço/)).toBeVisible();
  const { name, scopes, expires_at } = key;
  expect(gateway.calls(updateScopedKey).at(-1)?.body).toEqual({
    name,
    scopes,
    expires_at,
    allowed_addresses: [],
  });
});

test('a key is replaced with the chosen time for which the old key stays valid, and the new key is shown once', async () => {
  gateway.answer(rotateScopedKey, { apiKey: SECRET, key });
  const { screen } = await openPage();
  await buttonOf(screen, 'Trocar').click();
  const form = screen.getByRole('dialog', { name: 'Trocar chave' });
  await expect.element(form.getByLabelText('A chave atual vale ainda por')).toHaveValue('24');
  await form.getByLabelText('A chave atual vale ainda por').selectOptions('7 dias');
  await form.getByRole('button', { name: 'Trocar chave' }).click();
  const shownKeyDialog = screen.getByRole('dialog', { name: 'Chave trocada' });
  await expect.element(shownKeyDialog.getByText(SECRET)).toBeVisible();
  await expect.element(shownKeyDialog.getByText(/^A antiga vale, no máximo, até /)).toBeVisible();
  expect(gateway.calls(rotateScopedKey)[0]?.body).toEqual({ overlap_hours: 168 });
  await userEvent.keyboard('{Escape}');
  await shownKeyDialog.getByRole('button', { name: 'Fechar sem copiar' }).click();
  await expect.element(screen.getByText(SECRET)).not.toBeInTheDocument();
});

test('a key is revoked after a confirmation that shows its last use', async () => {
  gateway.fail(revokeScopedKey);
  const { screen } = await openPage();
  await buttonOf(screen, 'Revogar').click();
  const question = screen.getByRole('alertdialog', { name: 'Revogar a chave “Loja online”?' });
  await expect.element(question.getByText(/Foi usada ontem: /)).toBeVisible();
  await question.getByRole('button', { name: 'Revogar chave' }).click();
  await expect.element(question.getByText('Failed to revoke API key')).toBeVisible();
  gateway.answer(revokeScopedKey, { success: true });
  gateway.stall(listScopedKeys);
  await question.getByRole('button', { name: 'Revogar chave' }).click();
  await expect.element(screen.getByText('API key revoked successfully')).toBeVisible();
  await expect.element(screen.getByText(/^Nenhuma chave por sistema\./)).toBeVisible();
});

test('an account that is not approved cannot create keys, and a failure to load can be retried', async () => {
  gateway.fail(listScopedKeys);
  const { screen } = await openPage(false);
  await expect.element(screen.getByText('Erro ao buscar as chaves por sistema.')).toBeVisible();
  gateway.answer(listScopedKeys, { keys: [] });
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText(/Você as cria assim que a conta for aprovada\.$/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Criar chave' }).elements()).toEqual([]);
});

test('when the response is lost, the dialog says to check the list of keys, also after the password', async () => {
  gateway.answer(listScopedKeys, { keys: [] });
  gateway.disconnect(createScopedKey);
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Criar chave' }).click();
  const form = screen.getByRole('dialog', { name: 'Criar chave' });
  await form.getByLabelText('Nome do sistema').fill('Loja online');
  await form.getByRole('checkbox', { name: /Leitura/ }).click();
  const inDoubt =
    'Não sabemos se a chave foi criada. Confira a lista: se ela estiver lá, revogue-a e crie outra.';
  await form.getByRole('button', { name: 'Criar chave' }).click();
  await expect.element(form.getByRole('alert')).toHaveTextContent(inDoubt);

  gateway.refuse(createScopedKey, 'PASSWORD_REQUIRED');
  gateway.answer(confirmPassword, () => {
    gateway.fail(createScopedKey);
    gateway.answer(listScopedKeys, { keys: [key] });
    return { success: true as const };
  });
  await form.getByRole('button', { name: 'Criar chave' }).click();
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
  await userEvent.keyboard('certa{Enter}');
  await expect.element(form.getByRole('alert')).toHaveTextContent(inDoubt);
  await expect.element(screen.getByRole('dialog', { name: 'Confirme sua senha' })).not.toBeInTheDocument();
  await expect.element(screen.getByText('203.0.113.7', { exact: false }).first()).toBeInTheDocument();
});

test('the section is left out where the provider has no scoped keys', async () => {
  gateway.refuse(listScopedKeys, 'NOT_FOUND');
  const { screen } = await openPage();
  await expect.element(screen.getByText('Ativa')).toBeVisible();
  await expect.element(screen.getByText('Chaves por sistema')).not.toBeInTheDocument();
});
