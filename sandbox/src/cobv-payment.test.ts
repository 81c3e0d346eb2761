import { decodeBrCode, encodeDynamicBrCode } from '@jangada/pix';
import { expect, test } from 'vitest';
import { findSchemaViolations } from '../test/bacen-schema.ts';
import {
  type Client,
  givenBank,
  givenCobv,
  givenDirectory,
  givenReceiver,
  openAccount,
  setBehaviour,
} from '../test/bank.ts';

/** R$ 100.00 due on Friday, 7 August 2026: 2% and R$ 0.10 a day if late, R$ 5.00 less, R$ 10.00 less until the 3rd. */
const TERMS = {
  calendario: { dataDeVencimento: '2026-08-07', validadeAposVencimento: 10 },
  valor: {
    original: '100.00',
    multa: { modalidade: 2, valorPerc: '2.00' },
    juros: { modalidade: 1, valorPerc: '0.10' },
    abatimento: { modalidade: 1, valorPerc: '5.00' },
    desconto: { modalidade: 1, descontoDataFixa: [{ data: '2026-08-03', valorPerc: '10.00' }] },
  },
};

const DAY = 86_400;

/** Starts a bank at noon in São Paulo of Monday, 3 August 2026. */
const givenBankInAugust = (options: Parameters<typeof givenBank>[0] = {}) =>
  givenBank({ machineNow: () => Date.parse('2026-08-03T15:00:00Z'), ...options });
const advance = (bank: Client, seconds: number) =>
  bank.call('POST', '/sandbox/clock', { advanceSeconds: seconds });
const pay = (bank: Client, body: object) => bank.call('POST', '/sandbox/payments', body);
const readPix = async (bank: Client, endToEndId: string) =>
  (await bank.api('GET', `/v2/pix/${endToEndId}`)).body;

test.each([
  ['early', 0, 85, { abatimento: { valor: '5.00' }, desconto: { valor: '10.00' } }],
  ['on the due date', 4, 95, { abatimento: { valor: '5.00' } }],
  ['at the weekend after', 5, 95, { abatimento: { valor: '5.00' } }],
  ['late', 7, 97.2, { abatimento: { valor: '5.00' }, multa: { valor: '1.90' }, juros: { valor: '0.30' } }],
])(
  'a charge paid %s completes with the amount of that day and its parts',
  async (_name, days, amount, parts) => {
    const bank = await givenBankInAugust();
    const { txid, brCode } = await givenCobv(bank, TERMS);
    await advance(bank, days * DAY);
    const paid = await pay(bank, { brCode });
    expect(paid).toMatchObject({ status: 201, body: { txid, amount } });
    const pix = await readPix(bank, paid.body.endToEndId);
    expect(pix.componentesValor).toEqual({ original: { valor: '100.00' }, ...parts });
    expect(Number(pix.valor)).toBe(amount);
    const { body } = await bank.api('GET', `/v2/cobv/${txid}`);
    expect(body).toMatchObject({ status: 'CONCLUIDA', pix: [pix] });
    expect(findSchemaViolations('CobVCompleta', body)).toEqual([]);
    expect((await pay(bank, { brCode })).body.error.code).toBe('CHARGE_PAID');
  },
);

test('the webhook says the parts of the amount too', async () => {
  const bank = await givenBankInAugust();
  const receiver = await givenReceiver();
  await bank.api('PUT', `/v2/webhook/${bank.sandbox.account.key}`, { webhookUrl: receiver.url });
  const { brCode } = await givenCobv(bank, TERMS);
  const paid = await pay(bank, { brCode });
  await receiver.waitForCalls(1);
  expect(receiver.calls[0]?.pix).toEqual([await readPix(bank, paid.body.endToEndId)]);
});

test('a charge is taken until the end of its last day in São Paulo, and then refused as expired', async () => {
  const bank = await givenBankInAugust();
  const { brCode } = await givenCobv(bank, TERMS);
  // The last day is Monday, 17 August, which ends at 03:00 UTC of the 18th.
  await advance(bank, 14 * DAY + 12 * 3600);
  expect((await pay(bank, { brCode })).body.error).toEqual({
    code: 'CHARGE_EXPIRED',
    message: 'Esta cobrança expirou. Peça um código novo.',
  });
  const again = await givenBankInAugust();
  const charge = await givenCobv(again, TERMS);
  await advance(again, 14 * DAY + 12 * 3600 - 1);
  expect((await pay(again, { brCode: charge.brCode })).status).toBe(201);
});

test('another amount, and a removed or expired charge, are refused unless forced', async () => {
  const bank = await givenBankInAugust();
  const { txid, brCode } = await givenCobv(bank, TERMS);
  expect((await pay(bank, { brCode, amount: 100 })).body.error.code).toBe('AMOUNT_MISMATCH');
  await bank.api('PATCH', `/v2/cobv/${txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  expect((await pay(bank, { brCode })).body.error.code).toBe('CHARGE_REMOVED');
  const forced = await pay(bank, { brCode, amount: 7, force: true });
  expect((await readPix(bank, forced.body.endToEndId)).componentesValor).toEqual({
    original: { valor: '7.00' },
  });
  const other = await givenCobv(bank, TERMS);
  await advance(bank, 30 * DAY);
  const late = await pay(bank, { brCode: other.brCode, force: true });
  expect(late.body).toMatchObject({ txid: other.txid, amount: 99.5 });
  expect((await bank.api('GET', `/v2/cobv/${other.txid}`)).body.status).toBe('CONCLUIDA');
});

test('a charge whose discount leaves nothing to pay is refused', async () => {
  const bank = await givenBankInAugust();
  const desconto = { modalidade: 5, valorPerc: '50.00' };
  const { brCode } = await givenCobv(bank, { ...TERMS, valor: { original: '10.00', desconto } });
  expect((await pay(bank, { brCode })).body.error.code).toBe('INVALID_AMOUNT');
});

test('a payment to the key with the txid of a charge does not complete it', async () => {
  const bank = await givenBankInAugust();
  const { txid } = await givenCobv(bank, TERMS);
  const paid = await pay(bank, { key: bank.sandbox.account.key, amount: 85, txid });
  expect((await readPix(bank, paid.body.endToEndId)).componentesValor).toEqual({
    original: { valor: '85.00' },
  });
  const { body } = await bank.api('GET', `/v2/cobv/${txid}`);
  expect(body.status).toBe('ATIVA');
  expect(body.pix).toHaveLength(1);
});

test('the bank can leave the parts of an amount out, or say wrong ones, of what is paid meanwhile', async () => {
  const bank = await givenBankInAugust();
  const charges = [];
  for (const valueParts of ['left-out', 'wrong', 'normal']) {
    await setBehaviour(bank, { valueParts });
    const { txid, brCode } = await givenCobv(bank, TERMS);
    const paid = await pay(bank, { brCode });
    charges.push({
      status: (await bank.api('GET', `/v2/cobv/${txid}`)).body.status,
      endToEndId: paid.body.endToEndId,
    });
  }
  expect(charges.map(({ status }) => status)).toEqual(['CONCLUIDA', 'CONCLUIDA', 'CONCLUIDA']);
  const [leftOut, wrong, normal] = await Promise.all(
    charges.map(({ endToEndId }) => readPix(bank, endToEndId)),
  );
  const right = {
    original: { valor: '100.00' },
    abatimento: { valor: '5.00' },
    desconto: { valor: '10.00' },
  };
  expect(leftOut).not.toHaveProperty('componentesValor');
  expect(wrong.componentesValor).toEqual({ ...right, juros: { valor: '1.00' } });
  expect(normal.componentesValor).toEqual(right);
});

test('a payment and its parts survive a restart', async () => {
  const dataDir = await givenDirectory();
  const bank = await givenBankInAugust({ dataDir });
  await setBehaviour(bank, { valueParts: 'wrong' });
  const { txid, brCode } = await givenCobv(bank, TERMS);
  const paid = await pay(bank, { brCode });
  const pix = await readPix(bank, paid.body.endToEndId);
  await bank.sandbox.stop();
  const restarted = await givenBankInAugust({ dataDir });
  expect(await readPix(restarted, paid.body.endToEndId)).toEqual(pix);
  expect((await restarted.api('GET', `/v2/cobv/${txid}`)).body.status).toBe('CONCLUIDA');
});

test('a code pays the account that made it', async () => {
  const bank = await givenBankInAugust();
  const account = await openAccount(bank);
  const { txid, brCode } = await givenCobv(account, TERMS);
  await pay(bank, { brCode });
  expect((await account.api('GET', `/v2/cobv/${txid}`)).body.status).toBe('CONCLUIDA');
  expect((await bank.call('GET', '/sandbox/account')).body.balance).toBe(0);
});

test('the path of a location pays only its kind of charge', async () => {
  const bank = await givenBankInAugust();
  const { brCode } = await givenCobv(bank, TERMS);
  const page = async (code: string) =>
    (await bank.call('GET', `/?codigo=${encodeURIComponent(code)}`, undefined, { accept: 'text/html' })).body;
  expect(await page(brCode)).toContain('Você vai pagar');
  const code = decodeBrCode(brCode);
  const url = code.kind === 'dynamic' ? code.url.replace('/cobv/', '/') : '';
  const wrong = encodeDynamicBrCode({ url, merchantName: 'A', merchantCity: 'B' });
  expect((await pay(bank, { brCode: wrong })).body.error.code).toBe('CHARGE_NOT_FOUND');
});

test('the app shows what is owed and why before it pays, and on the receipt', async () => {
  const bank = await givenBankInAugust();
  const texts = { solicitacaoPagador: 'Mensalidade de agosto' };
  const { brCode } = await givenCobv(bank, { ...TERMS, ...texts });
  await advance(bank, 7 * DAY);
  const page = async (path: string) =>
    (await bank.call('GET', path, undefined, { accept: 'text/html' })).body.replaceAll('\u00a0', ' ');
  const before = await page(`/?codigo=${encodeURIComponent(brCode)}`);
  for (const text of ['R$ 97,20', '07/08/2026', '17/08/2026', 'Mensalidade de agosto', 'Ana']) {
    expect(before).toContain(text);
  }
  const paid = await pay(bank, { brCode });
  const receipt = await page(`/comprovante/${paid.body.endToEndId}`);
  for (const shown of [before, receipt]) {
    for (const text of ['Valor original', 'R$ 100,00', 'Multa', 'R$ 1,90', 'Juros', 'R$ 0,30', '-R$ 5,00']) {
      expect(shown).toContain(text);
    }
    expect(shown).not.toContain('Desconto');
  }
  expect(await page('/pagamentos')).toContain('Mensalidade de agosto');
});
