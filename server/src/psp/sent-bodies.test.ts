import type { DueTerms } from '@jangada/pix';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findRequestViolations } from '../../test/bacen-request-schema.ts';
import { type ScriptedBank, startScriptedBank } from '../../test/scripted-bank.ts';
import { newChargeIds } from '../payments/bank-ids.ts';
import type { Psp } from './psp.ts';
import type { MandateOrder } from './recurring.ts';

// Every body that we send is valid by the central bank's own specification of API Pix.

let bank: ScriptedBank;
let psp: Psp;
const accounts = ['corrente 9708 012682', 'poupanca 12', 'pagamento 0001 12345678901234567890'];

beforeAll(async () => {
  bank = await startScriptedBank();
});
beforeEach(() => {
  bank.calls = [];
  bank.responses = { 'GET /v2/cobr/': { status: 404, body: { nome: 'nao_encontrado' } } };
});
afterAll(() => bank.stop());

/** The answers are empty, and so are unknown outcomes: only what was sent counts. */
async function sent(call: (psp: Psp) => Promise<unknown> | undefined, account = accounts[0]) {
  psp = bank.connect({ PSP_ACCOUNT: account ?? '' });
  await call(psp)?.catch(() => undefined);
  await psp.close();
  const body = bank.calls.filter(({ path }) => path !== '/oauth/token')[0]?.body;
  expect(body).toBeTruthy();
  return JSON.parse(body ?? '');
}

const txid = newChargeIds(1, new Date()).txid;
const person = { name: 'Maria da Silva', document: '52998224725' };
const company = { name: 'Empório Silva', document: '11222333000181' };
const charge = { txid, amountCents: 123_456, expiresInSeconds: 3600, payerNote: 'Camiseta' };

describe('a charge', () => {
  test.for([{}, { billedTo: person }, { billedTo: company }])('%j', async (more) => {
    const body = await sent((psp) => psp.createCharge({ ...charge, ...more }));
    expect(findRequestViolations('CobSolicitada', body)).toStrictEqual([]);
  });

  const days = ['calendar', 'business'] as const;
  const terms: Partial<DueTerms>[] = [
    {},
    { fine: { unit: 'amount', cents: 100 }, rebate: { unit: 'percent', hundredths: 250 } },
    ...days.flatMap((kind): Partial<DueTerms>[] => [
      { interest: { unit: 'amount', cents: 5, days: kind } },
      ...(['day', 'month', 'year'] as const).map((per) => ({
        interest: { unit: 'percent', hundredths: 100, per, days: kind } as const,
      })),
      { discount: { kind: 'each-day', unit: 'amount', cents: 5, days: kind } },
      { discount: { kind: 'each-day', unit: 'percent', hundredths: 5, days: kind } },
    ]),
    {
      discount: {
        kind: 'until',
        steps: [
          { until: '2026-11-20', unit: 'percent', hundredths: 500 },
          { until: '2026-11-25', unit: 'percent', hundredths: 250 },
        ],
      },
    },
  ];
  test.for(terms)('with a due date and %j', async (more) => {
    const due = { originalCents: 123_456, dueDate: '2026-12-01', validAfterDueDays: 30, ...more };
    for (const billedTo of [person, company]) {
      bank.calls = [];
      const body = await sent((psp) => psp.createCharge({ ...charge, billedTo, due }));
      expect(findRequestViolations('CobVSolicitada', body)).toStrictEqual([]);
    }
  });

  test('that is removed, and a refund', async () => {
    const removed = await sent((psp) => psp.removeCharge(txid, 'immediate'));
    expect(findRequestViolations('CobRevisada', removed)).toStrictEqual([]);
    bank.calls = [];
    const removedDue = await sent((psp) => psp.removeCharge(txid, 'due'));
    expect(findRequestViolations('CobVRevisada', removedDue)).toStrictEqual([]);
    bank.calls = [];
    const order = { endToEndId: 'E1', refundId: 'r1', amountCents: 5, note: 'Troca' };
    const refund = await sent((psp) => psp.refunds?.requestRefund(order));
    expect(findRequestViolations('DevolucaoSolicitada', refund)).toStrictEqual([]);
  });
});

describe('Pix Automático', () => {
  const idRec = 'RR1234567820240115abcdefghijk';
  const mandate: MandateOrder = {
    ...{ contract: 'a'.repeat(35), object: 'Plano mensal', payer: person, firstDay: '2026-12-01' },
    ...{ lastDay: undefined, period: 'monthly', amountCents: 9990, minMaximumCents: undefined },
    ...{ allowsRetries: true, locationId: undefined, firstChargeTxid: undefined },
  };

  test.for<Partial<MandateOrder>>([
    {},
    { payer: company, lastDay: '2027-12-01', allowsRetries: false },
    { amountCents: undefined },
    { amountCents: undefined, minMaximumCents: 5000 },
    { locationId: 108, firstChargeTxid: txid },
    ...(['weekly', 'quarterly', 'semiannual', 'annual'] as const).map((period) => ({ period })),
  ])('a mandate with %j', async (more) => {
    const body = await sent((psp) => psp.recurring?.createMandate({ ...mandate, ...more }));
    expect(findRequestViolations('RecSolicitada', body)).toStrictEqual([]);
  });

  test.for(accounts)('a debit into the account %s', async (account) => {
    for (const note of ['', 'a'.repeat(140)]) {
      bank.calls = [];
      const order = { txid, idRec, amountCents: 9990, dueDate: '2026-12-01', note };
      const body = await sent((psp) => psp.recurring?.createDebit(order), account);
      expect(findRequestViolations('CobRSolicitada', body)).toStrictEqual([]);
    }
  });

  test.for([
    { payer: person, branch: undefined },
    { payer: company, branch: '0001' },
  ])('a request pushed to %j', async ({ payer, branch }) => {
    const order = { idRec, expiresAt: new Date(), payer, account: { ispb: '00000000', number: '1', branch } };
    const body = await sent((psp) => psp.recurring?.pushToPayer(order));
    expect(findRequestViolations('SolicRecSolicitada', body)).toStrictEqual([]);
  });

  test.for<[string, (psp: Psp) => Promise<unknown> | undefined]>([
    ['PayloadLocationRecSolicitada', ({ recurring }) => recurring?.createLocation()],
    ['RecRevisada', ({ recurring }) => recurring?.cancelMandate(idRec)],
    ['SolicRecRevisada', ({ recurring }) => recurring?.cancelPush('SC1')],
    ['CobRRevisada', ({ recurring }) => recurring?.cancelDebit(txid)],
    ['WebhookSolicitado', (psp) => psp.registerNoticeUrl('https://pix.example/psp/efi/x')],
    [
      'WebhookRecSolicitado',
      ({ recurring }) => recurring?.mandateNotices.registerNoticeUrl('https://pix.example/x'),
    ],
    [
      'WebhookCobRSolicitado',
      ({ recurring }) => recurring?.debitNotices.registerNoticeUrl('https://pix.example/x'),
    ],
  ])('%s', async ([schema, call]) => {
    expect(findRequestViolations(schema, await sent(call))).toStrictEqual([]);
  });

  test('a body that the specification does not allow is found', () => {
    const devedor = { cpf: '5299822472', nome: 'Maria' };
    const violations = findRequestViolations('RecSolicitada', {
      vinculo: { contrato: 'a'.repeat(36), devedor, objecto: 'x' },
      calendario: { dataInicial: '2026-13-01', periodicidade: 'BIMESTRAL' },
      valor: { valorRec: '9.9' },
      politicaRetentativas: 'NAO_PERMITE',
    });
    for (const field of ['contrato', 'devedor', 'vinculo ', 'dataInicial', 'periodicidade', 'valorRec'])
      expect(violations.join('\n'), field).toContain(field);
    expect(violations).toContain('RecSolicitada must NOT have unevaluated properties');
    expect(violations).toContain("RecSolicitada must have required property 'politicaRetentativa'");
  });
});
