import { randomBytes, randomUUID } from 'node:crypto';
import { type Ability, abilities, type Endpoint, endpoints, logout, type Role } from '@jangada/contract';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertConnection } from '../test/connection-row.ts';
import { type CallOptions, startTestGateway, type TestGateway } from '../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenMerchant,
  givenPin,
  givenWithdrawal,
} from '../test/given.ts';
import { givenDispute, processDisputes } from '../test/given-dispute.ts';
import { givenStatementOf } from '../test/given-fees.ts';
import { givenHeldPix } from '../test/given-held-pix.ts';
import { givenMember } from '../test/given-member.ts';
import { givenPerson, newClientInfo, randomAddress } from '../test/people.ts';
import { watchBalance } from './bank-watch/watch-balance.ts';
import { inTransaction } from './db/transaction.ts';
import { openSession } from './identity/open-session.ts';

/**
 * Who may call what, stated a second time and independently: a changed access, or an endpoint missing here, fails.
 * `public`: everybody. `session`: signed-in users. `merchant`: a session or an API key. `apiKey`: an API key only. Any
 * other word is an ability of the staff.
 */
const expectedCalls: Readonly<Record<Exclude<Endpoint['access'], 'staff'> | Ability, readonly string[]>> = {
  public: [
    'login register secondFactorLogin passkeyLoginOptions passkeyLogin recoverPassword checkResetLink',
    'resetPassword checkEmailLink confirmEmail checkInvitation',
    'sandboxMails avatarPicture logoPicture publicSettings healthLive health',
  ],
  session: [
    'logout confirmPassword profile batch accountTaxes getSecurity listSessions endSession endOtherSessions stepUp',
    'stepUpOptions beginTotp confirmTotp removeTotp renewRecoveryCodes beginPasskey addPasskey removePasskey',
    'changePassword changeEmail resendEmailLink cancelEmailChange changeName exportPersonalData requestClosing cancelClosingRequest',
    'getBrand changeBrand uploadLogo removeLogo getReminders setReminders',
    'listAccounts enterAccount leaveAccount acceptInvitation',
    'listMembers inviteMember withdrawInvitation changeMember removeMember',
    'listApprovals getApproval approvalOptions approve retractApproval rejectApproval cancelApproval',
    'getApprovalPolicy setApprovalPolicy askToApprove exportApprovals',
    'getHandover offerAccount confirmHandover endHandover getSupportAccess allowSupport revokeSupport',
    'uploadAvatar removeAvatar verifyCpf getKyc apiKeyStatus generateApiKey revealApiKey revokeApiKey',
    'listScopedKeys createScopedKey updateScopedKey rotateScopedKey revokeScopedKey',
    'webhookSecret rotateWebhookSecret webhookEndpointSecret transactionFeed listDueCharges getWalletStats getChargeStats getDailyStats',
    'getStatement exportStatement',
    'getReserves checkWithdrawalPin setWithdrawalPin outFees withdrawalSources withdraw listWithdrawals getWithdrawal',
    'getApiWithdrawals setApiWithdrawals saveDestination removeDestination',
    'listDisputes getDispute defendDispute getDisputeFile',
    'ownBank listConnections getConnection createConnection checkConnection activateConnection replaceCredentials',
    'setDebitAccount discardCredentials suspendConnection retireConnection orderConnections',
    'listFeeStatements getFeeStatement exportFeeStatement payFeeStatement',
    'exportChargeBatch',
    'notificationTicket registerPush unregisterPush listNotifications readNotifications',
    'getNotificationPreferences setNotificationPreferences',
  ],
  merchant: [
    'createPayment getPaymentStatus listPayments cancelPayment paymentTimeline refundPayment listRefunds',
    'listEvents getEvent listWebhookEndpoints createWebhookEndpoint getWebhookEndpoint updateWebhookEndpoint',
    'deleteWebhookEndpoint enableWebhookEndpoint disableWebhookEndpoint testWebhookEndpoint',
    'rotateWebhookEndpointSecret listWebhookDeliveries getWebhookDelivery resendWebhookDelivery',
    'resendWebhookDeliveries webhookDoctor apiListWithdrawals apiGetWithdrawal getBalance',
    'listPaymentLinks createPaymentLink getPaymentLink updatePaymentLink',
    'listCounterCodes createCounterCode getCounterCode updateCounterCode',
    'listCustomers createCustomer getCustomer updateCustomer renewCustomerPage',
    'listSubscriptions createSubscription getSubscription cancelSubscription listCycles setCycleAmount cancelCycle',
    'chargeCycle getSubscriptionSummary',
    'createChargeBatch listChargeBatches getChargeBatch listChargeBatchLines cancelChargeBatch',
    'getPayerRules setPayerRules listHeldPix acceptHeldPix giveBackHeldPix',
  ],
  apiKey: ['apiWithdraw'],
  'read-users': ['adminUserBasics adminGetUser'],
  'see-documents': [],
  'change-users': ['adminUpdateUser adminFreezeUser adminUnfreezeUser adminRecoverAccount'],
  'decide-kyc': ['adminPendingKyc adminAcceptKyc adminRejectKyc adminKycPicture adminConfirmIdentity'],
  'read-transactions': ['adminUserTransactions'],
  'read-operations': [
    'adminPayouts adminSuspense adminOpenItems adminBankMovements adminReconciliation adminWithdrawals',
    'adminDisputes adminGetDispute adminDisputeFile adminSystemHealth adminConnections',
    'adminFeeStatements',
  ],
  'run-operations': [
    'adminStopPayouts adminResumePayouts adminResolveWithdrawal adminHoldWithdrawal adminReleaseWithdrawal',
    'adminAssignSuspense adminReturnSuspense adminResolveRefund adminCloseItem adminRecordBankMovement',
    'adminSuspendConnection adminResumeConnection adminSetAddresses',
    'adminMarkFeeStatementPaid',
  ],
  'read-audit-log': ['adminAuditLog'],
  'look-into-accounts': ['adminLookIn'],
};

const rolesWith: Readonly<Record<Ability, readonly Role[]>> = {
  'read-users': ['SUPPORT', 'ADMIN'],
  'see-documents': ['ADMIN'],
  'change-users': ['ADMIN'],
  'decide-kyc': ['ADMIN'],
  'read-transactions': ['SUPPORT', 'ADMIN'],
  'read-operations': ['ADMIN'],
  'run-operations': ['ADMIN'],
  'read-audit-log': ['ADMIN'],
  'look-into-accounts': ['SUPPORT', 'ADMIN'],
};

/** The outcome of an admitted call, by endpoint, if it is neither 200 nor 404 for an unknown object. */
const expectedOutcomes: Readonly<Record<string, string>> = {
  removeTotp: '404 NOT_FOUND',
  renewRecoveryCodes: '409 FACTOR_MISSING',
  stepUpOptions: '409 FACTOR_MISSING',
  cancelClosingRequest: '404 NOT_FOUND',
  resendEmailLink: '404 NOT_FOUND',
  confirmHandover: '404 HANDOVER_NOT_FOUND',
  endHandover: '404 HANDOVER_NOT_FOUND',
  cancelEmailChange: '404 NOT_FOUND',
  // Its path names an object besides the format.
  exportFeeStatement: '404 FEE_STATEMENT_NOT_FOUND',
  // An account that may not receive is refused before its cycle is looked for.
  chargeCycle: '(404 SUBSCRIPTION_NOT_FOUND|403 ACCOUNT_NOT_APPROVED)',
  // The paths are missing.
  batch: '400 INVALID_QUERY',
  // Background work is not started in this test.
  health: '503 UNAVAILABLE',
};

const accessOf = new Map(
  Object.entries(expectedCalls).flatMap(([access, lines]) =>
    lines.flatMap((line) => line.split(' ')).map((name) => [name, access] as const),
  ),
);

let gateway: TestGateway;
let admin: GivenAdmin;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false, env: { TRUST_PROXY: 'loopback' } });
  admin = await givenAdmin(gateway);
});
afterAll(() => gateway.stop());

function signIn(userId: number): Promise<string> {
  return inTransaction(gateway.deps, (tx) => openSession(tx, userId, newClientInfo()));
}

/** Makes a call; returns `status CODE` of its response, and the whole response except the request's own id. */
async function call({ method, path }: CallTarget, { token, apiKey }: CallOptions, body?: unknown) {
  const answer = await request(`${gateway.url}/api${path}`, {
    method,
    headers: {
      // Failed attempts are limited by address.
      'x-forwarded-for': randomAddress(),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.body.text();
  const code = /"code":"([A-Z_]+)"/.exec(text)?.[1];
  const outcome = code === undefined ? `${answer.statusCode}` : `${answer.statusCode} ${code}`;
  return { outcome, text: text.replace(/"requestId":"[^"]*"/, '') };
}
type CallTarget = { readonly method: string; readonly path: string };

const allEndpoints: readonly Endpoint[] = endpoints;
const unknownIds: Readonly<Record<string, string>> = { format: 'csv', side: 'front', userId: '999999999' };
const pathTo = ({ path }: Endpoint, ids: Readonly<Record<string, string>>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? (name === 'number' ? '1' : randomUUID()));

describe('who may call', () => {
  type Credential = 'nothing' | 'a session' | 'an ended session' | 'a key' | 'an ended key' | 'a frozen key';
  type Caller = { holds: Credential; role?: Role; credentials: CallOptions };

  const sessionOf = async (userId: number) => ({ token: await signIn(userId) });
  const setUser = (id: number, columns: { role?: Role; frozen_at?: Date }) =>
    gateway.deps.db.updateTable('users').set(columns).where('id', '=', id).execute();

  async function createPerson(role: Role): Promise<number> {
    const { id } = await givenPerson(gateway.deps);
    await setUser(id, { role });
    return id;
  }

  async function generateKey(id: number): Promise<string> {
    await gateway.deps.db.updateTable('users').set({ approved: true }).where('id', '=', id).execute();
    const { token } = await sessionOf(id);
    const created = await gateway.api('POST', '/authed/apikey', {}, { token });
    return (created.body as { apiKey: string }).apiKey;
  }

  async function makeCallers(): Promise<Record<string, Caller>> {
    const [user, unapproved, support, other, former, frozen] = await Promise.all(
      (['USER', 'USER', 'SUPPORT', 'USER', 'USER', 'ADMIN'] as const).map(createPerson),
    );
    if (!user || !unapproved || !support || !other || !former || !frozen)
      throw new Error('An account was not created');
    const signedOut = await sessionOf(user);
    await gateway.api('POST', '/logout', undefined, signedOut);
    await generateKey(user);
    const adminsKey = await generateKey(await createPerson('ADMIN'));
    const [key, endedKey, frozenKey] = [
      await generateKey(other),
      await generateKey(former),
      await generateKey(frozen),
    ];
    await generateKey(former);
    const frozenSession = await sessionOf(frozen);
    // Frozen directly in the database, so that the session still exists and the freeze itself is tested.
    await setUser(frozen, { frozen_at: new Date() });
    return {
      nobody: { holds: 'nothing', credentials: {} },
      'a stranger with made-up secrets': {
        holds: 'an ended key',
        credentials: { apiKey: `jg_${randomBytes(24).toString('base64url')}` },
      },
      'a user': { holds: 'a session', role: 'USER', credentials: await sessionOf(user) },
      'an unapproved user': { holds: 'a session', role: 'USER', credentials: await sessionOf(unapproved) },
      support: { holds: 'a session', role: 'SUPPORT', credentials: await sessionOf(support) },
      'an administrator': {
        holds: 'a session',
        role: 'ADMIN',
        credentials: await sessionOf(await createPerson('ADMIN')),
      },
      'somebody who signed out': { holds: 'an ended session', credentials: signedOut },
      'a frozen administrator': { holds: 'an ended session', credentials: frozenSession },
      'an API key': { holds: 'a key', credentials: { apiKey: key } },
      'the API key of an administrator': { holds: 'a key', credentials: { apiKey: adminsKey } },
      'a revoked API key': { holds: 'an ended key', credentials: { apiKey: endedKey } },
      'the API key of a frozen account': { holds: 'a frozen key', credentials: { apiKey: frozenKey } },
    };
  }

  const refusedKeys: Partial<Record<Credential, string>> = {
    'an ended key': '401 INVALID_API_KEY',
    'a frozen key': '403 ACCOUNT_FROZEN',
  };

  /** The refusal of a caller according to the table; undefined if the caller is admitted. */
  function refusal({ holds, role }: Caller, access: string): string | undefined {
    if (access === 'public') return undefined;
    if (access === 'apiKey')
      return holds === 'a key' ? undefined : (refusedKeys[holds] ?? '401 UNAUTHENTICATED');
    if (access === 'merchant' && holds === 'a key') return undefined;
    if (access === 'merchant' && refusedKeys[holds] !== undefined) return refusedKeys[holds];
    if (holds !== 'a session' || role === undefined) return '401 UNAUTHENTICATED';
    const ability = abilities.find((name) => name === access);
    return ability === undefined || rolesWith[ability].includes(role) ? undefined : '403 FORBIDDEN';
  }

  /** The outcome of a call for an admitted caller. Its body does not parse, so that it changes nothing. */
  function expectedOutcome({ name, body, upload, params, path, status, refusals }: Endpoint): RegExp {
    if (upload !== undefined) return /^415 UNSUPPORTED_MEDIA_TYPE$/;
    if (body !== undefined) return /^400 INVALID_BODY$/;
    const special = expectedOutcomes[name];
    if (special !== undefined) return new RegExp(`^${special}$`);
    const namesObject = params !== undefined && !path.includes('{format}');
    const missing = refusals.filter((code) => code.endsWith('NOT_FOUND') || code === 'KYC_NOT_PENDING');
    return namesObject ? new RegExp(`^404 (${missing.join('|')})$`) : new RegExp(`^${status ?? 200}$`);
  }

  test('is stated for every endpoint', () => {
    expect(allEndpoints.map(({ name }) => name).toSorted()).toEqual([...accessOf.keys()].toSorted());
  });

  test('every endpoint answers every caller as stated', async () => {
    const callers = Object.entries(await makeCallers());
    const wrongOutcomes: string[] = [];
    // Signing out invalidates the sessions.
    const logoutLast = allEndpoints.toSorted(
      (left, right) => Number(left === logout) - Number(right === logout),
    );
    for (const endpoint of logoutLast) {
      const target = { method: endpoint.method, path: pathTo(endpoint, unknownIds) };
      const body = endpoint.body === undefined && endpoint.upload === undefined ? undefined : 'x';
      const checkCaller = async ([callerName, caller]: (typeof callers)[number]) => {
        const refused = refusal(caller, accessOf.get(endpoint.name) ?? '');
        const expected = refused === undefined ? expectedOutcome(endpoint) : new RegExp(`^${refused}$`);
        const { outcome } = await call(target, caller.credentials, body);
        if (!expected.test(outcome))
          wrongOutcomes.push(`${endpoint.name}: ${callerName} → ${outcome}, not ${expected.source}`);
      };
      // Exports of personal data are expensive, so they run one at a time.
      if (endpoint.name === 'exportPersonalData') for (const caller of callers) await checkCaller(caller);
      else await Promise.all(callers.map(checkCaller));
    }
    expect(wrongOutcomes).toEqual([]);
  });

  test('an account that is not approved can neither receive nor send money', async () => {
    const { id } = await givenPerson(gateway.deps);
    const credentials = await sessionOf(id);
    const pin = { current_password: 'uma senha boa', new_pin: '2580', confirm_pin: '2580' };
    const destination = { pixKey: 'maria@example.com', pix_key_type: 'email', withdrawal_pin: '2580' };
    const proof = { password: 'uma senha boa', withdrawal_pin: '2580' };
    const bodies: Readonly<Record<string, unknown>> = {
      generateApiKey: {},
      createScopedKey: { name: 'Loja', scopes: ['read'] },
      rotateScopedKey: {},
      createPayment: { amount: 10 },
      createChargeBatch: { items: [{ external_id: 'a', amount: 10 }] },
      createPaymentLink: { title: 'Camiseta' },
      createCounterCode: { name: 'Caixa 1' },
      createSubscription: subscriptionBody,
      chargeCycle: {},
      setWithdrawalPin: pin,
      withdraw: { amount: 10, ...destination },
      setApiWithdrawals: { enabled: true, ...proof },
      saveDestination: { ...destination, ...proof },
      refundPayment: {},
      createConnection: {
        bank: 'sandbox',
        pix_key: 'loja@example.com',
        client_id: 'conta-2',
        client_secret: 'segredo',
      },
      activateConnection: { password: 'uma senha boa' },
      inviteMember: { email: 'caixa@example.com', role: 'cashier' },
    };
    const refused = allEndpoints.filter(({ refusals }) => refusals.includes('ACCOUNT_NOT_APPROVED'));
    // The account cannot get an API key, so the withdrawal by API key cannot be called.
    expect(refused.map(({ name }) => name).toSorted()).toEqual(
      [...Object.keys(bodies), 'apiWithdraw'].toSorted(),
    );
    for (const endpoint of refused.filter(({ name }) => name in bodies)) {
      const target = { method: endpoint.method, path: pathTo(endpoint, {}) };
      const { outcome } = await call(target, credentials, bodies[endpoint.name]);
      expect([endpoint.name, outcome]).toEqual([endpoint.name, '403 ACCOUNT_NOT_APPROVED']);
    }
  });
});

const subscriptionBody = {
  payer: { name: 'Ana Souza', document: '529.982.247-25' },
  description: 'Mensalidade',
  amount: 99.9,
  period: 'monthly',
  first_day: '2030-01-10',
  authorization: 'code',
};

describe('an object of another account', () => {
  let owner: GivenMerchant;
  let other: GivenMerchant;
  let ids: Readonly<Record<string, Readonly<Record<string, string>>>>;

  /** Creates one object for every path with an id. */
  beforeAll(async () => {
    [owner, other] = await Promise.all([
      givenMerchant(gateway, { admin }),
      givenMerchant(gateway, { admin }),
    ]);
    const { token } = owner;
    await givenPin(gateway, owner);
    const endpointFields = { url: 'http://localhost:1/webhooks' };
    const receiver = await gateway.api('POST', '/webhooks/endpoints', endpointFields, { token });
    const endpoint = { id: (receiver.body as { id: string }).id };
    const { chargeId, endToEndId } = await givenBalance(gateway, owner, 300);
    await watchBalance(gateway.deps);
    const withdrawal = await givenWithdrawal(gateway, owner);
    const held = await givenHeldPix(gateway, owner);
    const items = [{ external_id: 'a', amount: 10 }];
    const batchAnswer = await gateway.api('POST', '/pix/batches', { items }, { token });
    const batch = { id: (batchAnswer.body as { id: string }).id };
    const dispute = await givenDispute(gateway, owner, { endToEndId, amountCents: 1000 });
    const file = { name: 'prova.png', type: 'image/png', content: onePixel };
    const defence = { text: 'Entregue em mãos, com assinatura do recebedor.', files: [file] };
    const defenceAnswer = await gateway.api('POST', `/authed/disputes/${dispute.id}/defence`, defence, {
      token,
    });
    const [defenceFile] = (defenceAnswer.body as { files: { id: string }[] }).files;
    await signIn(owner.id);
    const sessions = await gateway.api('GET', '/authed/sessions', undefined, { token });
    const sessionList = (sessions.body as { sessions: { id: string; current: boolean }[] }).sessions;
    const linkAnswer = await gateway.api('POST', '/payment-links', { title: 'Camiseta' }, { token });
    const link = { id: (linkAnswer.body as { id: string }).id };
    const counterAnswer = await gateway.api('POST', '/counter-codes', { name: 'Caixa 1' }, { token });
    const counter = { id: (counterAnswer.body as { id: string }).id };
    const customerFields = { name: 'Ana Lima', document: '390.533.447-05' };
    const customerAnswer = await gateway.api('POST', '/customers', customerFields, { token });
    const customer = { id: (customerAnswer.body as { id: string }).id };
    const subscriptionAnswer = await gateway.api('POST', '/subscriptions', subscriptionBody, { token });
    const subscription = { id: (subscriptionAnswer.body as { id: string }).id };
    const keyFields = { name: 'Loja', scopes: ['read'] };
    const created = await gateway.api('POST', '/authed/keys', keyFields, { token });
    const { id: scopedKey } = (created.body as { key: { id: string } }).key;
    const member = await givenMember(gateway, owner.id, 'cashier');
    const invited = { email: 'caixa@example.com', role: 'cashier' };
    const inviting = await gateway.api('POST', '/authed/member-invitations', invited, { token });
    const { id: invitation } = (inviting.body as { invitation: { id: string } }).invitation;
    const approval = { id: await givenRequestRow(owner.id) };
    const connection = { id: String(await insertConnection(gateway.deps.db, owner.id, 'loja@example.com')) };
    const statement = { id: await givenStatementOf(gateway, owner.id) };
    // From now on the owner has a second factor.
    const passkey = await givenPasskeyRow(owner.id);
    const event = { id: `evt_${chargeId.replaceAll('-', '')}_paid` };
    const delivery = { id: `${event.id}.${endpoint.id.slice(0, 8)}` };
    ids = {
      getEvent: event,
      getWebhookEndpoint: endpoint,
      updateWebhookEndpoint: endpoint,
      deleteWebhookEndpoint: endpoint,
      enableWebhookEndpoint: endpoint,
      disableWebhookEndpoint: endpoint,
      testWebhookEndpoint: endpoint,
      webhookEndpointSecret: endpoint,
      rotateWebhookEndpointSecret: endpoint,
      getWebhookDelivery: delivery,
      resendWebhookDelivery: delivery,
      getPaymentStatus: { id: chargeId },
      cancelPayment: { id: chargeId },
      paymentTimeline: { id: chargeId },
      refundPayment: { id: chargeId },
      getChargeBatch: batch,
      listChargeBatchLines: batch,
      cancelChargeBatch: batch,
      exportChargeBatch: batch,
      acceptHeldPix: { id: held.id },
      giveBackHeldPix: { id: held.id },
      listRefunds: { id: chargeId },
      getPaymentLink: link,
      updatePaymentLink: link,
      getCounterCode: counter,
      updateCounterCode: counter,
      getCustomer: customer,
      updateCustomer: customer,
      renewCustomerPage: customer,
      getSubscription: subscription,
      cancelSubscription: subscription,
      listCycles: subscription,
      setCycleAmount: { ...subscription, number: '1' },
      cancelCycle: { ...subscription, number: '1' },
      chargeCycle: { ...subscription, number: '1' },
      getWithdrawal: { id: withdrawal.id },
      apiGetWithdrawal: { id: withdrawal.id },
      getDispute: { id: dispute.id },
      getFeeStatement: statement,
      payFeeStatement: statement,
      getDisputeFile: { id: dispute.id, fileId: defenceFile?.id ?? '' },
      defendDispute: { id: dispute.id },
      endSession: { id: sessionList.find(({ current }) => !current)?.id ?? '' },
      removePasskey: { id: passkey },
      updateScopedKey: { id: scopedKey },
      rotateScopedKey: { id: scopedKey },
      revokeScopedKey: { id: scopedKey },
      withdrawInvitation: { id: invitation },
      changeMember: { id: String(member.id) },
      removeMember: { id: String(member.id) },
      getApproval: approval,
      approvalOptions: approval,
      approve: approval,
      retractApproval: approval,
      rejectApproval: approval,
      cancelApproval: approval,
      getConnection: connection,
      checkConnection: connection,
      activateConnection: connection,
      replaceCredentials: connection,
      setDebitAccount: connection,
      discardCredentials: connection,
      suspendConnection: connection,
      retireConnection: connection,
    };
    await processDisputes(gateway);
  });

  const onePixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  /** A passkey that only has to exist. */
  async function givenPasskeyRow(userId: number): Promise<string> {
    const id = randomUUID();
    await gateway.deps.db
      .insertInto('passkeys')
      .values({
        id,
        user_id: userId,
        credential_id: randomBytes(16),
        public_key: randomBytes(77),
        sign_count: 0,
        name: 'notebook',
        created_at: gateway.deps.clock.now(),
      })
      .execute();
    return id;
  }

  /** A request for approval that only has to exist. */
  async function givenRequestRow(userId: number): Promise<string> {
    const id = randomUUID();
    const now = gateway.deps.clock.now();
    await gateway.deps.db
      .insertInto('approval_requests')
      .values({
        merchant_id: userId,
        id,
        kind: 'key',
        subject: id,
        document: '{}',
        made_by: userId,
        created_at: now,
        expires_at: new Date(now.getTime() + 3_600_000),
      })
      .execute();
    return id;
  }

  /** The password of every account that tests are given. */
  const ownPassword = 'uma senha de teste';
  const bodies: Readonly<Record<string, unknown>> = {
    refundPayment: { amount: 1 },
    defendDispute: { text: 'Não é meu, mas eu respondo.' },
    updateWebhookEndpoint: { url: 'http://localhost:1/webhooks' },
    updatePaymentLink: { title: 'Minha', active: false, version: 1 },
    updateCounterCode: { name: 'Minha', active: false, version: 1 },
    updateCustomer: { name: 'Minha', document: '390.533.447-05', version: 1 },
    setCycleAmount: { amount: 10 },
    updateScopedKey: { name: 'Minha', scopes: ['read'], allowed_addresses: [], expires_at: null },
    activateConnection: { password: ownPassword },
    replaceCredentials: { password: ownPassword, client_id: 'conta-2', client_secret: 'segredo' },
    setDebitAccount: { password: ownPassword, type: 'checking', number: '12345' },
    retireConnection: { password: ownPassword },
    changeMember: { role: 'operator' },
    approve: { code: '123456' },
    rejectApproval: {},
    removeMember: { keys: 'keep' },
  };
  const endpointsWithId = allEndpoints.filter(
    ({ access, path }) =>
      ['session', 'merchant', 'apiKey'].includes(access) && path.includes('{') && !path.includes('{format}'),
  );

  test('is tested here for every path with an id', () => {
    expect(endpointsWithId.map(({ name }) => name).toSorted()).toEqual(Object.keys(ids).toSorted());
  });

  test('gets the response of an unknown object, for all callers and methods', async () => {
    for (const endpoint of endpointsWithId) {
      const { name, method, access } = endpoint;
      const foreign = { method, path: pathTo(endpoint, ids[name] ?? {}) };
      const missing = { method, path: pathTo(endpoint, {}) };
      const keys = access === 'session' ? [] : [{ apiKey: other.apiKey }];
      for (const credentials of [{ token: other.token }, { token: admin.token }, ...keys]) {
        const answer = await call(foreign, credentials, bodies[name]);
        expect([name, answer]).toEqual([name, await call(missing, credentials, bodies[name])]);
        expect(answer.outcome).toMatch(/^404 /);
      }
    }
  });

  test('is available to its owner', async () => {
    const keyChanges = ['updateScopedKey', 'rotateScopedKey', 'revokeScopedKey'];
    const endpointChanges = [
      'updateWebhookEndpoint',
      'deleteWebhookEndpoint',
      'testWebhookEndpoint',
      'rotateWebhookEndpointSecret',
      'resendWebhookDelivery',
    ];
    const changingEndpoints = [
      'cancelPayment',
      'defendDispute',
      'refundPayment',
      'acceptHeldPix',
      'giveBackHeldPix',
      'removePasskey',
      'updatePaymentLink',
      'updateCounterCode',
      'updateCustomer',
      'cancelSubscription',
      'setCycleAmount',
      'cancelCycle',
      'chargeCycle',
      'activateConnection',
      'replaceCredentials',
      'setDebitAccount',
      'discardCredentials',
      'retireConnection',
      'withdrawInvitation',
      'changeMember',
      'removeMember',
      'approvalOptions',
      'approve',
      'retractApproval',
      'rejectApproval',
      'cancelApproval',
      ...keyChanges,
      ...endpointChanges,
    ];
    for (const endpoint of endpointsWithId.filter(({ name }) => !changingEndpoints.includes(name))) {
      const target = { method: endpoint.method, path: pathTo(endpoint, ids[endpoint.name] ?? {}) };
      expect([endpoint.name, (await call(target, { token: owner.token })).outcome]).toEqual([
        endpoint.name,
        '200',
      ]);
    }
    const { db } = gateway.deps;
    const left = await db.selectFrom('passkeys').select('id').where('user_id', '=', owner.id).execute();
    expect(left).toHaveLength(1);
    const keys = await gateway.api('GET', '/authed/keys', undefined, { token: owner.token });
    expect(keys.body).toMatchObject({ keys: [{ name: 'Loja', status: 'active' }] });
  });
});
