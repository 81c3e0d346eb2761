// The screens for own bank accounts: the list, the connection of a bank, and the page of an account.

import {
  activateConnection,
  type BankConnection,
  checkConnection,
  createConnection,
  discardCredentials,
  getConnection,
  getKyc,
  listConnections,
  orderConnections,
  replaceCredentials,
  retireConnection,
  setDebitAccount,
  stepUp,
  stepUpOptions,
  suspendConnection,
} from '@jangada/contract';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../api/query.ts';
import { refetchOwnAccounts } from '../../app/live/refetch-own-accounts.ts';
import { StepUp } from '../../panel/step-up/step-up.tsx';
import {
  activeConnection,
  brokenConnection,
  connectionsOf,
  draftConnection,
  failedCheck,
  operatorSuspended,
  passedCheck,
  runningCheck,
} from '../../testing/connection-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { kycNone } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { AnnouncementRegion } from '../../ui/index.ts';
import { BankPage } from './bank-page.tsx';
import { POLL_CHECK_MS } from './bank-queries.ts';
import { ConnectPage } from './connect-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(getKyc, kycNone);
  gateway.answer(listConnections, connectionsOf([]));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const ready: BankConnection = { ...draftConnection, check: passedCheck() };
const openList = (approved = true) => renderScreen('/bank', BankPage, { approved });
function openAccount(connection: BankConnection) {
  gateway.answer(listConnections, connectionsOf([connection]));
  gateway.answer(getConnection, connection);
  return renderScreen(`/bank?id=${connection.id}`, () => (
    <>
      <AnnouncementRegion />
      <BankPage />
      <StepUp />
    </>
  ));
}
type Rendered = Awaited<ReturnType<typeof openAccount>>['screen'];
async function giveProof(screen: Rendered, pin = '2580') {
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Senha atual').fill('mar calmo');
  await dialog.getByLabelText('PIN de saque', { exact: true }).fill(pin);
}

describe('the list', () => {
  test('an empty list says what an own account means and what is needed, and leads to the banks', async () => {
    const { screen, currentUrl } = await openList();
    await expect.element(screen.getByText(/cada Pix cai direto nela/)).toBeVisible();
    await expect.element(screen.getByText('Client ID e Client Secret')).toBeVisible();
    await screen.getByRole('link', { name: 'Conectar banco' }).click();
    await expect.poll(currentUrl).toBe('/bank/connect');
  });

  test('an account that is not approved cannot connect a bank', async () => {
    const { screen } = await openList(false);
    await expect.element(screen.getByText('Falta verificar sua identidade')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Conectar banco' }).elements()).toEqual([]);
  });

  test('where the operator admits no own accounts, none can be connected', async () => {
    gateway.answer(
      listConnections,
      connectionsOf([], { merchant_accounts: 'pooled', merchant_kind: 'pooled' }),
    );
    const { screen } = await openList();
    await expect.element(screen.getByText('Contas próprias não são usadas aqui')).toBeVisible();
    expect(screen.getByRole('link').elements()).toEqual([]);
  });

  test('each account shows its state, what failed since when, and a certificate that expires soon, at any width', async () => {
    const expires_at = new Date(Date.now() + 12.5 * 86_400_000).toISOString();
    const expiring = {
      ...activeConnection,
      id: '14',
      name: 'Feira',
      certificate: { holder: 'LOJA', fingerprint: '3A', expires_at },
    };
    gateway.answer(
      listConnections,
      connectionsOf([brokenConnection, expiring, { ...operatorSuspended, id: '15', name: 'Balcão' }, ready]),
    );
    const { screen, currentUrl } = await openList();
    const row = (name: RegExp) => screen.getByRole('row', { name });
    await expect.element(row(/Conta da loja.*Com falha ?desde 22\/11\/2026/)).toBeVisible();
    await expect.element(row(/Feira.*Ativa.*Vence em 12 dias/)).toBeVisible();
    await expect.element(row(/Balcão.*Suspensa/)).toBeVisible();
    await expect.element(row(/Conta da loja.*Pronta/)).toBeVisible();
    await page.viewport(390, 844);
    const items = screen.getByRole('list', { name: 'Contas bancárias' }).getByRole('listitem');
    await expect.element(items.first().getByText('Com falha')).toBeVisible();
    await expect.element(items.getByText('Certificado vence em 12 dias')).toBeVisible();
    await items.first().getByRole('button').click();
    await expect.poll(currentUrl).toBe('/bank?id=12');
  });

  test('the order of the accounts is changed by keyboard, with password and PIN', async () => {
    const second = { ...operatorSuspended, id: '13', name: 'Conta da feira', position: 2 };
    const ending: BankConnection = { ...activeConnection, id: '14', name: 'Antiga', state: 'retiring' };
    gateway.answer(
      listConnections,
      connectionsOf([activeConnection, second, ending, { ...ready, id: '15' }]),
    );
    const { screen } = await openList();
    await screen.getByRole('button', { name: 'Mudar ordem' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Ordem das contas' });
    await expect.element(dialog.getByText(/^Suspensa ·/)).toBeVisible();
    expect(dialog.getByRole('listitem').elements()).toHaveLength(2);
    dialog.getByRole('button', { name: 'Subir Conta da feira' }).element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog.getByText('Conta da feira: 1ª de 2')).toBeInTheDocument();
    await expect.element(dialog.getByRole('button', { name: 'Subir Conta da feira' })).toHaveFocus();
    gateway.refuse(orderConnections, 'PIN_WRONG', { attempts_left: 4 });
    await giveProof(screen, '1111');
    await dialog.getByRole('button', { name: 'Salvar ordem' }).click();
    await expect
      .element(dialog.getByLabelText('PIN de saque', { exact: true }))
      .toHaveAttribute('aria-invalid', 'true');
    const swapped = [
      { ...second, position: 1 },
      { ...activeConnection, position: 2 },
    ];
    gateway.answer(orderConnections, { connections: swapped });
    gateway.answer(listConnections, connectionsOf(swapped));
    await giveProof(screen);
    await dialog.getByRole('button', { name: 'Salvar ordem' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(gateway.calls(orderConnections).at(-1)?.body).toEqual({
      ids: ['13', '12'],
      password: 'mar calmo',
      pin: '2580',
    });
    await expect.element(screen.getByRole('row').nth(1).getByText('Conta da feira')).toBeVisible();
  });

  test('a merchant who is paid into own accounts, of which none is active, is warned', async () => {
    gateway.answer(listConnections, connectionsOf([operatorSuspended, { ...ready, id: '13' }]));
    const { screen } = await openList();
    await expect.element(screen.getByText('Nenhuma conta bancária ativa.')).toBeVisible();
    gateway.answer(listConnections, connectionsOf([activeConnection, { ...ready, id: '13' }]));
    refetchOwnAccounts();
    await expect.element(screen.getByText('Nenhuma conta bancária ativa.')).not.toBeInTheDocument();
  });

  test('a list that cannot be loaded says so, and is loaded again', async () => {
    gateway.fail(listConnections);
    const { screen } = await openList();
    await expect.element(screen.getByText('Erro ao buscar as suas contas')).toBeVisible();
    gateway.answer(listConnections, connectionsOf([activeConnection]));
    await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
    await expect.element(screen.getByRole('row', { name: /Conta da loja/ })).toBeVisible();
  });
});

describe('connecting a bank', () => {
  const openForm = (bank: string) => renderScreen(`/bank/connect?bank=${bank}`, ConnectPage);
  const file = (name: string, content: string) => new File([content], name);
  const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  const KEY = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n';

  test('a bank is found without accents, says what it needs, and opens its form', async () => {
    const { screen, currentUrl } = await renderScreen('/bank/connect', ConnectPage);
    const list = screen.getByRole('list', { name: 'Bancos' });
    await expect.element(list.getByRole('link', { name: /Banco Sandbox.*sem certificado/ })).toBeVisible();
    await expect
      .element(list.getByRole('link', { name: /^Outro banco.*se o banco pedir, certificado.*operador/ }))
      .toBeVisible();
    await screen.getByLabelText('Buscar banco').fill('itau');
    await expect.element(list.getByRole('link', { name: /Bradesco/ })).not.toBeInTheDocument();
    await list.getByRole('link', { name: /Itaú/ }).click();
    await expect.poll(currentUrl).toBe('/bank/connect?bank=itau');
  });

  test('without a certificate to send, only key, Client ID and Client Secret are asked for', async () => {
    const { screen, currentUrl } = await openForm('sandbox');
    await expect.element(screen.getByRole('heading', { name: 'Conectar Banco Sandbox' })).toBeVisible();
    expect(screen.getByText('Certificado', { exact: true }).elements()).toEqual([]);
    const send = screen.getByRole('button', { name: 'Guardar e verificar' });
    await send.click();
    for (const text of ['Informe a chave Pix da conta.', 'Informe o Client ID.', 'Informe o Client Secret.'])
      await expect.element(screen.getByText(text)).toBeVisible();
    expect(gateway.calls(createConnection)).toEqual([]);
    await screen.getByLabelText('Chave Pix da conta').fill('chave');
    await screen.getByLabelText('Client ID').fill(' id ');
    await screen.getByLabelText('Client Secret').fill('segredo');
    for (const [code, text] of [
      ['PIX_KEY_INVALID', /não é válida/],
      ['PIX_KEY_TAKEN', /já está em uso/],
    ] as const) {
      gateway.refuse(createConnection, code);
      await send.click();
      await expect.element(screen.getByLabelText('Chave Pix da conta')).toHaveAccessibleDescription(text);
    }
    gateway.refuse(createConnection, 'CONNECTION_LIMIT');
    await send.click();
    await expect.element(screen.getByRole('alert').getByText(/no máximo 5 contas/)).toBeVisible();
    const created = { ...draftConnection, check: runningCheck };
    gateway.answer(createConnection, created);
    gateway.answer(listConnections, connectionsOf([created]));
    await send.click();
    await expect.poll(currentUrl).toBe('/bank?id=12');
    expect(gateway.calls(createConnection).at(-1)?.body).toMatchObject({
      bank: 'sandbox',
      pix_key: 'chave',
      client_secret: 'segredo',
    });
    expect(gateway.calls(createConnection).at(-1)?.body).not.toHaveProperty('certificate');
  });

  test('a PKCS#12 file is sent with its password, and a refused one is told at its field', async () => {
    const { screen } = await openForm('efi');
    await screen.getByLabelText('Chave Pix da conta').fill('chave');
    await screen.getByLabelText('Client ID').fill('id');
    await screen.getByLabelText('Client Secret').fill('segredo');
    const send = screen.getByRole('button', { name: 'Guardar e verificar' });
    await send.click();
    await expect.element(screen.getByText('Envie o certificado que o banco emitiu.')).toBeVisible();
    const certificate = screen.getByLabelText(/^Certificado:/);
    await userEvent.upload(certificate, file('grande.p12', 'x'.repeat(40_000)));
    await send.click();
    await expect.element(certificate).toHaveAccessibleDescription(/no máximo 32 KB/);
    await userEvent.upload(certificate, file('loja.p12', 'PK'));
    await expect.element(screen.getByText('loja.p12')).toBeVisible();
    await screen.getByLabelText('Senha do certificado').fill('abre-te');
    gateway.refuse(createConnection, 'CERTIFICATE_INVALID');
    await send.click();
    await expect.element(certificate).toHaveAccessibleDescription(/não pôde ser lido/);
    expect(gateway.calls(createConnection)[0]?.body).toMatchObject({
      certificate: btoa('PK'),
      certificate_password: 'abre-te',
    });
  });

  test('a bank that may demand a certificate takes one, and does without', async () => {
    const { screen } = await openForm('other');
    await screen.getByLabelText('Chave Pix da conta').fill('chave');
    await screen.getByLabelText('Client ID').fill('id');
    await screen.getByLabelText('Client Secret').fill('segredo');
    const send = screen.getByRole('button', { name: 'Guardar conta' });
    gateway.refuse(createConnection, 'CONNECTION_LIMIT');
    await send.click();
    await expect.poll(() => gateway.calls(createConnection).length).toBe(1);
    expect(gateway.calls(createConnection)[0]?.body).not.toHaveProperty('certificate');
    await userEvent.upload(screen.getByLabelText(/^Certificado \(opcional\):/), file('loja.p12', 'PK'));
    await send.click();
    await expect.poll(() => gateway.calls(createConnection).length).toBe(2);
    expect(gateway.calls(createConnection)[1]?.body).toMatchObject({ certificate: btoa('PK') });
  });

  test('the account for debits is optional, and both of its parts are sent', async () => {
    const { screen } = await openForm('other');
    await screen.getByLabelText('Chave Pix da conta').fill('chave');
    await screen.getByLabelText('Client ID').fill('id');
    await screen.getByLabelText('Client Secret').fill('segredo');
    const send = screen.getByRole('button', { name: 'Guardar conta' });
    gateway.refuse(createConnection, 'CONNECTION_LIMIT');
    await send.click();
    await expect.poll(() => gateway.calls(createConnection).length).toBe(1);
    expect(gateway.calls(createConnection)[0]?.body).not.toHaveProperty('debit_account');
    await screen.getByLabelText('Agência').fill('0001');
    await send.click();
    const number = screen.getByRole('textbox', { name: 'Conta', exact: true });
    await expect.element(number).toHaveAccessibleDescription(/Informe a conta com o dígito/);
    await screen.getByLabelText('Tipo da conta').selectOptions('payment');
    await number.fill('1234567');
    await send.click();
    await expect.poll(() => gateway.calls(createConnection).length).toBe(2);
    expect(gateway.calls(createConnection)[1]?.body).toMatchObject({
      debit_account: { type: 'payment', branch: '0001', number: '1234567' },
    });
  });

  test('a PEM certificate without its key asks for the file of the key, and for no password', async () => {
    const { screen } = await openForm('efi');
    await screen.getByLabelText('Chave Pix da conta').fill('chave');
    await screen.getByLabelText('Client ID').fill('id');
    await screen.getByLabelText('Client Secret').fill('segredo');
    await userEvent.upload(screen.getByLabelText(/^Certificado:/), file('loja.crt', PEM));
    await expect.element(screen.getByText('Chave do certificado', { exact: true })).toBeVisible();
    expect(screen.getByLabelText('Senha do certificado').elements()).toEqual([]);
    const send = screen.getByRole('button', { name: 'Guardar e verificar' });
    await send.click();
    await expect.element(screen.getByText('Envie também a chave deste certificado.')).toBeVisible();
    await userEvent.upload(screen.getByLabelText(/^Chave do certificado:/), file('loja.key', KEY));
    gateway.answer(createConnection, draftConnection);
    gateway.answer(listConnections, connectionsOf([draftConnection]));
    await send.click();
    await expect.poll(() => gateway.calls(createConnection).length).toBe(1);
    expect(gateway.calls(createConnection)[0]?.body).toMatchObject({
      certificate: btoa(PEM),
      certificate_key: btoa(KEY),
    });
  });
});

test('the account for debits is entered later, with password and PIN', async () => {
  const { screen } = await openAccount(activeConnection);
  await expect.element(screen.getByText('Falta informar a conta para débitos')).toBeVisible();
  await screen.getByRole('button', { name: 'Conta para débitos' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Conta para débitos' });
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  const number = dialog.getByRole('textbox', { name: 'Conta', exact: true });
  await expect.element(number).toHaveAccessibleDescription(/Informe a conta com o dígito/);
  expect(gateway.calls(setDebitAccount)).toEqual([]);
  await number.fill('1234567');
  await giveProof(screen);
  const entered = { type: 'checking', number: '1234567' } as const;
  gateway.answer(setDebitAccount, { ...activeConnection, recurring: 'available', debit_account: entered });
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect.element(screen.getByText('Conta corrente 1234567')).toBeVisible();
  expect(gateway.calls(setDebitAccount).at(-1)?.body).toEqual({
    ...entered,
    password: 'mar calmo',
    pin: '2580',
  });
});

describe('the check', () => {
  test('its steps appear while it runs, are announced, and a failure is open with what it means', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { screen } = await openAccount({ ...draftConnection, check: runningCheck });
    const heard = (text: RegExp) =>
      expect.element(screen.getByRole('status').filter({ hasText: text })).toBeInTheDocument();
    await heard(/^Passo 2 de 6: Entrada com Client ID/);
    const steps = screen.getByRole('list', { name: 'Passos da verificação' });
    await expect.element(steps.getByText(/em andamento/)).toBeInTheDocument();
    await expect.element(steps.getByRole('button', { name: /Conexão segura.*passou/ })).toBeVisible();
    gateway.answer(getConnection, draftConnection);
    await vi.advanceTimersByTimeAsync(POLL_CHECK_MS);
    await heard(/^Não passou.*1 passo falhou/);
    await expect.element(steps.getByText('Cobrança de teste: não feito')).toBeInTheDocument();
    const failed = steps.getByRole('button', { name: /Entrada com Client ID.*falhou/ });
    await expect.element(failed).toHaveAttribute('aria-expanded', 'true');
    await expect.element(steps.getByText(/não aceitou o Client ID/)).toBeVisible();
    await expect.element(steps.getByText(/invalid_client/)).toBeVisible();
    await expect.element(steps.getByText(/TLS 1\.3/)).not.toBeVisible();
    await steps.getByRole('button', { name: /Conexão segura/ }).click();
    await expect.element(steps.getByText(/TLS 1\.3/)).toBeVisible();
    const polls = gateway.calls(getConnection).length;
    await vi.advanceTimersByTimeAsync(3 * POLL_CHECK_MS);
    expect(gateway.calls(getConnection)).toHaveLength(polls);
  });

  test('it is begun again, and a refusal shows what is there now', async () => {
    const { screen } = await openAccount(draftConnection);
    gateway.refuse(checkConnection, 'CHECK_RUNNING');
    gateway.answer(getConnection, { ...draftConnection, check: runningCheck });
    await screen.getByRole('button', { name: 'Verificar de novo' }).click();
    await expect.element(screen.getByText('A verificação desta conta está em andamento.')).toBeVisible();
    await expect.element(screen.getByText('em andamento', { exact: false }).first()).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Verificar de novo' }).elements()).toEqual([]);
  });

  test('whose failure other credentials mend leads to them, and any other one to another check', async () => {
    const steps = failedCheck.steps.map((step) =>
      step.state === 'failed' ? { ...step, answered: 'O banco não respondeu a tempo.' } : step,
    );
    const { screen } = await openAccount({ ...draftConnection, check: { ...failedCheck, steps } });
    await expect
      .element(screen.getByRole('button', { name: 'Verificar de novo' }))
      .toHaveClass(/btn-primary/);
    gateway.answer(getConnection, draftConnection);
    refetchOwnAccounts();
    await expect
      .element(screen.getByRole('button', { name: 'Alterar credenciais' }).first())
      .toHaveClass(/btn-primary/);
    await expect
      .element(screen.getByRole('button', { name: 'Verificar de novo' }))
      .not.toHaveClass(/btn-primary/);
  });

  test('a bank whose addresses are missing cannot be checked', async () => {
    const { screen } = await openAccount({ ...draftConnection, check: null, awaits_addresses: true });
    await expect.element(screen.getByText(/Falta o operador informar os endereços/)).toBeVisible();
    expect(screen.getByRole('button', { name: /^Verificar/ }).elements()).toEqual([]);
  });
});

describe('an account', () => {
  test('is put to use with password, PIN and second factor, and then leads to the first charge', async () => {
    const { screen, currentUrl } = await openAccount(ready);
    await screen.getByRole('button', { name: 'Ativar conta' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Ativar conta' });
    await dialog.getByRole('button', { name: 'Ativar' }).click();
    await expect.element(dialog.getByText('Senha atual é obrigatória')).toBeVisible();
    await expect.element(dialog.getByText('PIN inválido. Deve ter 4 dígitos.')).toBeVisible();
    await giveProof(screen);
    gateway.refuse(activateConnection, 'STEP_UP_REQUIRED', { methods: ['totp'] });
    gateway.answer(stepUpOptions, { methods: ['totp'], challenge: null, options: null });
    gateway.answer(stepUp, { token: 'provado', expires_in: 300 });
    await dialog.getByRole('button', { name: 'Ativar' }).click();
    const factor = screen.getByRole('dialog', { name: 'Confirme que é você' });
    gateway.answer(activateConnection, activeConnection);
    gateway.answer(listConnections, connectionsOf([activeConnection]));
    await factor.getByRole('textbox').fill('123456');
    await userEvent.keyboard('{Enter}');
    const done = screen.getByRole('dialog', { name: 'Conta ativa' });
    await expect.element(done.getByText('Para conferir')).toBeVisible();
    expect(gateway.calls(activateConnection).at(-1)?.headers.get('x-step-up')).toBe('provado');
    expect(gateway.calls(activateConnection).at(-1)?.body).toEqual({ password: 'mar calmo', pin: '2580' });
    await done.getByRole('link', { name: 'Criar cobrança' }).click();
    await expect.poll(currentUrl).toBe('/pix-payment');
  });

  test('without a PIN the password is enough', async () => {
    const { screen } = await openAccount(ready);
    gateway.answer(listConnections, connectionsOf([ready], { has_pin: false }));
    await screen.unmount();
    const again = await renderScreen('/bank?id=12', BankPage);
    await again.screen.getByRole('link', { name: 'Todas as contas' }).click();
    await again.screen.getByRole('button', { name: 'Detalhes' }).click();
    await again.screen.getByRole('button', { name: 'Ativar conta' }).click();
    const dialog = again.screen.getByRole('dialog');
    expect(dialog.getByLabelText('PIN de saque', { exact: true }).elements()).toEqual([]);
    gateway.answer(activateConnection, activeConnection);
    await dialog.getByLabelText('Senha atual').fill('mar calmo');
    await dialog.getByRole('button', { name: 'Ativar' }).click();
    await expect.poll(() => gateway.calls(activateConnection)[0]?.body).toEqual({ password: 'mar calmo' });
  });

  test('behind another in the order says that charges go on there; the first of a pooled merchant, what else changes', async () => {
    const second = { ...ready, id: '13', name: 'Reserva', position: 2 };
    const { screen } = await openAccount(second);
    gateway.answer(listConnections, connectionsOf([activeConnection, second]));
    await queryClient.invalidateQueries();
    await screen.getByRole('button', { name: 'Ativar conta' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Ativar conta' });
    await expect.element(dialog.getByText(/As cobranças continuam entrando em/)).toBeVisible();
    expect(dialog.getByText(/vêm em uma fatura por mês/).elements()).toEqual([]);
    gateway.answer(listConnections, connectionsOf([second], { merchant_kind: 'pooled' }));
    await queryClient.invalidateQueries();
    await expect.element(dialog.getByText(/As próximas cobranças entram em/)).toBeVisible();
    await expect.element(dialog.getByText(/vêm em uma fatura por mês/)).toBeVisible();
  });

  test('that is put to use in another tab is said to be in use, and not asked to be put to use again', async () => {
    const { screen } = await openAccount(ready);
    await screen.getByRole('button', { name: 'Ativar conta' }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Ativar conta' })).toBeVisible();
    gateway.answer(getConnection, activeConnection);
    gateway.answer(listConnections, connectionsOf([activeConnection]));
    refetchOwnAccounts();
    await expect.element(screen.getByRole('dialog', { name: 'Conta ativa' })).toBeVisible();
    expect(screen.getByLabelText('Senha atual').elements()).toEqual([]);
  });

  test('whose check is older than a day is checked again before it is put to use', async () => {
    const old = passedCheck(new Date(Date.now() - 25 * 3_600_000).toISOString());
    const { screen } = await openAccount({ ...draftConnection, check: old });
    await expect.element(screen.getByRole('button', { name: 'Verificar de novo' }).first()).toBeVisible();
    expect(screen.getByRole('button', { name: 'Ativar conta' }).elements()).toEqual([]);
  });

  test('where nothing works says since when, why and what to do', async () => {
    const { screen } = await openAccount(brokenConnection);
    const notice = screen.getByRole('alert');
    await expect
      .element(notice.getByText(/desde 22\/11\/2026 às 06:12\..*recusa o certificado/))
      .toBeVisible();
    await expect.element(notice.getByRole('button', { name: 'Alterar credenciais' })).toBeVisible();
  });

  test('that the operator suspended shows the reason, and cannot be put to use by the merchant', async () => {
    const { screen } = await openAccount({ ...operatorSuspended, check: passedCheck() });
    await expect.element(screen.getByText(/Pedido de esclarecimento do banco/)).toBeVisible();
    expect(screen.getByRole('button', { name: /ativar/i }).elements()).toEqual([]);
  });

  test('whose certificate expired says that it is put to use again after the check of another', async () => {
    const suspended = { by: 'certificate', reason: 'O certificado do banco venceu.' } as const;
    const { screen } = await openAccount({ ...activeConnection, state: 'suspended', suspended });
    await expect.element(screen.getByText(/verificação passar, reative a conta/)).toBeVisible();
  });

  test('is suspended after a question, and put to use again', async () => {
    const { screen } = await openAccount({ ...activeConnection, check: passedCheck() });
    await screen.getByRole('button', { name: 'Suspender' }).click();
    await expect.element(screen.getByText(/É a sua única conta ativa/)).toBeVisible();
    const suspended: BankConnection = {
      ...activeConnection,
      check: passedCheck(),
      state: 'suspended',
      suspended: { by: 'merchant', reason: '' },
    };
    gateway.answer(suspendConnection, suspended);
    gateway.answer(listConnections, connectionsOf([suspended]));
    await screen.getByRole('alertdialog').getByRole('button', { name: 'Suspender' }).click();
    await expect.element(screen.getByText('Suspensa por você.')).toBeVisible();
    await screen.getByRole('button', { name: 'Reativar' }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Reativar conta' })).toBeVisible();
  });

  test('gets new credentials, whose check is shown while the old ones stay', async () => {
    const { screen } = await openAccount(activeConnection);
    await screen.getByRole('button', { name: 'Alterar credenciais' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Alterar credenciais' });
    await expect.element(dialog.getByText(/atuais continuam valendo/)).toBeVisible();
    await dialog.getByLabelText('Client ID').fill('novo');
    await dialog.getByLabelText('Client Secret').fill('segredo');
    await userEvent.upload(dialog.getByLabelText(/^Certificado:/), new File(['PK'], 'novo.p12'));
    await giveProof(screen);
    const changed = { ...activeConnection, check: { ...failedCheck, ofNewCredentials: true } };
    gateway.refuse(replaceCredentials, 'CERTIFICATE_INVALID');
    await dialog.getByRole('button', { name: 'Enviar e verificar' }).click();
    await expect
      .element(dialog.getByLabelText(/^Certificado:/))
      .toHaveAccessibleDescription(/não pôde ser lido/);
    gateway.answer(replaceCredentials, changed);
    gateway.answer(listConnections, connectionsOf([changed]));
    await giveProof(screen);
    await dialog.getByRole('button', { name: 'Enviar e verificar' }).click();
    await expect
      .element(screen.getByRole('heading', { name: 'Verificação das novas credenciais' }))
      .toBeVisible();
    await expect.element(screen.getByText(/As credenciais atuais continuam valendo/)).toBeVisible();
    expect(gateway.calls(replaceCredentials).at(-1)?.body).toEqual({
      client_id: 'novo',
      client_secret: 'segredo',
      certificate: btoa('PK'),
      password: 'mar calmo',
      pin: '2580',
    });
  });

  test('drops new credentials that did not pass, and can be checked with the current ones again', async () => {
    const failed = { ...passedCheck(), result: 'failed' as const, ofNewCredentials: true };
    const { screen } = await openAccount({ ...activeConnection, check: failed });
    gateway.answer(discardCredentials, { ...activeConnection, check: null });
    gateway.answer(getConnection, { ...activeConnection, check: null });
    await screen.getByRole('button', { name: 'Descartar as novas' }).click();
    await expect.element(screen.getByText('Credenciais novas descartadas')).toBeVisible();
    await expect.element(screen.getByRole('heading', { name: 'Verificação', exact: true })).toBeVisible();
    expect(gateway.calls(discardCredentials)).toHaveLength(1);
  });

  test('is retired with password and PIN, after what that means is said', async () => {
    const { screen } = await openAccount(activeConnection);
    await screen.getByRole('button', { name: 'Encerrar' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Encerrar conta' });
    await expect.element(dialog.getByText(/por até 90 dias/)).toBeVisible();
    await giveProof(screen);
    const retiring: BankConnection = { ...activeConnection, state: 'retiring' };
    gateway.answer(retireConnection, retiring);
    gateway.answer(listConnections, connectionsOf([retiring]));
    await dialog.getByRole('button', { name: 'Encerrar' }).click();
    await expect.element(screen.getByText('Encerrando.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Encerrar' }).elements()).toEqual([]);
  });

  test('that was only a draft is removed, and leaves the list', async () => {
    const { screen, currentUrl } = await openAccount(draftConnection);
    await screen.getByRole('button', { name: 'Remover' }).click();
    await giveProof(screen);
    const retired: BankConnection = { ...draftConnection, state: 'retired', client_id: null };
    gateway.answer(retireConnection, retired);
    gateway.answer(listConnections, connectionsOf([]));
    await screen.getByRole('dialog').getByRole('button', { name: 'Remover' }).click();
    await expect.poll(currentUrl).toBe('/bank');
    await expect.element(screen.getByText('Nenhuma conta conectada')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: /encerrada/ })).not.toBeInTheDocument();
  });

  test('that is not there says so', async () => {
    gateway.refuse(getConnection, 'CONNECTION_NOT_FOUND');
    const { screen } = await renderScreen('/bank?id=99', BankPage);
    await expect.element(screen.getByText('Conta não encontrada')).toBeVisible();
  });
});
