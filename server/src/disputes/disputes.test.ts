import { randomBytes } from 'node:crypto';
import { getDisputeFile, listDisputes, login } from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenCharge,
  givenMerchant,
  givenPaidPayment,
  parseSuccess,
} from '../../test/given.ts';
import { givenAdjustment } from '../../test/given-adjustment.ts';
import { getDisputeAsMerchant, givenDispute, processDisputes } from '../../test/given-dispute.ts';
import { withPsp } from '../../test/with-psp.ts';
import { inTransaction } from '../db/transaction.ts';
import { auditLedger, readBalances } from '../ledger/index.ts';
import { releaseReserves } from '../payments/credit-counters.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { HOUSE_CONNECTION, PspRefused, PspUnknown, storeHints } from '../psp/index.ts';
import { bookReturnsOfPix } from '../refunds/index.ts';
import { pollDisputes, rereadDisputeList } from './poll-disputes.ts';
import { processDueDisputes } from './process-due-disputes.ts';
import { findDispute } from './store.ts';

const hour = 3600;
const day = 24 * hour;

let gateway: TestGateway;
let admin: GivenAdmin;
let merchant: GivenMerchant;

/** No fees, for simple figures; a tenth is reserved for two days. */
const taxes = {
  pix: { in: 0, out: 0, fixIn: 0, fixOut: 0 },
  crypto: 0,
  reserve: { enabled: true, percentage: 10, liberationTime: 2 },
};

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  admin = await givenAdmin(gateway);
  merchant = await givenMerchant(gateway, { admin, account: { taxes } });
});
afterAll(() => gateway.stop());

/** Moves time, and signs in again, because sessions expire. */
async function advanceAndSignIn(seconds: number): Promise<void> {
  await gateway.advance(seconds);
  const { username, password } = merchant;
  const answer = await gateway.api('POST', '/login', { username, password });
  merchant = { ...merchant, token: parseSuccess(login.response, answer).token };
}

const pay = (amount: number) => givenPaidPayment(gateway, merchant, { amount });
const readMerchantBalances = () => readBalances(gateway.deps.db, merchant.id);
const readDispute = (dispute: { id: string }) => getDisputeAsMerchant(gateway, merchant, dispute);
/** Debits the merchant's balance, as if the money were spent. */
const spend = (amountCents: number) => givenAdjustment(gateway.deps, merchant.id, -amountCents);

async function readNotifications(): Promise<{ title: string; body: string }[]> {
  return gateway.deps.db
    .selectFrom('notifications')
    .select(['title', 'body'])
    .where('merchant_id', '=', merchant.id)
    .where('title', 'not in', ['Pix recebido', 'Novo acesso à sua conta'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

const readTitles = async () => (await readNotifications()).map(({ title }) => title);

describe('a disputed payment', () => {
  test('blocks the available balance, then the reserves, and its merchant sees the deadline', async () => {
    const payments = [await pay(100), await pay(50)];
    await spend(100_00);
    const dispute = await givenDispute(gateway, merchant, { endToEndId: payments[0]?.endToEndId ?? '' });
    expect(await readMerchantBalances()).toMatchObject({ available: 0, reserved: 0, blocked: 50_00 });
    expect(dispute).toMatchObject({
      payment_id: payments[0]?.id,
      status: 'open',
      amount: 100,
      blocked_amount: 50,
      shortfall_amount: 50,
      returned_amount: 0,
      defended_at: null,
    });
    const left = Date.parse(dispute.deadline) - gateway.deps.clock.now().getTime();
    expect(Math.abs(left - 7 * day * 1000)).toBeLessThan(hour * 1000);
    expect(await readNotifications()).toMatchObject([
      {
        title: 'Pagamento contestado',
        body: expect.stringMatching(/contestou R\$\s100,00.*R\$\s50,00 do seu saldo.*Faltam R\$\s50,00/),
      },
    ]);
    expect(await auditLedger(gateway.deps.db)).toEqual([]);
  });

  test('claims only the part that was not refunded, and cannot be refunded any more', async () => {
    const { id, endToEndId } = await pay(100);
    await pay(100);
    const refund = await gateway.api(
      'POST',
      `/pix/${id}/refund`,
      { amount: 30 },
      { apiKey: merchant.apiKey },
    );
    expect(refund.status).toBeLessThan(300);
    await expect.poll(async () => (await readMerchantBalances()).in_transit).toBe(0);
    const dispute = await givenDispute(gateway, merchant, { endToEndId });
    expect(dispute).toMatchObject({ amount: 70, blocked_amount: 70, shortfall_amount: 0 });
    const other = await gateway.api('POST', `/pix/${id}/refund`, { amount: 1 }, { apiKey: merchant.apiKey });
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'PAYMENT_IN_DISPUTE' } } });
  });

  test('is unblocked entirely when it is won or cancelled: the money is available or reserved as before', async () => {
    for (const [resolution, status, title] of [
      [{ accepted: false }, 'won', 'Disputa ganha'],
      [{ cancelled: true }, 'cancelled', 'Disputa cancelada'],
    ] as const) {
      admin = await givenAdmin(gateway);
      merchant = await givenMerchant(gateway, { admin, account: { taxes } });
      const { endToEndId } = await pay(100);
      await spend(70_00);
      const dispute = await givenDispute(gateway, merchant, { endToEndId });
      expect(dispute).toMatchObject({ blocked_amount: 30, shortfall_amount: 70 });
      await gateway.bank.resolveDispute(dispute.bankId, resolution);
      await expect
        .poll(() => readDispute(dispute))
        .toMatchObject({ status, blocked_amount: 0, shortfall_amount: 0 });
      // The blocked part of the reserve is reserved again, until its release day.
      expect(await readMerchantBalances()).toMatchObject({ available: 20_00, reserved: 10_00, blocked: 0 });
      expect(await readNotifications()).toMatchObject([
        { title: 'Pagamento contestado' },
        {
          title,
          body: expect.stringMatching(
            /R\$\s30,00 foram desbloqueados, dos quais R\$\s10,00 voltaram à reserva\.$/,
          ),
        },
      ]);
      await advanceAndSignIn(3 * day);
      await releaseReserves(gateway.deps);
      expect(await readMerchantBalances()).toMatchObject({ available: 30_00, reserved: 0 });
    }
    expect(await auditLedger(gateway.deps.db)).toEqual([]);
  });

  test('that is lost is debited from the blocked amount, once the bank has returned it, and not before', async () => {
    const { id, endToEndId } = await pay(100);
    const dispute = await givenDispute(gateway, merchant, { endToEndId });
    await gateway.bank.resolveDispute(dispute.bankId, { accepted: true, returnSeconds: 2 * hour });
    await expect.poll(() => readDispute(dispute)).toMatchObject({ status: 'lost', blocked_amount: 100 });
    expect(await readMerchantBalances()).toMatchObject({ blocked: 100_00, psp: -100_00 });
    const refund = await gateway.api('POST', `/pix/${id}/refund`, { amount: 1 }, { apiKey: merchant.apiKey });
    expect(refund).toMatchObject({ status: 409, body: { error: { code: 'PAYMENT_IN_DISPUTE' } } });

    await advanceAndSignIn(3 * hour);
    await expect.poll(() => readDispute(dispute)).toMatchObject({ returned_amount: 100, blocked_amount: 0 });
    expect(await readMerchantBalances()).toMatchObject({
      available: 0,
      reserved: 0,
      blocked: 0,
      receivable: 0,
      psp: 0,
    });
    const status = await gateway.api('GET', `/pix/status/${id}`, undefined, { apiKey: merchant.apiKey });
    expect(status.body).toMatchObject({ status: 'refunded', refunded_amount: 100 });
    expect(await readTitles()).toEqual([
      'Pagamento contestado',
      'Disputa perdida',
      'Valor devolvido ao pagador',
    ]);
  });

  test('without cover is covered as soon as payments are booked, the older dispute first, and a debt is settled last', async () => {
    const [first, second] = [await pay(100), await pay(60)];
    await releaseAllReserves();
    await spend(160_00);
    const older = await givenDispute(gateway, merchant, first);
    const newer = await givenDispute(gateway, merchant, second);
    await pay(120);
    expect(await readDispute(older)).toMatchObject({ blocked_amount: 100, shortfall_amount: 0 });
    // 12 of 120 are reserved.
    expect(await readDispute(newer)).toMatchObject({ blocked_amount: 8, shortfall_amount: 52 });
    expect(await readMerchantBalances()).toMatchObject({ available: 0, blocked: 108_00 });

    await gateway.bank.resolveDispute(newer.bankId, { accepted: true });
    await expect
      .poll(() => readDispute(newer))
      .toMatchObject({ status: 'lost', blocked_amount: 0, returned_amount: 60 });
    expect(await readDispute(newer)).toMatchObject({ shortfall_amount: 0 });
    expect(await readMerchantBalances()).toMatchObject({ available: 0, blocked: 100_00, receivable: -52_00 });
    await pay(100);
    expect(await readMerchantBalances()).toMatchObject({ available: 38_00, blocked: 100_00, receivable: 0 });
    expect(await auditLedger(gateway.deps.db)).toEqual([]);
  });

  test('that is partly accepted keeps the rest blocked until 90 days after the Pix', async () => {
    const { endToEndId } = await pay(100);
    const dispute = await givenDispute(gateway, merchant, { endToEndId });
    await gateway.bank.resolveDispute(dispute.bankId, { accepted: true, amountCents: 40_00 });
    await expect.poll(() => readDispute(dispute)).toMatchObject({ returned_amount: 40, blocked_amount: 60 });
    await advanceAndSignIn(80 * day);
    await processDisputes(gateway);
    expect(await readDispute(dispute)).toMatchObject({ status: 'lost', blocked_amount: 60 });
    await advanceAndSignIn(10 * day);
    await expect.poll(() => readDispute(dispute)).toMatchObject({ status: 'lost', blocked_amount: 0 });
    expect(await readMerchantBalances()).toMatchObject({ available: 60_00, blocked: 0, psp: -60_00 });
    expect(await readTitles()).toContain('Valor desbloqueado');
    expect(await auditLedger(gateway.deps.db)).toEqual([]);
  });

  test('returned before the dispute was known is debited from the balance, and blocks nothing', async () => {
    const { endToEndId } = await pay(100);
    await pay(200);
    const bankId = await gateway.bank.openDispute({ endToEndId });
    await gateway.bank.resolveDispute(bankId, { accepted: true });
    await expect.poll(() => bookReturnsOfPix(gateway.deps, endToEndId)).toBe(true);
    await expect.poll(async () => (await readMerchantBalances()).psp).toBe(-200_00);
    await rereadDisputeList(gateway.deps);
    const { disputes } = parseSuccess(
      listDisputes.response,
      await gateway.api('GET', '/authed/disputes', undefined, merchant),
    );
    expect(disputes).toMatchObject([{ status: 'lost', blocked_amount: 0, shortfall_amount: 0 }]);
    expect(await readMerchantBalances()).toMatchObject({
      available: 170_00,
      reserved: 30_00,
      blocked: 0,
      receivable: 0,
    });
  });

  test('partly accepted and returned before the dispute was known blocks nothing more', async () => {
    const { endToEndId } = await pay(100);
    const bankId = await gateway.bank.openDispute({ endToEndId, amountCents: 50_00 });
    await gateway.bank.resolveDispute(bankId, { accepted: true });
    await expect.poll(() => bookReturnsOfPix(gateway.deps, endToEndId)).toBe(true);
    await expect.poll(async () => (await readMerchantBalances()).psp).toBe(-50_00);
    await rereadDisputeList(gateway.deps);
    const { disputes } = parseSuccess(
      listDisputes.response,
      await gateway.api('GET', '/authed/disputes', undefined, merchant),
    );
    expect(disputes).toMatchObject([{ status: 'lost', blocked_amount: 0, returned_amount: 50 }]);
    expect(await readMerchantBalances()).toMatchObject({ available: 40_00, reserved: 10_00, blocked: 0 });
    expect(await auditLedger(gateway.deps.db)).toEqual([]);
  });

  async function releaseAllReserves(): Promise<void> {
    await advanceAndSignIn(2 * day + 60);
    await releaseReserves(gateway.deps);
  }
});

describe('a disputed Pix without a charge in our books', () => {
  const readItems = (bankId: string) =>
    gateway.deps.db
      .selectFrom('open_items')
      .select(['detail', 'closed_at'])
      .where('kind', '=', 'dispute-unknown-pix')
      .where('reference', '=', bankId)
      .execute();

  test('opens an item for the operator, and stays in suspense until the bank has decided', async () => {
    const endToEndId = await gateway.bank.pay({ key: gateway.deps.config.pixKey, amount: 80 });
    const received = gateway.deps.db
      .selectFrom('received_pix')
      .select('outcome')
      .where('end_to_end_id', '=', endToEndId);
    await expect.poll(() => received.execute()).toEqual([{ outcome: 'suspense' }]);
    const bankId = await gateway.bank.openDispute({ endToEndId });
    await expect
      .poll(() => readItems(bankId))
      .toMatchObject([{ detail: { in_suspense: true, disputed_cents: 80_00 }, closed_at: null }]);
    const assign = () => {
      const decision = { userId: String(merchant.id), reason: 'Pago sem cobrança.' };
      return gateway.api('POST', `/admin/suspense/${endToEndId}/assign`, decision, admin);
    };
    expect(await assign()).toMatchObject({ status: 409, body: { error: { code: 'PAYMENT_IN_DISPUTE' } } });
    await gateway.bank.resolveDispute(bankId, { accepted: false });
    const advanceAndReadItems = async () => {
      await gateway.advance(20);
      return readItems(bankId);
    };
    await expect
      .poll(advanceAndReadItems, { interval: 500 })
      .toMatchObject([{ closed_at: expect.any(Date) }]);
    expect(await assign()).toMatchObject({ status: 200 });
  });

  test('that is booked later becomes its merchant’s dispute', async () => {
    const previousGateway = gateway;
    gateway = await startTestGateway({ startsWork: false });
    try {
      admin = await givenAdmin(gateway);
      merchant = await givenMerchant(gateway, { admin, account: { taxes } });
      await gateway.bank.setBehaviour({ notifications: 'never' });
      const charge = await givenCharge(gateway, merchant, { amount: 80 });
      const endToEndId = await gateway.bank.pay({ brCode: charge.content });
      const bankId = await gateway.bank.openDispute({ endToEndId });
      await processDisputes(gateway);
      expect(await readItems(bankId)).toMatchObject([{ detail: { in_suspense: false }, closed_at: null }]);
      await reconcilePayments(gateway.deps);
      expect(await readMerchantBalances()).toMatchObject({ available: 72_00, blocked: 0 });
      await gateway.advance(700);
      await processDueDisputes(gateway.deps);
      expect(await readMerchantBalances()).toMatchObject({ available: 0, reserved: 0, blocked: 80_00 });
      expect(await readItems(bankId)).toMatchObject([{ closed_at: expect.any(Date) }]);
      await rereadDisputeList(gateway.deps);
      expect(await readMerchantBalances()).toMatchObject({ blocked: 80_00 });
    } finally {
      await gateway.stop();
      gateway = previousGateway;
    }
  });
});

describe('the deadline', () => {
  test('is announced 48, 24 and 6 hours before, each once, and not after a defence', async () => {
    const [first, second] = [await pay(100), await pay(100)];
    const undefended = await givenDispute(gateway, merchant, first);
    const defended = await givenDispute(gateway, merchant, second);
    await defend(defended, 'O produto foi entregue.');
    const readWarnings = async () =>
      (await readNotifications()).filter(({ title }) => title.startsWith('O prazo')).map(({ body }) => body);
    const advanceToHoursBefore = async (hours: number) => {
      const left = (Date.parse(undefended.deadline) - gateway.deps.clock.now().getTime()) / 1000;
      await advanceAndSignIn(Math.ceil(left - hours * hour));
      await processDueDisputes(gateway.deps);
      await processDueDisputes(gateway.deps);
    };
    await advanceToHoursBefore(49);
    expect(await readWarnings()).toEqual([]);
    for (const [index, hours] of [47, 23, 5].entries()) {
      await advanceToHoursBefore(hours);
      await expect.poll(readWarnings).toHaveLength(index + 1);
    }
    expect(await readWarnings()).toMatchObject(
      [48, 24, 6].map((hours) => expect.stringContaining(`menos de ${hours} horas`)),
    );
    await advanceToHoursBefore(-1);
    expect(await readWarnings()).toHaveLength(3);
    expect(await defend(undefended, 'Tarde demais.')).toMatchObject({
      status: 409,
      body: { error: { code: 'DISPUTE_TOO_LATE' } },
    });
  });
});

const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), randomBytes(64)]);
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(64)]);
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(64)]);
const file = (name: string, content: Buffer) => ({ name, content: content.toString('base64') });

function defend(dispute: { id: string }, text: string, files: object[] = [], { token } = merchant) {
  return gateway.api('POST', `/authed/disputes/${dispute.id}/defence`, { text, files }, { token });
}

describe('a defence', () => {
  test('is sent to the bank with its files, once, and its merchant can read it', async () => {
    const dispute = await givenDispute(gateway, merchant, await pay(100));
    const large = Buffer.concat([pdf, Buffer.alloc(2 * 1024 * 1024 - pdf.length)]);
    const files = [file('nota.pdf', large), file('../foto.PNG', png), file('conversa.txt', jpeg)];
    const sent = await defend(dispute, '  Entregue em mãos.  ', files);
    expect(sent).toMatchObject({
      status: 200,
      body: {
        defence: 'Entregue em mãos.',
        files: [
          { name: 'nota.pdf', type: 'application/pdf', size: 2 * 1024 * 1024 },
          { name: 'foto.PNG', type: 'image/png', size: png.length },
          { name: 'conversa.txt', type: 'image/jpeg', size: jpeg.length },
        ],
      },
    });
    const readBankDispute = async () => {
      const listed = await fetch(`${gateway.bank.url}/sandbox/disputes`).then((answer) => answer.json());
      return (
        listed as { id: string; status: string; defence?: { text: string; files: { bytes: number }[] } }[]
      ).find(({ id }) => id === dispute.bankId);
    };
    await expect.poll(readBankDispute).toMatchObject({
      status: 'EM_DEFESA',
      defence: {
        text: 'Entregue em mãos.',
        files: [{ bytes: large.length }, { bytes: png.length }, { bytes: jpeg.length }],
      },
    });
    expect(await defend(dispute, 'Outra.')).toMatchObject({
      status: 409,
      body: { error: { code: 'DISPUTE_DEFENDED' } },
    });

    const detail = await readDispute(dispute);
    const picture = await gateway.api(
      'GET',
      `/authed/disputes/${dispute.id}/files/${detail.files[1]?.id}`,
      undefined,
      merchant,
    );
    expect(parseSuccess(getDisputeFile.response, picture)).toEqual({
      name: 'foto.PNG',
      type: 'image/png',
      content: png.toString('base64'),
    });
    const storedFiles = await gateway.deps.db.selectFrom('dispute_files').select('sealed_content').execute();
    for (const { sealed_content } of storedFiles) {
      expect(sealed_content.includes(png)).toBe(false);
      expect(sealed_content.toString('latin1')).not.toContain(png.toString('base64').slice(0, 20));
    }
  });

  test('with an unknown outcome is looked up at the bank, and a defence refused by the bank opens an item and notifies the merchant', async () => {
    const previousGateway = gateway;
    gateway = await startTestGateway({ startsWork: false });
    try {
      admin = await givenAdmin(gateway);
      merchant = await givenMerchant(gateway, { admin, account: { taxes } });
      const { deps } = gateway;
      const { disputes } = deps.psp;
      if (disputes === undefined) throw new Error('The bank has no disputes');
      const depsWithSend = (sendDefence: typeof disputes.sendDefence) =>
        withPsp(deps, { ...deps.psp, disputes: { ...disputes, sendDefence } });
      const payCharge = async () => {
        const { content } = await givenCharge(gateway, merchant, { amount: 80 });
        const endToEndId = await gateway.bank.pay({ brCode: content });
        await reconcilePayments(deps);
        return { endToEndId };
      };
      const readSentAt = async ({ id }: { id: string }) =>
        (await findDispute(deps.db, merchant.id, id))?.defenceSentAt;

      const lost = await givenDispute(gateway, merchant, await payCharge());
      await defend(lost, 'Entregue.');
      let sendCount = 0;
      const depsWithLostResponse = depsWithSend(async (name, defence) => {
        sendCount += 1;
        await disputes.sendDefence(name, defence);
        throw new PspUnknown('no answer');
      });
      await processDueDisputes(depsWithLostResponse);
      expect(await readSentAt(lost)).toEqual(expect.any(Date));
      await advanceAndSignIn(660);
      await processDueDisputes(depsWithLostResponse);
      expect(sendCount).toBe(1);

      const unsentDispute = await givenDispute(gateway, merchant, await payCharge());
      await defend(unsentDispute, 'Entregue.');
      const unreachableDeps = depsWithSend(async () => {
        throw new PspUnknown('away');
      });
      await processDueDisputes(unreachableDeps);
      expect(await readSentAt(unsentDispute)).toBeNull();
      await advanceAndSignIn(660);
      await processDueDisputes(deps);
      expect(await readSentAt(unsentDispute)).toEqual(expect.any(Date));

      const defendedDuringLookUp = await givenDispute(gateway, merchant, await payCharge());
      await advanceAndSignIn(660);
      const findWhileDefending: typeof disputes.findDispute = async (name) => {
        await defend(defendedDuringLookUp, 'Entregue.');
        return disputes.findDispute(name);
      };
      await processDueDisputes(
        withPsp(deps, { ...deps.psp, disputes: { ...disputes, findDispute: findWhileDefending } }),
      );
      await processDueDisputes(deps);
      expect(await readSentAt(defendedDuringLookUp)).toEqual(expect.any(Date));

      const refused = await givenDispute(gateway, merchant, await payCharge());
      await defend(refused, 'Entregue.');
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await processDueDisputes(
          depsWithSend(async () => {
            throw new PspRefused('not like this');
          }),
        );
        await advanceAndSignIn(660);
      }
      expect((await readTitles()).filter((title) => title === 'Defesa recusada pelo banco')).toHaveLength(1);
      const items = await deps.db.selectFrom('open_items').select(['kind', 'detail']).execute();
      expect(items).toMatchObject([
        { kind: 'dispute-differs', detail: { defence_refused: 'not like this' } },
      ]);
      await processDueDisputes(deps);
      expect(await readSentAt(refused)).toEqual(expect.any(Date));
    } finally {
      await gateway.stop();
      gateway = previousGateway;
    }
  });

  test('accepts PDF, PNG and JPEG by their content, of at most 2 MB, and at most five files', async () => {
    const dispute = await givenDispute(gateway, merchant, await pay(100));
    const html = Buffer.from('<html><script>alert(1)</script></html>');
    const tooLarge = Buffer.concat([pdf, Buffer.alloc(2 * 1024 * 1024)]);
    for (const [files, code] of [
      [[file('nota.pdf', html)], 'FILE_NOT_ACCEPTED'],
      [[{ name: 'nota.pdf', content: 'não é base64' }], 'FILE_NOT_ACCEPTED'],
      [[file('nota.pdf', Buffer.alloc(0))], 'FILE_NOT_ACCEPTED'],
      [[file('nota.pdf', pdf), file('foto.png', tooLarge)], 'INVALID_BODY'],
      [Array.from({ length: 6 }, () => file('nota.pdf', pdf)), 'INVALID_BODY'],
    ] as const) {
      expect(await defend(dispute, 'Defesa.', [...files])).toMatchObject({
        status: 400,
        body: { error: { code } },
      });
    }
    expect(await defend(dispute, '  ')).toMatchObject({
      status: 400,
      body: { message: 'Escreva a sua defesa.' },
    });
    const five = Array.from({ length: 5 }, () =>
      file('nota.pdf', Buffer.concat([pdf, Buffer.alloc(2_000_000)])),
    );
    expect(await defend(dispute, 'Defesa.', five)).toMatchObject({ status: 200 });
  });

  test('of an ended dispute is refused, and other merchants can read nothing of a dispute', async () => {
    const dispute = await givenDispute(gateway, merchant, await pay(100));
    const sent = await defend(dispute, 'Defesa.', [file('nota.pdf', pdf)]);
    expect(sent.status).toBe(200);
    const stranger = await givenMerchant(gateway, { admin });
    const fileId = (await readDispute(dispute)).files[0]?.id;
    for (const path of [`/authed/disputes/${dispute.id}`, `/authed/disputes/${dispute.id}/files/${fileId}`]) {
      expect(await gateway.api('GET', path, undefined, stranger)).toMatchObject({
        status: 404,
        body: { error: { code: 'DISPUTE_NOT_FOUND' } },
      });
    }
    expect(await defend(dispute, 'Alheia.', [], stranger)).toMatchObject({ status: 404 });
    expect(await gateway.api('GET', '/authed/disputes', undefined, stranger)).toMatchObject({
      body: { disputes: [], total: 0, open: 0 },
    });

    const ended = await givenDispute(gateway, merchant, await pay(50));
    await gateway.bank.resolveDispute(ended.bankId, { accepted: false });
    await expect.poll(() => readDispute(ended)).toMatchObject({ status: 'won' });
    expect(await defend(ended, 'Tarde.')).toMatchObject({
      status: 409,
      body: { error: { code: 'DISPUTE_CLOSED' } },
    });
    const page = parseSuccess(
      listDisputes.response,
      await gateway.api('GET', '/authed/disputes?status=open&pageSize=1', undefined, merchant),
    );
    expect(page).toMatchObject({ total: 1, open: 1, page: 1, limit: 1, disputes: [{ id: dispute.id }] });
  });
});

describe('the bank’s list of disputes', () => {
  test('is read again after a failed booking, and two disputes of one Pix are booked one after the other', async () => {
    const { endToEndId } = await pay(100);
    const first = await givenDispute(gateway, merchant, { endToEndId, amountCents: 30_00 });
    await gateway.bank.resolveDispute(first.bankId, { accepted: false });
    await gateway.bank.openDispute({ endToEndId, amountCents: 50_00 });
    await expect.poll(async () => (await readMerchantBalances()).blocked).toBe(50_00);
    expect(await readDispute(first)).toMatchObject({ status: 'won' });
    expect(await pollDisputes(gateway.deps)).toBe(0);
  });

  test('is read once a minute, even if a dispute in it cannot be booked', async () => {
    const { disputes } = gateway.deps.psp;
    if (disputes === undefined) throw new Error('The bank has no disputes');
    const { endToEndId } = await pay(100);
    const now = gateway.deps.clock.now();
    const unbookable = {
      disputeId: randomBytes(8).toString('hex'),
      protocol: '',
      endToEndId,
      amountCents: -1,
    };
    const dispute = { ...unbookable, status: 'open' as const, reason: '', openedAt: now, deadlineAt: now };
    let pollCount = 0;
    const listDisputes = async function* () {
      pollCount += 1;
      yield [dispute];
    };
    const deps = withPsp(gateway.deps, { ...gateway.deps.psp, disputes: { ...disputes, listDisputes } });
    const longAgo = { read_at: new Date(0), read_until: now };
    while (pollCount === 0) {
      await gateway.deps.db.updateTable('dispute_list_position').set(longAgo).execute();
      await pollDisputes(deps);
    }
    for (let run = 0; run < 3; run += 1) await pollDisputes(deps);
    expect(pollCount).toBe(1);
  });

  test('leaves a hint in place if it does not contain the Pix that the hint names', async () => {
    const reference = `E99999999202611210000${randomBytes(6).toString('hex').slice(0, 11)}`;
    await inTransaction(gateway.deps, (tx) =>
      storeHints({ db: tx.db, now: tx.now }, HOUSE_CONNECTION, [{ kind: 'dispute', reference }]),
    );
    await pollDisputes(gateway.deps);
    const hints = await gateway.deps.db
      .selectFrom('bank_hints')
      .select('attempts')
      .where('reference', '=', reference)
      .execute();
    expect(hints).toHaveLength(1);
  });
});
