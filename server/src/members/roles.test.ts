import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  type Endpoint,
  endpoints,
  type MemberRole,
  mayDo,
  memberRoles,
  memberRoleTexts,
  type Permission,
  permissions,
  permissionTexts,
  rolesWith,
} from '@jangada/contract';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenBalance, givenMerchant } from '../../test/given.ts';
import { addMember, enter, type GivenMember, givenMember, givenNewcomer } from '../../test/given-member.ts';
import { randomAddress } from '../../test/people.ts';

/**
 * Which roles may make which calls, stated a second time and independently of the contract: a changed permission, or an
 * endpoint missing here, fails.
 */
const expectedRoles: readonly (readonly [roles: string, calls: string])[] = [
  [
    'owner finance operator cashier accountant developer',
    `logout confirmPassword profile batch getSecurity listSessions endSession endOtherSessions stepUp stepUpOptions
     beginTotp confirmTotp removeTotp renewRecoveryCodes beginPasskey addPasskey removePasskey changePassword changeEmail
     resendEmailLink cancelEmailChange changeName exportPersonalData requestClosing cancelClosingRequest uploadAvatar
     removeAvatar verifyCpf getKyc notificationTicket registerPush unregisterPush listNotifications readNotifications
     getNotificationPreferences setNotificationPreferences listAccounts enterAccount leaveAccount
     acceptInvitation accountTaxes getBrand listApprovals getApproval cancelApproval getApprovalPolicy`,
  ],
  [
    'owner',
    `changeBrand uploadLogo removeLogo setWithdrawalPin createConnection checkConnection activateConnection
     replaceCredentials setDebitAccount discardCredentials suspendConnection retireConnection orderConnections
     apiKeyStatus generateApiKey revealApiKey revokeApiKey
     setPayerRules listMembers inviteMember withdrawInvitation changeMember removeMember setApprovalPolicy
     getHandover offerAccount confirmHandover endHandover getSupportAccess allowSupport revokeSupport`,
  ],
  [
    'owner developer',
    `listScopedKeys createScopedKey updateScopedKey rotateScopedKey revokeScopedKey
     webhookSecret rotateWebhookSecret webhookEndpointSecret listEvents getEvent listWebhookEndpoints
     createWebhookEndpoint getWebhookEndpoint updateWebhookEndpoint deleteWebhookEndpoint enableWebhookEndpoint
     disableWebhookEndpoint testWebhookEndpoint rotateWebhookEndpointSecret listWebhookDeliveries getWebhookDelivery
     resendWebhookDelivery resendWebhookDeliveries webhookDoctor`,
  ],
  [
    'owner finance',
    `withdraw setApiWithdrawals saveDestination removeDestination defendDispute payFeeStatement
     approvalOptions approve retractApproval rejectApproval askToApprove`,
  ],
  [
    'owner finance accountant',
    `getWalletStats getDailyStats getBalance getStatement exportStatement getReserves checkWithdrawalPin outFees
     withdrawalSources listWithdrawals getWithdrawal apiListWithdrawals apiGetWithdrawal getApiWithdrawals listDisputes
     getDispute getDisputeFile ownBank listConnections getConnection listFeeStatements getFeeStatement
     exportFeeStatement exportApprovals`,
  ],
  ['owner finance operator', 'refundPayment giveBackHeldPix'],
  [
    'owner operator',
    `cancelPayment createPaymentLink updatePaymentLink createCounterCode updateCounterCode
     createCustomer updateCustomer renewCustomerPage getReminders setReminders
     createSubscription cancelSubscription setCycleAmount cancelCycle chargeCycle
     acceptHeldPix createChargeBatch cancelChargeBatch`,
  ],
  ['owner operator cashier', 'createPayment'],
  ['owner finance operator cashier accountant', 'getPaymentStatus listPayments listCustomers getCustomer'],
  [
    'owner finance operator accountant',
    `transactionFeed listDueCharges getChargeStats paymentTimeline listRefunds listPaymentLinks getPaymentLink
     listCounterCodes getCounterCode listSubscriptions getSubscription listCycles getSubscriptionSummary
     getPayerRules listHeldPix listChargeBatches getChargeBatch listChargeBatchLines exportChargeBatch`,
  ],
];
const rolesByCall = new Map(
  expectedRoles.flatMap(([roles, calls]) =>
    calls.split(/\s+/).map((name) => [name, roles.split(' ')] as const),
  ),
);

const allEndpoints: readonly Endpoint[] = endpoints;
const merchantEndpoints = allEndpoints
  .filter(({ access }) => access === 'session' || access === 'merchant')
  // Signing out, which ends the session, comes last.
  .toSorted((left, right) => Number(left.name === 'logout') - Number(right.name === 'logout'));
const staffEndpoints = allEndpoints.filter(({ access }) => access === 'staff');

/** Stands in the account's data, and nowhere else. */
const mark = 'Quitanda Vermelha';

let gateway: TestGateway;
let account: GivenMerchant;
let otherAccount: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false, env: { TRUST_PROXY: 'loopback' } });
  const admin = await givenAdmin(gateway);
  [account, otherAccount] = [
    await givenMerchant(gateway, { admin, account: { name: mark } }),
    await givenMerchant(gateway, { admin }),
  ];
  await givenBalance(gateway, account, 80);
  await gateway.api('POST', '/payment-links', { title: mark }, { token: account.token });
  await gateway.api('POST', '/pix/new', { amount: 10, description: mark }, { token: account.token });
  await gateway.api('POST', '/counter-codes', { name: mark }, { token: account.token });
});
afterAll(() => gateway.stop());

const ids: Readonly<Record<string, string>> = { format: 'csv', side: 'front' };

/** Makes a call that changes nothing, because its body does not parse. */
async function call({ method, path, body, upload }: Endpoint, token: string) {
  const answer = await request(
    `${gateway.url}/api${path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? randomUUID())}`,
    {
      method,
      headers: {
        'x-forwarded-for': randomAddress(),
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined || upload !== undefined ? null : '"x"',
    },
  );
  const text = await answer.body.text();
  return { text, outcome: `${answer.statusCode} ${/"code":"([A-Z_]+)"/.exec(text)?.[1] ?? ''}`.trim() };
}

/** Somebody who has, or had, a role in an account; and what becomes of each call. */
type Person = {
  readonly description: string;
  readonly member: GivenMember;
  readonly expected: (name: string) => 'admitted' | '403 MEMBER_ROLE_MISSING' | '401 UNAUTHENTICATED';
  readonly maySeeAccount: boolean;
};

async function peopleOf(role: MemberRole): Promise<Person[]> {
  const byRole = (name: string) => {
    const roles = rolesByCall.get(name);
    if (roles === undefined) throw new Error(`The table does not name ${name}.`);
    return roles.includes(role) ? 'admitted' : '403 MEMBER_ROLE_MISSING';
  };
  const [member, former, ofOther, nobody] = [
    await givenMember(gateway, account.id, role),
    await givenMember(gateway, account.id, role),
    await givenMember(gateway, otherAccount.id, role),
    await givenNewcomer(gateway),
  ];
  // Without the ordinary removal, which also ends the session: the membership itself is asked for at each call.
  await gateway.deps.db
    .deleteFrom('members')
    .where('user_id', '=', former.id)
    .where('merchant_id', '=', account.id)
    .execute();
  return [
    { description: `a member: ${role}`, member, expected: byRole, maySeeAccount: true },
    {
      description: `a former member: ${role}`,
      member: former,
      expected: () => '401 UNAUTHENTICATED',
      maySeeAccount: false,
    },
    {
      description: `a member of another account: ${role}`,
      member: ofOther,
      expected: byRole,
      maySeeAccount: false,
    },
    { description: 'no member', member: nobody, expected: () => 'admitted', maySeeAccount: false },
  ];
}

test('the table names every endpoint for merchants, with the roles that the contract gives it', () => {
  expect([...rolesByCall.keys()].toSorted()).toEqual(merchantEndpoints.map(({ name }) => name).toSorted());
  for (const { name, permission } of merchantEndpoints)
    expect([name, memberRoles.filter((role) => mayDo(role, permission ?? 'own'))]).toEqual([
      name,
      rolesByCall.get(name),
    ]);
});

test.each(memberRoles)(
  'as %s, each call is admitted or refused as the table says, whoever asks',
  async (role) => {
    const people = await peopleOf(role);
    const wrong: string[] = [];
    for (const endpoint of merchantEndpoints)
      for (const { description, member, expected, maySeeAccount } of people) {
        const { outcome, text } = await call(endpoint, member.token);
        const wanted = expected(endpoint.name);
        const isRefused = /^401|MEMBER_ROLE_MISSING$/.test(outcome);
        if (wanted === 'admitted' ? isRefused : outcome !== wanted)
          wrong.push(`${endpoint.name}, ${description}: ${outcome}, not ${wanted}`);
        if (!maySeeAccount && text.includes(mark))
          wrong.push(`${endpoint.name}, ${description}: sees the account`);
      }
    expect(wrong).toEqual([]);
  },
);

/** Support that looks in reads like an accountant, and does nothing else. */
test.each([
  ['while an owner allows it', true],
  ['once the time is over', false],
])('as support, %s, each call is admitted or refused as the table says', async (_, isAllowed) => {
  const staff = await givenAdmin(gateway);
  const by = { token: account.token };
  await gateway.api('POST', '/authed/support-access', { hours: 1 }, by);
  const reason = { reason: 'Chamado 4711' };
  const entered = await gateway.api('POST', `/admin/users/${account.id}/look-in`, reason, staff);
  expect(entered.status).toBe(200);
  if (!isAllowed)
    await gateway.deps.db
      .updateTable('support_access')
      .set({ expires_at: gateway.deps.clock.now() })
      .where('merchant_id', '=', account.id)
      .execute();
  const wrong: string[] = [];
  for (const endpoint of merchantEndpoints) {
    const { outcome, text } = await call(endpoint, staff.token);
    const admitted = rolesByCall.get(endpoint.name)?.includes('accountant') ?? false;
    const refusal = isAllowed ? '403 MEMBER_ROLE_MISSING' : '403 MEMBERSHIP_ENDED';
    const isAdmitted = endpoint.permission === 'own' || (isAllowed && admitted);
    if (isAdmitted ? /^401|MEMBER/.test(outcome) : outcome !== refusal)
      wrong.push(`${endpoint.name}: ${outcome}`);
    if (!isAllowed && text.includes(mark)) wrong.push(`${endpoint.name}: sees the account`);
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['docs/members.md', printRoles],
  ['docs/quem-pode-o-que.md', printRolesForMerchants],
])('%s shows what each role may do (vitest -u prints it)', async (path, print) => {
  const page = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const section = /(<!-- roles[^>]*-->\n)[\s\S]*?(<!-- end of roles -->)/;
  expect(page).toMatch(section);
  const printed = page.replace(section, (_, begin: string, end: string) => `${begin}\n${print()}\n\n${end}`);
  await expect(printed).toMatchFileSnapshot(`../../../${path}`);
});

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const marksOf = (permission: Permission) =>
  memberRoles.map((role) => (rolesWith(permission).includes(role) ? '✓' : ''));

function printRolesForMerchants(): string {
  const labels = memberRoles.map((role) => memberRoleTexts[role].label);
  const roles = memberRoles.map((role) => {
    const { label, sentence } = memberRoleTexts[role];
    return `- **${label}**: ${sentence}`;
  });
  const rows = (Object.keys(permissions) as Permission[]).map((permission) =>
    line([permissionTexts[permission], ...marksOf(permission)]),
  );
  const head = [line(['', ...labels]), line(Array.from({ length: labels.length + 1 }, () => '---'))];
  return [...roles, '', ...head, ...rows].join('\n');
}

function printRoles(): string {
  const rows = (Object.keys(permissions) as Permission[]).map((permission) =>
    line([
      `\`${permission}\``,
      ...marksOf(permission),
      merchantEndpoints
        .filter((endpoint) => endpoint.permission === permission)
        .map(({ name }) => `\`${name}\``)
        .join(', '),
    ]),
  );
  const labels = memberRoles.map((role) => memberRoleTexts[role].label);
  return [
    line(['permission', ...labels, 'calls']),
    line(Array.from({ length: 8 }, () => '---')),
    ...rows,
  ].join('\n');
}

test('a refusal names the roles that may', async () => {
  const { token } = await givenMember(gateway, account.id, 'cashier');
  const answer = await gateway.api('GET', '/authed/wallet/stats', undefined, { token });
  expect([answer.status, answer.body]).toMatchObject([
    403,
    {
      message: 'O seu papel nesta conta é Caixa. Isto pede o papel Dono, Financeiro ou Contador.',
      error: {
        code: 'MEMBER_ROLE_MISSING',
        details: { role: 'cashier', roles: ['owner', 'finance', 'accountant'] },
      },
    },
  ]);
});

test('staff act only in a session for their own account', async () => {
  const admin = await givenAdmin(gateway);
  await addMember(gateway, account.id, { id: admin.id, role: 'owner' });
  await enter(gateway, admin.token, account.id);
  for (const endpoint of staffEndpoints)
    expect([endpoint.name, (await call(endpoint, admin.token)).outcome]).toEqual([
      endpoint.name,
      '403 FORBIDDEN',
    ]);
  await enter(gateway, admin.token, admin.id);
  expect((await gateway.api('GET', '/admin/payouts', undefined, admin)).status).toBe(200);
});
