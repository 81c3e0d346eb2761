import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { adminGetUser, type LiveMessage } from '@jangada/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  type GivenMerchant,
  givenAdmin,
  givenCharge,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { generateApiKey } from '../api-keys/index.ts';
import { checkpointAuditHead, readAuditCheckpoint, verifyChain } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import { decideKyc } from '../kyc/decide-submission.ts';
import { createPayment } from '../payments/index.ts';
import { requestRefund } from '../refunds/request-refund.ts';
import { holdWithdrawal, releaseWithdrawal } from '../withdrawals/administer-withdrawals.ts';
import { withdrawByApi } from '../withdrawals/request-withdrawal.ts';

let stand: WithdrawalStand;
beforeAll(async () => {
  stand = await WithdrawalStand.start();
  await stand.gateway.startWork();
});
afterAll(() => stand.gateway.stop());

const api = (...call: Parameters<typeof stand.gateway.api>) => stand.gateway.api(...call);
const callAsAdmin = (method: string, path: string, body?: unknown) =>
  api(method, path, body, { token: stand.admin.token });
const freeze = (id: number, reason = 'suspeita de golpe') =>
  callAsAdmin('POST', `/admin/users/${id}/freeze`, { reason });
const unfreeze = (id: number, reason = 'esclarecido') =>
  callAsAdmin('POST', `/admin/users/${id}/unfreeze`, { reason });
const codeOf = ({ status, body }: Awaited<ReturnType<typeof api>>) =>
  `${status} ${(body as { error?: { code: string } }).error?.code}`;

async function openScreen({ token }: GivenMerchant) {
  const messages: LiveMessage[] = [];
  const socket = new WebSocket(
    `${stand.gateway.url.replace('http', 'ws')}/api/notifications/ws?token=${token}`,
  );
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  const closed = once(socket, 'close');
  await once(socket, 'open');
  return { messages, closed };
}

/**
 * Blocks the sending of orders to the bank by locking the gateway's row, which is read before each order is sent.
 * Returns the function that allows sending again.
 */
async function blockSending(): Promise<() => Promise<void>> {
  const { promise: released, resolve: releaseLock } = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const transaction = stand.deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom('gateway').select('mode').forUpdate().execute();
    locked.resolve();
    await released;
  });
  await locked.promise;
  const release = () => {
    releaseLock();
    return transaction;
  };
  releases.push(release);
  return release;
}
const releases: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0)) await release();
});

test('freezing an account immediately stops its screens, sessions, key and unsent payouts, until it is unfrozen', async () => {
  const merchant = await stand.createFundedMerchant(200);
  const { token, apiKey } = merchant;
  const screen = await openScreen(merchant);
  const release = await blockSending();
  const { id } = await stand.ask(merchant, { amount: 50 });

  const { status, body } = await freeze(merchant.id);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    user: { frozen_because: 'suspeita de golpe', frozen_at: expect.any(String) },
  });
  expect(await api('GET', '/authed/profile', undefined, { token })).toMatchObject({
    status: 401,
    body: {
      message: 'Esta conta está bloqueada. Fale com o suporte.',
      error: { code: 'UNAUTHENTICATED', details: { reason: 'ACCOUNT_FROZEN' } },
    },
  });
  for (const call of [
    api('POST', '/pix/new', { amount: 10 }, { apiKey }),
    api('POST', '/withdraw', { amount: 1000, pixKey: 'maria@example.com', keyType: 'email' }, { apiKey }),
  ])
    expect(codeOf(await call)).toBe('403 ACCOUNT_FROZEN');
  const { username, password } = merchant;
  expect(codeOf(await api('POST', '/login', { username, password }))).toBe('403 ACCOUNT_FROZEN');
  expect(codeOf(await api('POST', '/login', { username, password: 'outra senha' }))).toBe(
    '401 INVALID_CREDENTIALS',
  );
  const [closeCode] = await screen.closed;
  expect(closeCode).toBe(4403);

  await release();
  await expect
    .poll(() => stand.rowOf(id))
    .toMatchObject({ status: 'pending', error_code: 'ACCOUNT_FROZEN', send_count: 0 });
  expect(await stand.payoutsOf(id)).toEqual([]);

  expect((await unfreeze(merchant.id)).body).toMatchObject({
    user: { frozen_at: null, frozen_because: null },
  });
  await expect.poll(() => stand.rowOf(id)).toMatchObject({ status: 'completed' });
  expect(await stand.payoutsOf(id)).toHaveLength(1);
  expect((await api('POST', '/pix/new', { amount: 10 }, { apiKey })).status).toBe(201);
  // A session from before the freeze stays ended, and no longer states the reason.
  const { status: oldStatus, body: oldBody } = await api('GET', '/authed/profile', undefined, { token });
  expect([oldStatus, oldBody]).toMatchObject([401, { message: 'Sua sessão terminou. Entre novamente.' }]);
  expect((await stand.signIn(merchant)).token).not.toBe(token);
});

test('a payment of a frozen merchant’s open charge is credited', async () => {
  const merchant = await givenMerchant(stand.gateway, { admin: stand.admin });
  const { content } = await givenCharge(stand.gateway, merchant, { amount: 80 });
  await freeze(merchant.id);
  const endToEndId = await stand.gateway.bank.pay({ brCode: content });
  const balance = async () =>
    parseSuccess(adminGetUser.response, await callAsAdmin('GET', `/admin/users/${merchant.id}`)).user.balance;
  await expect.poll(balance).toBeGreaterThan(79);
  expect(endToEndId).toMatch(/^E/);
});

test('a call that arrived before the freeze creates no charge, withdrawal, refund or key after it', async () => {
  const merchant = await stand.createFundedMerchant(100);
  const { id: chargeId } = await givenCharge(stand.gateway, merchant, { amount: 10 });
  await freeze(merchant.id);
  const refund = { merchantId: merchant.id, chargeId, externalId: undefined, amount: 5, reason: '' };
  await expect(requestRefund(stand.deps, { ...refund, origin: 'api' })).rejects.toMatchObject({
    code: 'ACCOUNT_FROZEN',
  });
  await expect(generateApiKey(stand.deps, merchant.id)).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
  const charge = { merchantId: merchant.id, amount: 10, expiresInSeconds: 600, callbackUrl: undefined };
  await expect(createPayment(stand.deps, charge)).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
  const withdrawal = { amount: 1000, pixKey: 'maria@example.com', keyType: 'email' } as const;
  await expect(withdrawByApi(stand.deps, merchant.id, withdrawal)).rejects.toMatchObject({
    code: 'ACCOUNT_FROZEN',
  });
});

test('a freeze and an unfreeze are recorded with their reasons, and the owner is notified', async () => {
  const merchant = await givenMerchant(stand.gateway, { admin: stand.admin });
  await freeze(merchant.id, ' pedido da polícia ');
  await unfreeze(merchant.id);
  const { body } = await callAsAdmin('GET', `/admin/audit-log?user=${merchant.id}`);
  const actor = { id: String(stand.admin.id), name: 'Ana Administradora' };
  const subject = { id: String(merchant.id), name: 'Maria da Feira' };
  expect((body as { entries: unknown[] }).entries.slice(0, 2)).toEqual([
    {
      id: expect.any(String),
      at: expect.any(String),
      actor,
      subject,
      action: 'user unfrozen',
      reason: 'esclarecido',
      before: { frozen: true, frozen_because: 'pedido da polícia' },
      after: { frozen: false },
    },
    expect.objectContaining({ action: 'user frozen', reason: 'pedido da polícia', after: { frozen: true } }),
  ]);
  const mails = stand.deps.db.selectFrom('mails').select('subject').where('user_id', '=', merchant.id);
  expect((await mails.orderBy('created_at').execute()).map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['Sua conta foi bloqueada', 'Sua conta foi desbloqueada']),
  );
});

test('a freeze deletes the links mailed before it', async () => {
  const merchant = await givenMerchant(stand.gateway, { admin: stand.admin });
  const readLinks = () =>
    stand.deps.db.selectFrom('mail_links').select('purpose').where('user_id', '=', merchant.id).execute();
  await inTransaction(stand.deps, async (tx) => {
    for (const [purpose, email] of [
      ['password', null],
      ['email', 'nova@example.com'],
    ] as const)
      await tx.db
        .insertInto('mail_links')
        .values({
          id: randomUUID(),
          user_id: merchant.id,
          purpose,
          email,
          created_at: tx.now,
          expires_at: new Date(tx.now.getTime() + 60_000),
        })
        .execute();
  });
  expect(await readLinks()).toHaveLength(2);
  await freeze(merchant.id);
  expect(await readLinks()).toEqual([]);
});

test('a hold, a release and a decision on documents are refused to an administrator frozen after the call arrived', async () => {
  const merchant = await stand.createFundedMerchant(100);
  const frozenAdmin = await givenAdmin(stand.gateway);
  await freeze(frozenAdmin.id);
  const holdRequest = {
    merchantId: merchant.id,
    id: randomUUID(),
    actorId: frozenAdmin.id,
    reason: 'suspeita',
  };
  const decision = {
    actorId: frozenAdmin.id,
    userId: merchant.id,
    submissionId: undefined,
    status: 'approved',
  } as const;
  for (const runOperation of [
    () => holdWithdrawal(stand.deps, holdRequest),
    () => releaseWithdrawal(stand.deps, holdRequest),
    () => decideKyc(stand.deps, decision),
  ])
    await expect(runOperation()).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('impossible freezes and unfreezes are refused, each with its code', async () => {
  const merchant = await givenMerchant(stand.gateway, { admin: stand.admin });
  expect(codeOf(await freeze(999_999_999))).toBe('404 USER_NOT_FOUND');
  expect(codeOf(await freeze(0))).toBe('404 USER_NOT_FOUND');
  expect(codeOf(await freeze(stand.admin.id))).toBe('403 OWN_ACCOUNT');
  expect(codeOf(await unfreeze(merchant.id))).toBe('409 NOT_FROZEN');
  expect(codeOf(await freeze(merchant.id, ' '))).toBe('400 INVALID_BODY');
  expect((await freeze(merchant.id)).status).toBe(200);
  expect(codeOf(await freeze(merchant.id))).toBe('409 ALREADY_FROZEN');
});

test('administrators who freeze each other concurrently leave one active', async () => {
  const [first, second] = [await givenAdmin(stand.gateway), await givenAdmin(stand.gateway)];
  const freezeBy = (actor: { token: string }, { id }: { id: number }) =>
    api('POST', `/admin/users/${id}/freeze`, { reason: 'briga' }, { token: actor.token });
  const answers = await Promise.all([freezeBy(first, second), freezeBy(second, first)]);
  const outcomes = answers.map(({ status }) => status).sort();
  expect(outcomes[0]).toBe(200);
  expect([401, 403]).toContain(outcomes[1]);
  const frozen = stand.deps.db.selectFrom('users').select('id').where('id', 'in', [first.id, second.id]);
  expect(await frozen.where('frozen_at', 'is not', null).execute()).toHaveLength(1);
});

test('the entries of all these tests form one intact audit chain', async () => {
  await checkpointAuditHead(stand.deps);
  const report = await verifyChain(stand.deps, await readAuditCheckpoint(stand.deps.config));
  expect(report).toEqual({ entryCount: expect.any(Number), findings: [] });
  expect(report.entryCount).toBeGreaterThan(10);
});
