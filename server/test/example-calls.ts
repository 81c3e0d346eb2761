import { type Endpoint, endpoints } from '@jangada/contract';
import { documentedEndpoints } from '@jangada/contract/docs';
import { accountLoops } from '../src/accounts/index.ts';
import { createAuthenticator } from './authenticator.ts';
import type { ApiAnswer, CallOptions } from './gateway.ts';
import {
  defaultPin,
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenCharge,
  givenMerchant,
} from './given.ts';
import { approveAs, givenApprover } from './given-approvals.ts';
import { entryOf, openSandboxAccount, waitForCheck } from './given-connection.ts';
import { givenDispute, processDisputes } from './given-dispute.ts';
import { givenPasskey, totpCodeOf } from './given-factor.ts';
import { givenStatementOf } from './given-fees.ts';
import { givenMember } from './given-member.ts';
import { photo } from './hostile-pictures.ts';
import { mailsTo, sendQueuedMails, tokenIn } from './mailbox.ts';
import { newPerson } from './people.ts';
import type { PushService } from './push-service.ts';
import { download, upload } from './upload.ts';
import type { WithdrawalStand } from './withdrawal-stand.ts';

/** One call of an operation, with its response. */
export type ExampleCall = {
  readonly name: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer?: unknown;
};

type CallInput = Omit<ExampleCall, 'name' | 'answer'> & {
  readonly by?: CallOptions;
  readonly files?: Readonly<Record<string, Buffer>> | undefined;
};

const allEndpoints: readonly Endpoint[] = endpoints;
const documentedNames = new Set(documentedEndpoints.map(({ name }) => name));
/** The operations without a sample call in the documentation. */
export const undocumented: readonly Endpoint[] = allEndpoints.filter(
  ({ name }) => !documentedNames.has(name),
);

/**
 * Calls every undocumented operation and some others, in the order in which a shop's owner and the operator need them
 * in the shop's first weeks. Throws with the response if a call is refused. `watch` makes each call, so that tests can
 * inspect it.
 */
export async function makeExampleCalls(
  stand: WithdrawalStand,
  push: PushService,
  watch: (name: string, make: () => Promise<ApiAnswer>) => Promise<ApiAnswer> = (_, make) => make(),
): Promise<ExampleCall[]> {
  const { gateway } = stand;
  const called: ExampleCall[] = [];

  // biome-ignore lint/suspicious/noExplicitAny: the test checks responses against their schemas
  async function call(name: string, { by = {}, files, ...input }: CallInput = {}): Promise<any> {
    const endpoint = allEndpoints.find((one) => one.name === name);
    if (endpoint === undefined) throw new Error(`There is no ${name}.`);
    const { params = {}, query, body } = input;
    const pathWithParams = endpoint.path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? '');
    const path = query === undefined ? pathWithParams : `${pathWithParams}?${new URLSearchParams(query)}`;
    const response = await watch(name, () => send(endpoint, path, { body, by, files }));
    if (response.status !== (endpoint.status ?? 200))
      throw new Error(`${name}: the response is ${response.status} ${JSON.stringify(response.body)}`);
    called.push({ name, ...input, ...(response.body !== undefined && { answer: response.body }) });
    return response.body;
  }

  async function send(
    { method, file }: Endpoint,
    path: string,
    { body, by, files }: Pick<CallInput, 'body' | 'files'> & { readonly by: CallOptions },
  ): Promise<ApiAnswer> {
    if (files !== undefined) return upload(gateway, path, files, { token: by.token ?? '' });
    if (file === undefined) return gateway.api(method, path, body, by);
    const { status, headers, bytes } = await download(gateway, path, { token: by.token ?? '' });
    return { status, headers, body: textOf(headers['content-type'] ?? '', bytes) };
  }

  const shop = await openShop();
  await sell();
  await readReports();
  await withdraw();
  await dispute();
  await fees();
  await changeAccount();
  await guardAccount();
  await useNotifications();
  await operate();
  await connectBank();
  await approveForOthers();
  await changeHands();
  await leave();
  return called;

  async function openShop(): Promise<{ by: CallOptions; id: string; password: string; username: string }> {
    await call('publicSettings');
    await call('healthLive');
    const person = newPerson({
      username: 'marina',
      email: 'marina@loja.example',
      document: '12345678909',
    });
    const { user } = await call('register', { body: person });
    const { username, password } = person;
    const { token } = await call('login', { body: { username, password } });
    const by = { token };
    await call('profile', { by });
    await call('listAccounts', { by });
    await call('enterAccount', { by, body: { account_id: user.id } });
    await call('batch', { by, query: { paths: '/authed/user/taxes,/authed/stats/charges?days=7' } });
    const [document_front, document_back, selfie] = await Promise.all([photo(), photo(), photo()]);
    await call('verifyCpf', { by, files: { document_front, document_back, selfie } });
    await call('getKyc', { by });
    await approve(user.id);
    await call('accountTaxes', { by });
    await call('confirmPassword', { by, body: { password } });
    await haveMembers(by, user.id);
    return { by, id: user.id, password, username };
  }

  /** Somebody is invited, becomes a member, is changed and removed; is invited again, and leaves. */
  async function haveMembers(by: CallOptions, accountId: string): Promise<void> {
    const email = 'bia@loja.example';
    const invite = { email, role: 'operator', refund_limit: 200 };
    await call('inviteMember', { by, body: invite });
    const { body } = await gateway.api('POST', '/register', newPerson({ name: 'Beatriz Nogueira', email }));
    const { token, user } = body as { token: string; user: { id: string } };
    const link = { token: await newestLinkTo(email) };
    await call('checkInvitation', { body: link });
    await call('acceptInvitation', { by: { token }, body: link });
    const other = { email: 'contador@loja.example', role: 'accountant' };
    const { invitation } = await call('inviteMember', { by, body: other });
    await call('listMembers', { by });
    await call('withdrawInvitation', { by, params: { id: invitation.id } });
    const params = { id: user.id };
    await call('changeMember', { by, params, body: { role: 'finance', withdrawal_limit: 1000 } });
    await call('removeMember', { by, params, body: { keys: 'revoke' } });
    await call('inviteMember', { by, body: invite });
    const again = { token: await newestLinkTo(email) };
    await call('acceptInvitation', { by: { token }, body: again });
    await call('leaveAccount', { by: { token }, body: { account_id: accountId } });
  }

  async function newestLinkTo(email: string): Promise<string> {
    await sendQueuedMails(gateway);
    const newest = (await mailsTo(gateway, email)).find(({ text }) => text.includes('/convite?token='));
    if (newest === undefined) throw new Error('No invitation came.');
    return tokenIn(newest);
  }

  async function approve(id: string): Promise<void> {
    const by = stand.admin;
    const userId = { userId: id };
    await call('adminPendingKyc', { by, query: { page: '1' } });
    await call('adminKycPicture', { by, params: { ...userId, side: 'document_front' } });
    await call('adminRejectKyc', { by, params: userId, body: { reason: 'A foto da frente está cortada.' } });
    const person = await gateway.deps.db
      .selectFrom('users')
      .select(['username'])
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow();
    const session = await gateway.api('POST', '/login', {
      username: person.username,
      password: 'uma senha boa',
    });
    const [document_front, document_back, selfie] = await Promise.all([photo(), photo(), photo()]);
    const { token } = session.body as { token: string };
    await upload(gateway, '/authed/verify/cpf', { document_front, document_back, selfie }, { token });
    await call('adminAcceptKyc', { by, params: userId, body: {} });
    await call('adminUserBasics', { by, query: { search: person.username, page: '1' } });
    const { user } = await call('adminGetUser', { by, params: { id } });
    const body = { version: user.version, approved: true, apiActive: true, name: 'Marina A. Albuquerque' };
    await call('adminUpdateUser', { by, params: { id }, body });
  }

  /** The shop as a merchant, with the key that it has already. */
  async function merchant(): Promise<GivenMerchant> {
    const revealed = await call('revealApiKey', { by: shop.by, body: { password: shop.password } });
    const apiKey: string = revealed.apiKey ?? revealed.key;
    return {
      id: Number(shop.id),
      username: shop.username,
      password: shop.password,
      token: shop.by.token ?? '',
      apiKey,
    };
  }

  async function sell(): Promise<void> {
    const { by, password } = shop;
    await call('generateApiKey', { by, body: { password } });
    await call('apiKeyStatus', { by });
    const body = { name: 'Loja online', scopes: ['read', 'charges'], expires_in_days: 90, password };
    const { key } = await call('createScopedKey', { by, body });
    const params = { id: key.id };
    const changed = {
      name: 'Loja nova',
      scopes: ['read'],
      allowed_addresses: [],
      expires_at: null,
      password,
    };
    await call('updateScopedKey', { by, params, body: changed });
    await call('listScopedKeys', { by });
    const rotated = await call('rotateScopedKey', { by, params, body: { overlap_hours: 24, password } });
    await call('revokeScopedKey', { by, params: { id: rotated.key.id } });
    const seller = await merchant();
    await givenBalance(gateway, seller, 1500);
    await givenBalance(gateway, seller, 25.9);
    await givenCharge(gateway, seller, { amount: 89.9 });
    await call('webhookSecret', { by });
    await call('rotateWebhookSecret', { by });
    const wanted = { url: 'https://loja.example/webhooks/jangada' };
    const made = await gateway.api('POST', '/webhooks/endpoints', wanted, { apiKey: seller.apiKey });
    await call('webhookEndpointSecret', { by, params: { id: (made.body as { id: string }).id } });
  }

  async function readReports(): Promise<void> {
    const { by } = shop;
    await call('transactionFeed', { by, query: { limit: '2', status: 'paid' } });
    await call('listDueCharges', { by, query: { view: 'open' } });
    const items = [{ external_id: 'a', amount: 0.1 }];
    const made = await gateway.api('POST', '/pix/batches', { items }, by);
    await call('exportChargeBatch', { by, params: { id: (made.body as { id: string }).id } });
    await call('getReminders', { by });
    const words = { subject: 'Lembrete', text: 'Vence em {vencimento}: {link}' };
    await call('setReminders', { by, body: { active: true, days: [0], ...words, version: 0 } });
    await call('getWalletStats', { by });
    await call('getChargeStats', { by, query: { days: '7' } });
    await call('getDailyStats', { by, query: { days: '7' } });
    await call('getStatement', { by, query: { account: 'available', limit: '2' } });
    await call('exportStatement', { by, params: { format: 'csv' }, query: { account: 'available' } });
    await call('getReserves', { by });
  }

  async function withdraw(): Promise<void> {
    const { by, password, id } = shop;
    await call('checkWithdrawalPin', { by });
    const pin = defaultPin;
    await call('setWithdrawalPin', {
      by,
      body: { current_password: password, new_pin: pin, confirm_pin: pin },
    });
    await gateway.deps.db.updateTable('withdrawal_controls').set({ held_until: null }).execute();
    await call('outFees', { by });
    const proof = { password, withdrawal_pin: pin };
    await call('setApiWithdrawals', { by, body: { enabled: true, ...proof } });
    const destination = { pixKey: 'maria@example.com', pix_key_type: 'email' };
    await call('saveDestination', { by, body: { ...destination, label: 'Conta da loja', ...proof } });
    await call('getApiWithdrawals', { by });
    await call('removeDestination', { by, body: { pixKey: destination.pixKey } });
    await stand.pollBankBalance();
    const request = { amount: 50, ...destination, withdrawal_pin: pin };
    const { withdrawal } = await call('withdraw', { by, body: request });
    await call('listWithdrawals', { by, query: { page: '1', status: 'pending' } });
    await call('getWithdrawal', { by, params: { id: withdrawal.id } });
    const params = { userId: id, id: withdrawal.id };
    const operator = stand.admin;
    await call('adminPayouts', { by: operator });
    await call('adminHoldWithdrawal', { by: operator, params, body: { reason: 'Destino a conferir' } });
    await call('adminWithdrawals', { by: operator, query: { view: 'held' } });
    await call('adminReleaseWithdrawal', { by: operator, params, body: { reason: 'Destino conferido' } });
    await call('adminStopPayouts', { by: operator, body: { reason: 'Conferindo um saque' } });
    const evidence = 'O extrato do banco não mostra este envio';
    await call('adminResolveWithdrawal', {
      by: operator,
      params,
      body: { outcome: 'refused', evidence },
    });
    await call('adminResumePayouts', { by: operator, body: { reason: 'Conferido' } });
  }

  async function dispute(): Promise<void> {
    const { by, id: userId } = shop;
    const seller = await merchant();
    const { endToEndId } = await givenBalance(gateway, seller, 60);
    const { id } = await givenDispute(gateway, seller, { endToEndId });
    await call('listDisputes', { by, query: { page: '1', status: 'open' } });
    await call('getDispute', { by, params: { id } });
    const pdf = Buffer.from('%PDF-1.7\nNota fiscal 1001');
    const files = [{ name: 'nota.pdf', content: pdf.toString('base64') }];
    const text = 'O pedido foi entregue em mãos em 20 de novembro, como mostra a nota.';
    const detail = await call('defendDispute', { by, params: { id }, body: { text, files } });
    const fileId: string = detail.files[0].id;
    await call('getDisputeFile', { by, params: { id, fileId } });
    await processDisputes(gateway);
    const operator = stand.admin;
    await call('adminDisputes', { by: operator, query: { view: 'open', page: '1' } });
    await call('adminGetDispute', { by: operator, params: { userId, id } });
    await call('adminDisputeFile', { by: operator, params: { userId, id, fileId } });
  }

  async function fees(): Promise<void> {
    const { by, id: userId } = shop;
    const id = await givenStatementOf(gateway, Number(userId));
    await call('listFeeStatements', { by, query: { page: '1' } });
    await call('payFeeStatement', { by, params: { id } });
    await call('getFeeStatement', { by, params: { id } });
    await call('exportFeeStatement', { by, params: { id, format: 'csv' } });
    const operator = stand.admin;
    await call('adminFeeStatements', { by: operator, query: { status: 'open', page: '1' } });
    const body = { reference: 'TED 4711 do Banco da Praça' };
    await call('adminMarkFeeStatementPaid', { by: operator, params: { id }, body });
  }

  async function changeAccount(): Promise<void> {
    const { by } = shop;
    await call('getBrand', { by });
    await call('changeBrand', { by, body: { display_name: 'Loja da Marina', colour: '#0f766e' } });
    await call('uploadLogo', { by, files: { logo: await photo() } });
    const { logo } = (await gateway.api('GET', '/authed/brand', undefined, by)).body as { logo: string };
    await call('logoPicture', { params: { id: idIn(logo) } });
    await call('removeLogo', { by });
    const { avatar } = await call('uploadAvatar', { by, files: { avatar: await photo() } });
    await call('avatarPicture', { params: { id: idIn(avatar) } });
    await call('removeAvatar', { by });
  }

  async function guardAccount(): Promise<void> {
    const { by, username } = shop;
    let { password } = shop;
    await call('getSecurity', { by });
    const { secret } = await call('beginTotp', { by, body: { password } });
    await call('confirmTotp', { by, body: { code: totpCodeOf(gateway, secret) } });
    await gateway.advance(30);
    await call('renewRecoveryCodes', { by });
    const key = createAuthenticator(gateway.deps.config.publicUrl);
    const { challenge, options } = await call('beginPasskey', { by, body: { password } });
    const credential = key.create(options);
    const { passkey } = await call('addPasskey', { by, body: { challenge, credential, name: 'Celular' } });
    const passkeyLogin = await call('passkeyLoginOptions');
    await call('passkeyLogin', {
      body: { challenge: passkeyLogin.challenge, credential: key.get(passkeyLogin.options) },
    });
    const first = await gateway.api('POST', '/login', { username, password });
    const { details } = (first.body as { error: { details: { challenge: string } } }).error;
    await gateway.advance(30);
    const second = { challenge: details.challenge, code: totpCodeOf(gateway, secret) };
    await call('secondFactorLogin', { body: second });
    await call('stepUpOptions', { by });
    await gateway.advance(30);
    await call('stepUp', { by, body: { code: totpCodeOf(gateway, secret) } });
    await call('removePasskey', { by, params: { id: passkey.id } });
    await call('removeTotp', { by });
    const { sessions } = await call('listSessions', { by });
    const other = sessions.find(({ current }: { current: boolean }) => !current);
    await call('endSession', { by, params: { id: other.id } });
    await call('endOtherSessions', { by });
    await call('changeName', { by, body: { name: 'Marina Albuquerque', password } });
    const email = 'marina@nova.example';
    await call('changeEmail', { by, body: { email, password } });
    await call('resendEmailLink', { by });
    await call('cancelEmailChange', { by });
    await gateway.api('POST', '/authed/email', { email, password }, by);
    await sendQueuedMails(gateway);
    const [confirming] = await mailsTo(gateway, email);
    if (confirming === undefined) throw new Error('No mail came.');
    await call('sandboxMails');
    const link = { token: tokenIn(confirming) };
    await call('checkEmailLink', { body: link });
    await call('confirmEmail', { body: link });
    await call('changePassword', {
      by,
      body: { current_password: password, new_password: 'outra senha boa' },
    });
    password = 'outra senha boa';
    await call('recoverPassword', { body: { email } });
    for (const { work } of accountLoops) await work(gateway.deps);
    await sendQueuedMails(gateway);
    const recovering = (await mailsTo(gateway, email)).find(({ text }) => text.includes('?token='));
    if (recovering === undefined) throw new Error('No mail came.');
    const reset = { token: tokenIn(recovering) };
    await call('checkResetLink', { body: reset });
    await call('resetPassword', { body: { ...reset, password: 'senha de novo boa' } });
    const again = await gateway.api('POST', '/login', { username, password: 'senha de novo boa' });
    Object.assign(shop, { password: 'senha de novo boa', by: again.body });
  }

  async function useNotifications(): Promise<void> {
    const { by } = shop;
    const { pushKey } = (await gateway.api('GET', '/settings')).body as { pushKey: string };
    const { token } = push.subscribe(pushKey);
    await call('registerPush', { by, body: { token } });
    await call('unregisterPush', { by, body: { token } });
    await call('notificationTicket', { by });
    const { notifications } = await call('listNotifications', { by, query: { limit: '2' } });
    await call('readNotifications', { by, body: { ids: [notifications[0].id] } });
    const preferences = await call('getNotificationPreferences', { by });
    await call('setNotificationPreferences', { by, body: preferences });
  }

  async function operate(): Promise<void> {
    const by: GivenAdmin = stand.admin;
    const { id } = shop;
    const strays = [await stray(7.77), await stray(8.88)];
    await call('adminSuspense', { by, query: { page: '1' } });
    const [first = '', second = ''] = strays;
    const reason = 'Comprovante conferido com o lojista';
    await call('adminAssignSuspense', {
      by,
      params: { endToEndId: first },
      body: { userId: id, reason },
    });
    const back = { reason: 'Quem pagou pediu de volta' };
    await call('adminReturnSuspense', { by, params: { endToEndId: second }, body: back });
    const movement = { kind: 'tariff', amount: 1.23, description: 'Tarifa do mês' };
    await call('adminRecordBankMovement', { by, body: movement });
    await call('adminBankMovements', { by, query: { page: '1' } });
    await call('adminReconciliation', { by });
    const itemId = await openItem();
    await call('adminOpenItems', { by, query: { page: '1' } });
    await call('adminCloseItem', { by, params: { id: itemId }, body: { evidence: 'Conferido com o banco' } });
    const { chargeId } = await givenBalance(gateway, { ...shop, ...(await merchantWithNewKey()) }, 30);
    const refund = await gateway.api('POST', `/pix/${chargeId}/refund`, { amount: 10 }, shop.by);
    await call('adminResolveRefund', {
      by,
      params: { userId: id, id: (refund.body as { id: string }).id },
      body: { outcome: 'refused', evidence: 'O extrato do banco não mostra esta devolução' },
    });
    await call('adminUserTransactions', { by, params: { userId: id }, query: { search: 'Marina' } });
    await call('adminFreezeUser', { by, params: { userId: id }, body: { reason: 'Suspeita de fraude' } });
    await call('adminUnfreezeUser', { by, params: { userId: id }, body: { reason: 'Suspeita desfeita' } });
    await call('adminAuditLog', { by, query: { user: id } });
    await call('adminSystemHealth', { by });
  }

  /** The shop as a merchant, with a new session and a new key. */
  async function merchantWithNewKey(): Promise<GivenMerchant> {
    const { username, password } = shop;
    const again = await gateway.api('POST', '/login', { username, password });
    const { token } = again.body as { token: string };
    Object.assign(shop, { by: { token } });
    const made = await gateway.api('POST', '/authed/apikey', { password }, { token });
    return {
      id: Number(shop.id),
      username,
      password,
      token,
      apiKey: (made.body as { apiKey: string }).apiKey,
    };
  }

  async function stray(amount: number): Promise<string> {
    const key = gateway.deps.config.pixKey;
    const endToEndId = await gateway.bank.pay({ key, amount });
    await stand.bookReceivedPix(endToEndId);
    return endToEndId;
  }

  /** A payout at the bank that is missing from the books. */
  async function openItem(): Promise<string> {
    const order = { idEnvio: 'semdono1', amountCents: 100, pixKey: 'maria@example.com', note: '' };
    await gateway.deps.psp.payouts?.sendPayout(order);
    await gateway.advance(60);
    await stand.reconcile();
    const row = gateway.deps.db.selectFrom('open_items').select('id').where('reference', '=', 'semdono1');
    return (await row.executeTakeFirstOrThrow()).id;
  }

  /** The shop connects an account of its own at the bank, and the operator looks after it. */
  async function connectBank(): Promise<void> {
    const { username, password } = shop;
    const again = await gateway.api('POST', '/login', { username, password });
    const { token } = again.body as { token: string };
    const by = { token };
    const proof = { password, pin: defaultPin };
    await call('ownBank', { by });
    await call('withdrawalSources', { by });
    await call('listConnections', { by });
    const account = await openSandboxAccount(gateway);
    const { id } = await call('createConnection', { by, body: entryOf(account) });
    const params = { id };
    await waitForCheck(gateway, { token }, id);
    await call('checkConnection', { by, params });
    await waitForCheck(gateway, { token }, id);
    await call('getConnection', { by, params });
    await call('activateConnection', { by, params, body: proof });
    const { clientId: client_id, clientSecret: client_secret } = account;
    const wrong = { client_id, client_secret: 'segredo-errado', ...proof };
    await call('replaceCredentials', { by, params, body: wrong });
    await waitForCheck(gateway, { token }, id);
    await call('discardCredentials', { by, params });
    await call('setDebitAccount', {
      by,
      params,
      body: { type: 'payment', branch: '0001', number: '1234567', ...proof },
    });
    await call('replaceCredentials', { by, params, body: { client_id, client_secret, ...proof } });
    await waitForCheck(gateway, { token }, id);
    const elsewhere = { ...entryOf(await openSandboxAccount(gateway)), bank: 'other' };
    const { id: secondId } = await call('createConnection', { by, body: elsewhere });
    await call('orderConnections', { by, body: { ids: [secondId, id], ...proof } });
    const operator = stand.admin;
    await call('adminConnections', { by: operator, query: { page: '1' } });
    const reason = 'Endereços conferidos na documentação do banco';
    const { apiUrl } = gateway.bank;
    await call('adminSetAddresses', {
      by: operator,
      params: { id: secondId },
      body: { api_url: `${apiUrl}/v2`, token_url: `${apiUrl}/oauth/token`, reason },
    });
    const doubt = { reason: 'Titularidade em conferência' };
    await call('adminSuspendConnection', { by: operator, params, body: doubt });
    const solved = { reason: 'Titularidade conferida' };
    await call('adminResumeConnection', { by: operator, params, body: solved });
    await call('suspendConnection', { by, params });
    await call('retireConnection', { by, params, body: proof });
  }

  /** Two people who approve what the other asks for. */
  async function approveForOthers(): Promise<void> {
    const owner = await stand.createFundedMerchant(500);
    const by = { token: owner.token };
    await givenPasskey(gateway, owner);
    const partner = await givenApprover(gateway, owner.id);
    const byPartner = { token: partner.token };
    await call('setApprovalPolicy', { by, body: { enabled: true, from: 1000, approvals: 1 } });
    await call('getApprovalPolicy', { by });
    await call('askToApprove', { by: byPartner, body: {} });
    const askForKey = (name: string) =>
      gateway.api('POST', '/authed/keys', { name, scopes: ['withdrawals'] }, by);
    await askForKey('ERP');
    const { open } = await call('listApprovals', { by: byPartner });
    const params = { id: open[0].id };
    await call('getApproval', { by: byPartner, params });
    const { options } = await call('approvalOptions', { by: byPartner, params });
    await call('approve', { by: byPartner, params, body: { credential: partner.passkey.get(options) } });
    await call('retractApproval', { by: byPartner, params });
    await call('rejectApproval', { by: byPartner, params, body: { reason: 'Não conheço este sistema.' } });
    await askForKey('Loja virtual');
    const own = await call('listApprovals', { by });
    await call('cancelApproval', { by, params: { id: own.open[0].id } });
    await call('exportApprovals', { by });
    await recoverPerson(partner.id);
  }

  /** Two administrators give somebody access again. */
  async function recoverPerson(personId: number): Promise<void> {
    const admins = [];
    for (let index = 0; index < 2; index += 1) {
      const admin = await givenAdmin(gateway);
      admins.push({ ...admin, passkey: await givenPasskey(gateway, admin) });
    }
    const [first, second] = admins;
    if (first === undefined || second === undefined) throw new Error('There are no administrators.');
    const by = { token: first.token };
    const policy = { enabled: true, of: 'operator' };
    await gateway.api('PUT', '/authed/approval-policy', policy, by);
    const recovery = {
      params: { userId: String(personId) },
      body: { email: 'bia@nova.example', reason: 'Conferi o documento e a selfie por vídeo.' },
    };
    await gateway.api('POST', `/admin/users/${personId}/recover`, recovery.body, by);
    const asked = await gateway.api('GET', '/authed/approvals?of=operator', undefined, {
      token: second.token,
    });
    const [request] = (asked.body as { open: { id: string }[] }).open;
    await approveAs(gateway, second, request?.id ?? '');
    await call('adminRecoverAccount', { by, ...recovery });
  }

  /** Another shop lets support look in, and is handed over to a second owner. */
  async function changeHands(): Promise<void> {
    const operator = stand.admin;
    const other = await givenMerchant(gateway, { admin: operator });
    const by = { token: other.token };
    const userId = { userId: String(other.id) };
    const heir = await givenMember(gateway, other.id, 'owner');
    await call('allowSupport', { by, body: { hours: 24 } });
    await call('adminLookIn', { by: operator, params: userId, body: { reason: 'Chamado 4711' } });
    await gateway.api('POST', '/authed/accounts/enter', { account_id: String(operator.id) }, operator);
    await call('getSupportAccess', { by });
    await call('revokeSupport', { by });
    const offer = { member_id: String(heir.id) };
    await call('offerAccount', { by, body: offer });
    await call('endHandover', { by });
    await call('offerAccount', { by, body: offer });
    await call('getHandover', { by });
    await call('confirmHandover', { by: { token: heir.token } });
    const reason = 'Documentos da nova titular conferidos';
    await call('adminConfirmIdentity', { by: operator, params: userId, body: { reason } });
  }

  async function leave(): Promise<void> {
    const { username, password } = shop;
    const { token } = await call('login', { body: { username, password } });
    const by = { token };
    await call('exportPersonalData', { by });
    await call('requestClosing', { by, body: { password, reason: 'Fechei a loja' } });
    await call('cancelClosingRequest', { by });
    await call('revokeApiKey', { by });
    await call('logout', { by });
    await gateway.startWork();
    while ((await gateway.api('GET', '/health')).status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await call('health');
  }
}

function textOf(type: string, bytes: Buffer): unknown {
  if (type.startsWith('image/')) return undefined;
  const text = bytes.toString('utf8');
  return type.startsWith('application/json') ? JSON.parse(text) : text;
}

function idIn(address: string): string {
  return address.split('/').at(-1) ?? '';
}
