import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeBrCode } from '@jangada/pix';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestBank, type TestBank } from '../../test/bank.ts';
import { createSelfSignedCertificate } from '../../test/self-signed.ts';
import { readConfig } from '../config.ts';
import { newChargeIds } from '../payments/bank-ids.ts';
import { connectBank } from './connect-bank.ts';
import { type Psp, PspRefused, PspUnknown } from './psp.ts';

// What the gateway expects of every bank, tried with Banco Sandbox through each way to connect it.

const newTxid = () => newChargeIds(1, new Date()).txid;

const folder = mkdtempSync(join(tmpdir(), 'jangada-psp-'));
const bankCertificate = createSelfSignedCertificate('localhost');
const ourCertificate = createSelfSignedCertificate('gateway');

/** Writes our certificate and key into one PKCS#12 file, and returns its path. */
function writePkcs12(): string {
  writeFileSync(join(folder, 'cert.pem'), ourCertificate.cert);
  writeFileSync(join(folder, 'key.pem'), ourCertificate.key);
  const options = [
    '-export',
    '-in',
    'cert.pem',
    '-inkey',
    'key.pem',
    '-out',
    'both.p12',
    '-passout',
    'pass:segredo',
  ];
  execFileSync('openssl', ['pkcs12', ...options], { cwd: folder, stdio: 'ignore' });
  return join(folder, 'both.p12');
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The endToEndId of no Pix. */
const noPix = 'E99999999202001010000aaaaaaaaaaa';
const anHourAgo = () => new Date(Date.now() - 3_600_000);
const inAnHour = () => new Date(Date.now() + 3_600_000);

async function readAll<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

/** Returns a bank that has all features; throws if one is missing. */
function requireAllFeatures(psp: Psp): Required<Omit<Psp, 'recurring'>> {
  const { refunds, payouts, disputes, account } = psp;
  if (!(refunds && payouts && disputes && account)) throw new Error('the bank lacks a feature');
  return { ...psp, refunds, payouts, disputes, account };
}

type Settings = Readonly<Record<string, string>>;

/** The gateway's settings for a bank at this URL. */
function settingsFor(bankUrl: string, bank: TestBank, more: Settings): Settings {
  return {
    PSP_BASE_URL: `${bankUrl}/v2`,
    PSP_TOKEN_URL: `${bankUrl}/oauth/token`,
    PSP_CLIENT_ID: bank.clientId,
    PSP_CLIENT_SECRET: bank.clientSecret,
    PIX_KEY: bank.account.key,
    ...more,
  };
}

const efi = { PSP: 'efi', PUBLIC_URL: 'https://pix.example', PSP_CA: bankCertificate.cert };
const connections: { name: string; hasMutualTls: boolean; settings: () => Settings }[] = [
  { name: 'PSP=sandbox', hasMutualTls: false, settings: () => ({ PSP: 'sandbox' }) },
  {
    name: 'PSP=efi, at another address, with mTLS by PEM',
    hasMutualTls: true,
    settings: () => ({ ...efi, PSP_CERT: ourCertificate.cert, PSP_KEY: ourCertificate.key }),
  },
  {
    name: 'PSP=efi, at another address, with mTLS by PKCS#12',
    hasMutualTls: true,
    settings: () => ({ ...efi, PSP_PFX: writePkcs12(), PSP_PASSPHRASE: 'segredo' }),
  },
];

describe.each(connections)('a bank connected by $name', ({ hasMutualTls, settings }) => {
  let bank: TestBank;
  let psp: Required<Omit<Psp, 'recurring'>>;
  let impatientPsp: Required<Omit<Psp, 'recurring'>>;

  beforeAll(async () => {
    bank = await startTestBank({
      hangMs: 1000,
      ...(hasMutualTls && { apiTls: { ...bankCertificate, ca: ourCertificate.cert } }),
    });
    const bankUrl = bank.apiUrl.replace('127.0.0.1', 'localhost');
    const config = readConfig(settingsFor(bankUrl, bank, settings()));
    // Two items a page, so that every list has several pages.
    psp = requireAllFeatures(connectBank(config, { itemsPerPage: 2 }));
    impatientPsp = requireAllFeatures(connectBank(config, { responseTimeoutMs: 300 }));
  });

  afterEach(() => bank.setBehaviour({}));

  afterAll(async () => {
    await psp.close();
    await impatientPsp.close();
    await bank.stop();
  });

  const newOrder = (amountCents = 2590) => ({
    txid: newTxid(),
    amountCents,
    expiresInSeconds: 1800,
    payerNote: 'Pagamento a Mercearia',
  });
  /** A Pix received for one of our charges. */
  const receivePix = async (amountCents: number) => {
    const { brCode } = await psp.createCharge(newOrder(amountCents));
    return bank.pay({ brCode });
  };

  test('creates a charge with a dynamic code, and finds the charge again', async () => {
    const order = newOrder();
    const created = await psp.createCharge(order);
    expect(created).toMatchObject({
      txid: order.txid,
      status: 'active',
      amountCents: 2590,
      pixKey: bank.account.key,
      expiresInSeconds: 1800,
      received: [],
    });
    expect(decodeBrCode(created.brCode ?? '')).toMatchObject({ kind: 'dynamic' });
    expect(await psp.findCharge(order.txid, 'immediate')).toEqual(created);
  });

  test('creates the same order twice as one charge', async () => {
    const order = newOrder();
    await psp.createCharge(order);
    expect(await psp.createCharge(order)).toMatchObject({ txid: order.txid, status: 'active' });
  });

  test('does not find unknown charges and Pix', async () => {
    expect(await psp.findCharge(newTxid(), 'immediate')).toBeUndefined();
    expect(await psp.findReceivedPix(noPix)).toBeUndefined();
  });

  test('confirms a payment by its endToEndId, on its charge and in its list', async () => {
    const order = newOrder(1234);
    const { brCode } = await psp.createCharge(order);
    const before = new Date(Date.now() - 60_000);
    const endToEndId = await bank.pay({ brCode });
    const confirmed = await psp.findReceivedPix(endToEndId);
    expect(confirmed).toMatchObject({ endToEndId, amountCents: 1234, txid: order.txid });
    expect((await psp.findCharge(order.txid, 'immediate'))?.received).toMatchObject([
      { endToEndId, txid: order.txid },
    ]);
    for (let more = 0; more < 2; more += 1) await receivePix(100);
    const listed = await readAll(psp.listReceivedPix(before, inAnHour()));
    expect(listed.find((pix) => pix.endToEndId === endToEndId)).toMatchObject({ amountCents: 1234 });
  });

  test('removes a charge', async () => {
    const order = newOrder();
    await psp.createCharge(order);
    expect(await psp.removeCharge(order.txid, 'immediate')).toMatchObject({ status: 'removed' });
  });

  test('definitely refuses an invalid charge', async () => {
    await expect(psp.createCharge({ ...newOrder(), txid: 'short' })).rejects.toBeInstanceOf(PspRefused);
  });

  test('that is down leaves the outcome unknown', async () => {
    await bank.setBehaviour({ charges: 'down' });
    await expect(psp.createCharge(newOrder())).rejects.toBeInstanceOf(PspUnknown);
    expect(psp.reachable()).toBe(false);
  });

  test('that refuses our credentials counts as unavailable', async () => {
    const bankUrl = bank.apiUrl.replace('127.0.0.1', 'localhost');
    const wrongSettings = settingsFor(bankUrl, bank, { ...settings(), PSP_CLIENT_SECRET: 'another' });
    const pspWithWrongCredentials = connectBank(readConfig(wrongSettings));
    await expect(pspWithWrongCredentials.createCharge(newOrder())).rejects.toBeInstanceOf(PspUnknown);
    expect(pspWithWrongCredentials.reachable()).toBe(false);
    await pspWithWrongCredentials.close();
  });

  test('that created the charge without a response leaves the outcome unknown, and finds the charge', async () => {
    await bank.setBehaviour({ charges: 'accepted-then-timeout' });
    const order = newOrder();
    await expect(psp.createCharge(order)).rejects.toBeInstanceOf(PspUnknown);
    await bank.setBehaviour({});
    expect(await psp.findCharge(order.txid, 'immediate')).toMatchObject({ status: 'active' });
  });

  test('that is slower than our time-out leaves the outcome unknown', async () => {
    await bank.setBehaviour({ charges: 'hang' });
    const outcome = impatientPsp.createCharge(newOrder());
    await expect(outcome).rejects.toBeInstanceOf(PspUnknown);
    await expect(outcome).rejects.toMatchObject({ cause: { name: 'TimeoutError' } });
  });

  test('stores the URL for notices', async () => {
    expect(await psp.findNoticeUrl()).toBeUndefined();
    await psp.registerNoticeUrl('http://localhost:1/psp/bacen/secret');
    expect(await psp.findNoticeUrl()).toBe('http://localhost:1/psp/bacen/secret');
  });

  describe('refunds', () => {
    const newRefund = (endToEndId: string, amountCents: number) => ({
      endToEndId,
      refundId: randomUUID().replaceAll('-', ''),
      amountCents,
      note: 'Produto em falta',
    });

    test('a part of a Pix, and shows the return on the Pix, individually and in the list', async () => {
      const endToEndId = await receivePix(3000);
      const order = newRefund(endToEndId, 1200);
      const response = await psp.refunds.requestRefund(order);
      const { refundId } = order;
      expect(response).toMatchObject({ refundId, amountCents: 1200, nature: 'requested' });
      await expect
        .poll(() => psp.refunds.findRefund(endToEndId, refundId))
        .toMatchObject({ refundId, amountCents: 1200, status: 'completed', rtrId: response.rtrId });
      const completed = await psp.refunds.findRefund(endToEndId, refundId);
      expect((await psp.findReceivedPix(endToEndId))?.returns).toEqual([completed]);
      const listed = await readAll(psp.listReceivedPix(anHourAgo(), inAnHour()));
      expect(listed.find((pix) => pix.endToEndId === endToEndId)?.returns).toEqual([completed]);
    });

    test('the same order only once', async () => {
      const endToEndId = await receivePix(1000);
      const order = newRefund(endToEndId, 1000);
      await psp.refunds.requestRefund(order);
      const repeated = await psp.refunds.requestRefund(order);
      expect(repeated).toMatchObject({ refundId: order.refundId, amountCents: 1000 });
      expect((await psp.findReceivedPix(endToEndId))?.returns).toHaveLength(1);
    });

    test('no more than was received: a definite refusal, with the bank’s code and text', async () => {
      const endToEndId = await receivePix(1000);
      const order = newRefund(endToEndId, 1001);
      await expect(psp.refunds.requestRefund(order)).rejects.toMatchObject({
        name: 'PspRefused',
        code: 'PixDevolucaoInvalida',
        reason: 'A devolução, com as anteriores, excederia o valor do Pix.',
      });
      expect(await psp.refunds.findRefund(endToEndId, order.refundId)).toBeUndefined();
    });

    test('no unknown Pix', async () => {
      await expect(psp.refunds.requestRefund(newRefund(noPix, 100))).rejects.toBeInstanceOf(PspRefused);
      expect(await psp.refunds.findRefund(noPix, 'abc')).toBeUndefined();
    });

    test('or reports later that it failed, and why', async () => {
      const endToEndId = await receivePix(5000);
      const order = newRefund(endToEndId, 1501);
      await psp.refunds.requestRefund(order);
      await expect
        .poll(() => psp.refunds.findRefund(endToEndId, order.refundId))
        .toMatchObject({ status: 'refused', reason: expect.stringMatching(/./) });
    });

    test('without a response: the outcome is unknown, and the refund is found by its id', async () => {
      const endToEndId = await receivePix(5000);
      const order = newRefund(endToEndId, 1504);
      await expect(psp.refunds.requestRefund(order)).rejects.toBeInstanceOf(PspUnknown);
      const { refundId } = order;
      expect(await psp.refunds.findRefund(endToEndId, refundId)).toMatchObject({ amountCents: 1504 });
      expect(await psp.refunds.requestRefund(order)).toMatchObject({ refundId, amountCents: 1504 });
    });

    test('without refusing an order that it accepted before, even if it denies knowing the order for a moment', async () => {
      const endToEndId = await receivePix(5000);
      const order = newRefund(endToEndId, 700);
      await psp.refunds.requestRefund(order);
      await bank.setBehaviour({ confirmations: 'not-found-first' });
      await expect(psp.refunds.requestRefund(order)).rejects.toBeInstanceOf(PspUnknown);
      expect(await psp.refunds.requestRefund(order)).toMatchObject({ amountCents: 700 });
    });

    test('with an unknown outcome while it is down', async () => {
      const endToEndId = await receivePix(1000);
      await bank.setBehaviour({ refunds: 'down', confirmations: 'down' });
      const order = newRefund(endToEndId, 100);
      await expect(psp.refunds.requestRefund(order)).rejects.toBeInstanceOf(PspUnknown);
      await expect(psp.refunds.findRefund(endToEndId, order.refundId)).rejects.toBeInstanceOf(PspUnknown);
    });
  });

  describe('sends payouts', () => {
    const someKey = '11d2c1f0-5a64-4b1e-8e0e-2f6d7c1b9a01';
    const newPayout = (amountCents: number, pixKey = someKey) => ({
      idEnvio: randomUUID().replaceAll('-', ''),
      amountCents,
      pixKey,
      note: 'Saque',
    });
    const countSent = async (idEnvio: string) =>
      (await bank.listPayouts()).filter((pix) => pix.idEnvio === idEnvio).length;

    beforeAll(() => bank.moveMoney('deposit', 1_000_000));

    test('to a key, and shows their outcome, individually and in the list', async () => {
      const order = newPayout(4321);
      const { idEnvio } = order;
      const response = await psp.payouts.sendPayout(order);
      expect(response).toMatchObject({ idEnvio, amountCents: 4321, returned: [], refusal: undefined });
      const completed = { idEnvio, endToEndId: response.endToEndId, amountCents: 4321, pixKey: someKey };
      await expect
        .poll(() => psp.payouts.findPayout(idEnvio))
        .toMatchObject({ ...completed, status: 'completed' });
      await psp.payouts.sendPayout(newPayout(1));
      await psp.payouts.sendPayout(newPayout(2));
      const listed = await readAll(psp.payouts.listPayouts(anHourAgo(), inAnHour()));
      expect(listed.find((listedPayout) => listedPayout.idEnvio === idEnvio)).toMatchObject(completed);
      expect(await readAll(psp.payouts.listPayouts(new Date(0), new Date(1000)))).toEqual([]);
    });

    test('once, even if the order is repeated, with the same outcome', async () => {
      expect(psp.payouts.isResendSafe).toBe(true);
      const order = newPayout(1000);
      const first = await psp.payouts.sendPayout(order);
      const repeated = await psp.payouts.sendPayout(order);
      expect(repeated).toMatchObject({ endToEndId: first.endToEndId, amountCents: 1000, pixKey: someKey });
      expect(await countSent(order.idEnvio)).toBe(1);
    });

    test('without refusing an order that it accepted before, even if it denies knowing the order for a moment', async () => {
      const order = newPayout(1000);
      await psp.payouts.sendPayout(order);
      await bank.setBehaviour({ confirmations: 'not-found-first' });
      await expect(psp.payouts.sendPayout(order)).rejects.toBeInstanceOf(PspUnknown);
      expect(await psp.payouts.sendPayout(order)).toMatchObject({ amountCents: 1000 });
    });

    test.for([
      { order: newPayout(1402), code: 'pagamento_negado' },
      {
        order: newPayout(1000, '00000000-0000-4000-8000-000000001409'),
        code: 'chave_favorecido_nao_encontrada',
      },
      { order: newPayout(900_000_000), code: 'saldo_insuficiente' },
      { order: newPayout(0), code: 'valor_invalido' },
    ])('unless it refuses in the call: $code is a definite refusal', async ({ order, code }) => {
      const refused = { name: 'PspRefused', code, reason: expect.stringMatching(/./) };
      await expect(psp.payouts.sendPayout(order)).rejects.toMatchObject(refused);
      expect(await psp.payouts.findPayout(order.idEnvio)).toBeUndefined();
    });

    test('or reports later that it failed, with a documented code', async () => {
      const order = newPayout(1401);
      await psp.payouts.sendPayout(order);
      await expect
        .poll(() => psp.payouts.findPayout(order.idEnvio))
        .toMatchObject({ status: 'refused', refusal: { code: 'AC03', reason: expect.stringMatching(/./) } });
    });

    test('without a response: the outcome is unknown, and the payout is found by its idEnvio', async () => {
      const order = newPayout(1404);
      await expect(psp.payouts.sendPayout(order)).rejects.toBeInstanceOf(PspUnknown);
      expect(await psp.payouts.findPayout(order.idEnvio)).toMatchObject({ amountCents: 1404 });
    });

    test('only after a resend if the order was lost without a response, and then once', async () => {
      const order = newPayout(1405);
      await expect(psp.payouts.sendPayout(order)).rejects.toBeInstanceOf(PspUnknown);
      expect(await psp.payouts.findPayout(order.idEnvio)).toBeUndefined();
      expect(await psp.payouts.sendPayout(order)).toMatchObject({ amountCents: 1405 });
      expect(await countSent(order.idEnvio)).toBe(1);
    });

    test('with an unknown outcome while it is down', async () => {
      await bank.setBehaviour({ payouts: 'down', confirmations: 'down' });
      const order = newPayout(1000);
      await expect(psp.payouts.sendPayout(order)).rejects.toBeInstanceOf(PspUnknown);
      await expect(psp.payouts.findPayout(order.idEnvio)).rejects.toBeInstanceOf(PspUnknown);
      await expect(readAll(psp.payouts.listPayouts(anHourAgo(), inAnHour()))).rejects.toBeInstanceOf(
        PspUnknown,
      );
    });

    test('and shows what was returned afterwards', async () => {
      const order = newPayout(1406);
      await psp.payouts.sendPayout(order);
      await expect.poll(() => psp.payouts.findPayout(order.idEnvio)).toMatchObject({ status: 'completed' });
      await bank.advance(61);
      await expect
        .poll(async () => (await psp.payouts.findPayout(order.idEnvio))?.returned)
        .toMatchObject([{ amountCents: 1406, rtrId: expect.stringMatching(/^D/) }]);
    });
  });

  describe('has disputes', () => {
    const listDisputes = () => readAll(psp.disputes.listDisputes(anHourAgo(), inAnHour()));

    test('with the contested amount, reason and deadline', async () => {
      const endToEndId = await receivePix(2000);
      const disputeId = await bank.openDispute({ endToEndId, amountCents: 1500, reason: 'golpe' });
      for (let more = 0; more < 2; more += 1) await bank.openDispute({ endToEndId: await receivePix(100) });
      const dispute = (await listDisputes()).find((one) => one.disputeId === disputeId);
      expect(dispute).toMatchObject({ endToEndId, amountCents: 1500, reason: 'golpe', status: 'open' });
      expect(dispute?.protocol).toMatch(/./);
      expect(Number(dispute?.deadlineAt) - Number(dispute?.openedAt)).toBeGreaterThan(24 * 3_600_000);
      const openedAt = dispute?.openedAt ?? new Date(0);
      expect(await psp.disputes.findDispute({ disputeId, openedAt })).toEqual(dispute);
      expect(await psp.disputes.findDispute({ disputeId: 'none', openedAt })).toBeUndefined();
      expect(await readAll(psp.disputes.listDisputes(new Date(0), new Date(1000)))).toEqual([]);
    });

    test('that take a repeated defence as one, and refuse a defence after the end', async () => {
      const endToEndId = await receivePix(2000);
      const disputeId = await bank.openDispute({ endToEndId });
      const openedAt =
        (await listDisputes()).find((one) => one.disputeId === disputeId)?.openedAt ?? new Date(0);
      const name = { disputeId, openedAt };
      const proof = { name: 'nota.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.7') };
      const defence = { text: 'Entregue em 20/11.', files: [proof] };
      await psp.disputes.sendDefence(name, defence);
      await psp.disputes.sendDefence(name, defence);
      expect(await psp.disputes.findDispute(name)).toMatchObject({ status: 'defended' });
      await bank.resolveDispute(disputeId, { accepted: false });
      expect(await psp.disputes.findDispute(name)).toMatchObject({ status: 'rejected' });
      await expect(psp.disputes.sendDefence(name, defence)).rejects.toMatchObject({
        name: 'PspRefused',
        code: 'InfracaoOperacaoInvalida',
      });
    });

    test('after which, if lost, the Pix has a return of the nature of disputes', async () => {
      const endToEndId = await receivePix(2000);
      const disputeId = await bank.openDispute({ endToEndId, amountCents: 800 });
      await bank.resolveDispute(disputeId, { accepted: true });
      await expect
        .poll(async () => (await psp.findReceivedPix(endToEndId))?.returns)
        .toMatchObject([{ amountCents: 800, nature: 'dispute', status: 'completed' }]);
      expect((await listDisputes()).find((one) => one.disputeId === disputeId)?.status).toBe('accepted');
    });

    test('that cannot be read while it is down', async () => {
      await bank.setBehaviour({ confirmations: 'down' });
      await expect(listDisputes()).rejects.toBeInstanceOf(PspUnknown);
    });
  });

  test('reports the available and the blocked balance', async () => {
    const before = await psp.account.readBalance();
    const endToEndId = await receivePix(5000);
    await bank.openDispute({ endToEndId, amountCents: 1999 });
    const { freeCents, blockedCents } = await psp.account.readBalance();
    expect(freeCents - before.freeCents).toBe(3001);
    expect(blockedCents - before.blockedCents).toBe(1999);
    expect(freeCents + blockedCents).toBe(await bank.balanceCents());
    await bank.setBehaviour({ confirmations: 'down' });
    await expect(psp.account.readBalance()).rejects.toBeInstanceOf(PspUnknown);
  });
});

test('a bank that refuses our credentials leaves the outcome unknown, although nothing was requested', async () => {
  const bank = await startTestBank();
  const wrongSecret = { PSP_CLIENT_SECRET: 'wrong' };
  const psp = connectBank(readConfig(settingsFor(bank.apiUrl, bank, wrongSecret)));
  await expect(psp.findCharge(newTxid(), 'immediate')).rejects.toBeInstanceOf(PspUnknown);
  await psp.close();
  await bank.stop();
});

test('a token that expires during calls is renewed once for all of them', async () => {
  const bank = await startTestBank({ tokenSeconds: 1 });
  const psp = connectBank(readConfig(settingsFor(bank.apiUrl, bank, {})));
  for (let round = 0; round < 3; round += 1) {
    const found = await Promise.all(Array.from({ length: 20 }, () => psp.findCharge(newTxid(), 'immediate')));
    expect(found).toEqual(Array(20).fill(undefined));
    await bank.advance(5);
  }
  await psp.close();
  await bank.stop();
});
