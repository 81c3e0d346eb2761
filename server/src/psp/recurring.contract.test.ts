import { randomBytes } from 'node:crypto';
import { addDays } from '@jangada/pix';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestBank, type TestBank } from '../../test/bank.ts';
import { calendarDayOf } from '../calendar-day.ts';
import { readConfig } from '../config.ts';
import { newChargeIds } from '../payments/bank-ids.ts';
import { connectBank } from './connect-bank.ts';
import { type Psp, PspRefused, PspUnknown } from './psp.ts';
import type { BankMandate, ChargeInCode, MandateOrder, PixRecurring } from './recurring.ts';

// What `PixRecurring` promises, kept by our adapter and Banco Sandbox over HTTP.

let bank: TestBank;
let psp: Psp;
let impatient: Psp;
let recurring: PixRecurring;

beforeAll(async () => {
  bank = await startTestBank({ hangMs: 1000 });
  const config = readConfig({
    PSP_BASE_URL: `${bank.apiUrl}/v2`,
    PSP_TOKEN_URL: `${bank.apiUrl}/oauth/token`,
    PSP_CLIENT_ID: bank.clientId,
    PSP_CLIENT_SECRET: bank.clientSecret,
    PIX_KEY: bank.account.key,
  });
  psp = connectBank(config, { itemsPerPage: 2 });
  impatient = connectBank(config, { responseTimeoutMs: 300 });
  recurring = requireRecurring(psp);
});
afterEach(() => bank.setBehaviour({}));
afterAll(async () => {
  await psp.close();
  await impatient.close();
  await bank.stop();
});

function requireRecurring({ recurring }: Psp): PixRecurring {
  if (recurring === undefined) throw new Error('the bank makes no debits');
  return recurring;
}

const payer = { name: 'Ana Souza', document: '52998224725' };
const today = () => calendarDayOf(new Date());
const newTxid = () => newChargeIds(1, new Date()).txid;
const orderOf = (more: Partial<MandateOrder> = {}): MandateOrder => ({
  ...{ contract: randomBytes(12).toString('hex'), object: 'Mensalidade', payer },
  ...{ firstDay: addDays(today(), 5), lastDay: undefined, period: 'monthly', amountCents: 9990 },
  ...{ minMaximumCents: undefined, allowsRetries: true, locationId: undefined, firstChargeTxid: undefined },
  ...more,
});
const anHourAgo = () => new Date(Date.now() - 3_600_000);
const inAnHour = () => new Date(Date.now() + 3_600_000);

/** The payer's app reads the code. */
const allow = (brCode: string | undefined) => bank.control('POST', '/sandbox/recs', { brCode, payer });

async function givenApproved(more: Partial<MandateOrder> = {}): Promise<BankMandate> {
  const { id } = await recurring.createLocation();
  const { idRec } = await recurring.createMandate(orderOf({ locationId: id, ...more }));
  await allow((await recurring.findMandate(idRec))?.brCode);
  const mandate = await recurring.findMandate(idRec);
  if (mandate?.status !== 'approved') throw new Error('the mandate is not approved');
  return mandate;
}

const debitOf = (idRec: string, more: object = {}) => ({
  ...{ txid: newTxid(), idRec, amountCents: 9990, dueDate: addDays(today(), 5), note: 'Dezembro' },
  ...more,
});

test('a mandate without a location has no code; one with a location is allowed by its code', async () => {
  const bare = await recurring.createMandate(orderOf());
  expect(bare).toMatchObject({ status: 'created', amountCents: 9990, period: 'monthly', journey: undefined });
  expect((await recurring.findMandate(bare.idRec))?.brCode).toBeUndefined();
  expect(await givenApproved()).toMatchObject({ status: 'approved', journey: 2, end: undefined });
});

test.for(['immediate', 'due'] as const)('a mandate is allowed along with an %s charge', async (kind) => {
  const txid = newTxid();
  const due = { originalCents: 9990, dueDate: addDays(today(), 3), validAfterDueDays: 30 };
  const { brCode } = await psp.createCharge({
    ...{ txid, amountCents: 9990, expiresInSeconds: 3600, payerNote: 'Matrícula', billedTo: payer },
    ...(kind === 'due' && { due }),
  });
  const { id } = await recurring.createLocation();
  const firstChargeTxid = kind === 'immediate' ? txid : undefined;
  const { idRec } = await recurring.createMandate(orderOf({ locationId: id, firstChargeTxid }));
  const charge: ChargeInCode = { txid, amountCents: 9990, brCode: brCode ?? '' };
  const code = (await recurring.findMandate(idRec, charge))?.brCode;
  await allow(code);
  expect(await recurring.findMandate(idRec)).toMatchObject({
    status: 'approved',
    journey: kind === 'immediate' ? 3 : 4,
  });
  expect(await psp.findCharge(txid, kind)).toMatchObject({ status: 'completed' });
  // A code of another charge is not taken for that of this one.
  const other = await psp.createCharge({
    ...{ txid: newTxid(), amountCents: 9990, expiresInSeconds: 3600, payerNote: '' },
  });
  const wrong = { ...charge, brCode: other.brCode ?? '' };
  expect((await recurring.findMandate(idRec, wrong))?.brCode).toBeUndefined();
});

test('a mandate whose creation had no known outcome is found by its contract', async () => {
  await bank.setBehaviour({ charges: 'accepted-then-timeout' });
  const order = orderOf();
  await expect(requireRecurring(impatient).createMandate(order)).rejects.toThrow(PspUnknown);
  await bank.setBehaviour({});
  const found = await recurring.findMandateByContract(order.contract, anHourAgo(), inAnHour());
  expect(found).toMatchObject({ contract: order.contract, status: 'created' });
  expect(await recurring.findMandateByContract('outro', anHourAgo(), inAnHour())).toBeUndefined();
});

test('a request is pushed to the payer, who accepts it; one that waits is cancelled', async () => {
  const push = async () => {
    const { idRec } = await recurring.createMandate(orderOf());
    const account = { ispb: '12345678', branch: '0001', number: '123456' };
    return {
      idRec,
      pushed: await recurring.pushToPayer({ idRec, expiresAt: inAnHour(), payer, account }),
    };
  };
  const { pushed } = await push();
  expect(await recurring.findPush(pushed.id)).toMatchObject({ id: pushed.id });
  expect(await recurring.cancelPush(pushed.id)).toMatchObject({ status: 'cancelled' });
  expect(await recurring.findPush(pushed.id.replace(/.{3}$/, 'zzz'))).toBeUndefined();
});

test('a debit that is ordered again under its txid is the same one, and a cycle has only one', async () => {
  const { idRec } = await givenApproved();
  const debit = debitOf(idRec);
  const first = await recurring.createDebit(debit);
  expect(first).toMatchObject({ txid: debit.txid, idRec, amountCents: 9990, dueDate: debit.dueDate });
  expect(await recurring.createDebit(debit)).toMatchObject({ txid: debit.txid, idRec });
  await expect(recurring.createDebit(debitOf(idRec))).rejects.toThrow(PspRefused);
  expect(await recurring.findDebit(newTxid())).toBeUndefined();
});

test('a debit whose order had no known outcome is found by its txid', async () => {
  const { idRec } = await givenApproved();
  const debit = debitOf(idRec);
  await bank.setBehaviour({ charges: 'accepted-then-timeout' });
  await expect(requireRecurring(impatient).createDebit(debit)).rejects.toThrow(PspUnknown);
  await bank.setBehaviour({});
  expect(await recurring.findDebit(debit.txid)).toMatchObject({ txid: debit.txid, idRec });
});

test('a debit is cancelled by the receiver, and a mandate by its payer', async () => {
  const { idRec } = await givenApproved();
  const debit = debitOf(idRec);
  await recurring.createDebit(debit);
  expect(await recurring.cancelDebit(debit.txid)).toMatchObject({ status: 'cancelled' });
  expect(await recurring.findDebit(debit.txid)).toMatchObject({
    status: 'cancelled',
    end: { kind: 'cancelled', code: 'SLCR', by: 'receiver' },
  });
  await bank.control('POST', `/sandbox/recs/${idRec}/cancellation`, {});
  expect(await recurring.findMandate(idRec)).toMatchObject({
    status: 'cancelled',
    end: { kind: 'cancelled', code: 'SLDB', by: 'payer' },
  });
});

test('mandates and debits are listed page by page to the last', async () => {
  const mandates: string[] = [];
  for (let count = 0; count < 3; count += 1) mandates.push((await givenApproved()).idRec);
  const debits = mandates.map((idRec) => debitOf(idRec));
  for (const debit of debits) await recurring.createDebit(debit);
  const listed = { mandates: new Set<string>(), debits: new Set<string>() };
  for await (const page of recurring.listMandates(anHourAgo(), inAnHour()))
    for (const { idRec } of page) listed.mandates.add(idRec);
  for await (const page of recurring.listDebits(anHourAgo(), inAnHour()))
    for (const { txid } of page) listed.debits.add(txid);
  expect(mandates.filter((idRec) => !listed.mandates.has(idRec))).toStrictEqual([]);
  expect(debits.filter(({ txid }) => !listed.debits.has(txid))).toStrictEqual([]);
});

test('the URLs for notices are registered apart from that of the key', async () => {
  const { mandateNotices, debitNotices } = recurring;
  expect(await mandateNotices.findNoticeUrl()).toBeUndefined();
  await mandateNotices.registerNoticeUrl('https://pix.example/psp/sandbox/a');
  expect(await mandateNotices.findNoticeUrl()).toBe('https://pix.example/psp/sandbox/a');
  expect(await debitNotices.findNoticeUrl()).toBeUndefined();
  await debitNotices.registerNoticeUrl('https://pix.example/psp/sandbox/b');
  expect(await debitNotices.findNoticeUrl()).toBe('https://pix.example/psp/sandbox/b');
});

test('a debit is paid in the night of its day, and names the Pix that paid it; one that failed is tried again', async () => {
  const [paying, poor] = [await givenApproved(), await givenApproved()];
  const none = [{ fromHour: 0, amount: 0 }];
  await bank.control('PUT', `/sandbox/recs/${poor.idRec}/debits`, { funds: none });
  const [paid, failed] = [debitOf(paying.idRec), debitOf(poor.idRec)];
  for (const debit of [paid, failed]) await recurring.createDebit(debit);
  await bank.advance(6 * 86_400);
  const completed = await recurring.findDebit(paid.txid);
  expect(completed).toMatchObject({ status: 'completed', attempts: [{ isRetry: false, status: 'paid' }] });
  const [endToEndId = ''] = completed?.endToEndIds ?? [];
  expect(await psp.findReceivedPix(endToEndId)).toMatchObject({ txid: paid.txid, amountCents: 9990 });
  const unpaid = await recurring.findDebit(failed.txid);
  expect(unpaid).toMatchObject({ endToEndIds: [] });
  const retryDay = addDays(failed.dueDate, 3);
  expect((await recurring.retryDebit(failed.txid, retryDay)).attempts.at(-1)).toMatchObject({
    isRetry: true,
    date: retryDay,
  });
  await expect(recurring.retryDebit(failed.txid, retryDay)).rejects.toThrow(PspRefused);
});
