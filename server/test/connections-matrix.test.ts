import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BankDispute, BankPayout, BankReceivedPix, BankReturn, Psp } from '../src/psp/index.ts';
import { type StandingAccount, startThreeAccounts, type ThreeAccounts } from './three-accounts.ts';

// For each two of three accounts: whatever the first account's bank says, and whatever reaches its path, nothing changes at
// the second. One is the operator's own; one is a merchant's at the same bank; one is another merchant's at another bank.

let three: ThreeAccounts;
beforeAll(async () => {
  three = await startThreeAccounts();
}, 180_000);
afterAll(() => three?.stop());

const names = ['house', 'own', 'other'] as const;
const pairs = names.flatMap((from) => names.filter((name) => name !== from).map((to) => [from, to] as const));

const newEndToEndId = () => `E99999999202611281500${randomBytes(6).toString('hex').slice(0, 11)}`;
const now = () => three.gateway.deps.clock.now();
const noticeOf = ({ endToEndId, txid, amountCents }: Told) => ({
  ...{ endToEndId, txid, valor: (amountCents / 100).toFixed(2), horario: now().toISOString() },
});
type Told = { readonly endToEndId: string; readonly txid: string | undefined; readonly amountCents: number };

/** A Pix as a bank lists it. */
const pixOf = ({ endToEndId, txid, amountCents }: Told, returns: BankReturn[] = []): BankReceivedPix => ({
  ...{ endToEndId, txid, amountCents, paidAt: now(), pixKey: undefined, returns },
});
const returnOf = (refundId: string): BankReturn => ({
  ...{ refundId, rtrId: `D${randomUUID().replaceAll('-', '')}`, amountCents: 10_00, nature: 'requested' },
  ...{ status: 'completed', at: now(), reason: undefined },
});

/** A bank that lists these Pix, and finds them. */
const listing = (...pix: BankReceivedPix[]): Partial<Psp> => ({
  findReceivedPix: async (id) => pix.find(({ endToEndId }) => endToEndId === id),
  async *listReceivedPix() {
    yield pix;
  },
});

/** Pays the open charge of an account, as somebody else's bank says it. */
const paymentOfOpen = ({ openTxid }: StandingAccount): Told => ({
  ...{ endToEndId: newEndToEndId(), txid: openTxid, amountCents: 25_00 },
});

/** What the bank of `a`, or who knows the path of its notices, does about `b`. */
type Form = (a: StandingAccount, b: StandingAccount) => Promise<void>;

const forms: Readonly<Record<string, Form>> = {
  'a notice of a payment of its charge': async (a, b) => {
    const payment = paymentOfOpen(b);
    expect(await three.tell(`${three.pathOf(a.id)}/pix`, [noticeOf(payment)])).toBe(200);
    await three.runLoops({ at: a.id, psp: listing(pixOf(payment)) });
  },
  'a notice of its Pix, which its bank does not know': async (a, b) => {
    expect(await three.tell(three.pathOf(a.id), [noticeOf(b.paid)])).toBe(200);
    await three.runLoops();
  },
  'a hundred notices, with one of its Pix and one of its charge': async (a, b) => {
    const payments = [
      ...Array.from({ length: 98 }, () => ({
        endToEndId: newEndToEndId(),
        txid: undefined,
        amountCents: 1_00,
      })),
      ...[b.paid, paymentOfOpen(b)],
    ];
    expect(await three.tell(`${three.pathOf(a.id)}/pix`, payments.map(noticeOf))).toBe(200);
    await three.runLoops({ at: a.id, psp: listing(...payments.map((payment) => pixOf(payment))) });
  },
  'a list with its Pix': async (a, b) => {
    await three.runLoops({ at: a.id, psp: listing(pixOf(b.paid), pixOf(paymentOfOpen(b))) });
  },
  'a look-up that answers with its charge, paid': async (a, b) => {
    const { connection } = three.at(b.id);
    const charge = {
      ...{ txid: b.openTxid, status: 'completed' as const, amountCents: 25_00, pixKey: connection.pixKey },
      ...{ createdAt: now(), expiresInSeconds: 86_400, dueDate: undefined, brCode: undefined },
      received: [pixOf(paymentOfOpen(b))],
    };
    const psp = { ...listing(...charge.received), findCharge: async () => charge };
    await three.runLoops({ at: a.id, psp });
  },
  'a charge under its txid, paid there': async (a, b) => {
    const { psp } = three.at(a.id);
    const { brCode } = await psp.createCharge({
      ...{ txid: b.openTxid, amountCents: 25_00, expiresInSeconds: 3600, payerNote: '' },
    });
    await a.bank.pay({ brCode });
    await three.runLoops();
  },
  'a payment of its own charge under an endToEndId that it has too': async (a, b) => {
    const payment = { ...b.paid, txid: a.openTxid, amountCents: 25_00 };
    expect(await three.tell(`${three.pathOf(a.id)}/pix`, [noticeOf(payment)])).toBe(200);
    await three.runLoops({ at: a.id, psp: listing(pixOf(payment)) });
  },
  'a return of its Pix, and a hint of it': async (a, b) => {
    const returns = [returnOf(b.bankRefundId), returnOf(`MED${randomBytes(8).toString('hex')}`)];
    const devolucoes = returns.map(({ refundId }) => ({ id: refundId, valor: '10.00', status: 'DEVOLVIDO' }));
    const item = { ...noticeOf(b.paid), devolucoes };
    expect(await three.tell(`${three.pathOf(a.id)}/pix`, [item])).toBe(200);
    const findRefund = async () => returns[0];
    const { refunds } = three.at(a.id).psp;
    const psp = {
      ...listing(pixOf(b.paid, returns)),
      ...(refunds && { refunds: { ...refunds, findRefund } }),
    };
    await three.runLoops({ at: a.id, psp });
  },
  'a payout of its withdrawal, and a hint of it': async (a, b) => {
    const idEnvio = b.idEnvio ?? randomUUID().replaceAll('-', '');
    expect(await three.tell(three.pathOf(a.id), [{ tipo: 'SOLICITACAO', gnExtras: { idEnvio } }])).toBe(200);
    const { payouts } = three.at(a.id).psp;
    for (const status of ['refused', 'completed'] as const) {
      const payout: BankPayout = {
        ...{ idEnvio, endToEndId: newEndToEndId(), status, amountCents: 50_00, pixKey: 'maria@example.com' },
        ...{ requestedAt: now(), refusal: undefined, returned: [] },
      };
      const said = {
        findPayout: async () => payout,
        async *listPayouts() {
          yield [payout];
        },
      };
      await three.runLoops({ at: a.id, psp: { ...(payouts && { payouts: { ...payouts, ...said } }) } });
    }
  },
  'a dispute of its Pix, and a hint of it': async (a, b) => {
    const { endToEndId } = b.paid;
    expect(await three.tell(three.pathOf(a.id), [{ tipo: 'INFRACAO', endToEndId }])).toBe(200);
    const { disputes } = three.at(a.id).psp;
    const dispute: BankDispute = {
      ...{ disputeId: randomUUID(), endToEndId, protocol: '1', amountCents: 25_00, reason: 'golpe' },
      ...{ status: 'open', openedAt: now(), deadlineAt: new Date(now().getTime() + 86_400_000) },
    };
    const said = {
      findDispute: async () => dispute,
      async *listDisputes() {
        yield [dispute];
      },
    };
    await three.runLoops({ at: a.id, psp: { ...(disputes && { disputes: { ...disputes, ...said } }) } });
  },
  'a notice that comes with the secret of the other path': async (a, b) => {
    const secretOf = (id: number) => three.pathOf(id).split('/').at(-1) ?? '';
    const crossed = three.pathOf(b.id).replace(secretOf(b.id), secretOf(a.id));
    const crossedBack = three.pathOf(a.id).replace(secretOf(a.id), secretOf(b.id));
    const notice = noticeOf(paymentOfOpen(b));
    for (const path of [crossed, crossedBack])
      for (const suffix of ['', '/pix']) expect(await three.tell(path + suffix, [notice])).toBe(404);
    await three.runLoops();
  },
};

describe.each(pairs)('what the bank of the account “%s” says of the account “%s”:', (from, to) => {
  const both = () => [three.accounts[from], three.accounts[to]] as const;
  test.each(Object.entries(forms))('%s changes nothing there', async (_, form) => {
    const [a, b] = both();
    await three.runLoops();
    const before = await three.snapshot(b.id);
    await form(a, b);
    await three.runLoops();
    expect(await three.snapshot(b.id)).toEqual(before);
  });

  test('its own notices, repeated there, book nothing', async () => {
    const [a, b] = both();
    await three.runLoops();
    const { psp_inbox: _, ...before } = await three.snapshot(b.id);
    for (const told of [a.paid, { ...a.paid, txid: b.openTxid }, { ...a.paid, endToEndId: newEndToEndId() }])
      expect(await three.tell(`${three.pathOf(b.id)}/pix`, [noticeOf(told)])).toBe(200);
    await three.runLoops();
    // What was told waits, or was refused, in the inbox.
    const { psp_inbox: __, ...after } = await three.snapshot(b.id);
    expect(after).toEqual(before);
  });
});
