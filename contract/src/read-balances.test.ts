import { expect, test } from 'vitest';
import { parseDisputeDetail, parsePaymentRefunds, parseReserves, parseStatement } from './read-balances.ts';

const moment = '2026-11-21T17:32:00.000Z';

test('the refunds of a payment are read into integer cents', () => {
  const refund = {
    id: 'r1',
    refund_id: null,
    payment_id: 'p1',
    status: 'processing',
    amount: 19.99,
    reason: '',
    origin: 'panel',
    error: null,
    rtr_id: null,
    created_at: moment,
    completed_at: null,
  };
  const read = parsePaymentRefunds({
    refunds: [refund],
    refunded_amount: 0.07,
    refunding_amount: 19.99,
    refundable_amount: 80.01,
    refundable_until: moment,
    blocked_because: null,
  });
  expect(read).toMatchObject({ refundedCents: 7, refundingCents: 1999, refundableCents: 8001 });
  expect(read.refunds).toMatchObject([{ id: 'r1', amountCents: 1999, completedAt: null }]);
});

test('a dispute is read with its blocked, uncovered and returned amounts', () => {
  const dispute = {
    id: 'd1',
    payment_id: null,
    end_to_end_id: 'E1',
    protocol: '99',
    status: 'open',
    reason: 'Golpe',
    amount: 100.1,
    blocked_amount: 60.05,
    shortfall_amount: 40.05,
    returned_amount: 0,
    deadline: moment,
    defended_at: null,
    opened_at: moment,
    resolved_at: null,
    defence: null,
    files: [{ id: 'f1', name: 'nota.pdf', type: 'application/pdf', size: 9 }],
    takes_files: true,
  };
  expect(parseDisputeDetail(dispute)).toMatchObject({
    paymentId: null,
    amountCents: 10_010,
    blockedCents: 6005,
    shortfallCents: 4005,
    files: [{ name: 'nota.pdf' }],
  });
});

test('a statement line keeps its sign and its reference', () => {
  const line = {
    id: 'l1',
    at: moment,
    kind: 'payment',
    description: 'Pagamento recebido',
    amount: 408.81,
    gross: 412.9,
    fee: 4.09,
    reserved: null,
    balance: 408.81,
    subject_id: 'p1',
    subject_type: 'payment',
  };
  const withdrawalLine = { ...line, id: 'l2', kind: 'withdrawal', amount: -8.81, gross: null, fee: null };
  const read = parseStatement({
    lines: [{ ...withdrawalLine, balance: 400, subject_id: null, subject_type: null }, line],
    from: '2026-10-23',
    to: '2026-11-21',
    opening_balance: 0,
    closing_balance: 400,
    total_in: 408.81,
    total_out: 8.81,
    next: null,
  });
  expect(read).toMatchObject({ openingCents: 0, inCents: 40_881, outCents: 881, closingCents: 40_000 });
  expect(read.lines).toMatchObject([
    { amountCents: -881, balanceCents: 40_000, subject: null },
    { amountCents: 40_881, grossCents: 41_290, feeCents: 409, subject: { type: 'payment', id: 'p1' } },
  ]);
});

test('reserves are read by day', () => {
  const read = parseReserves({ total: 3.3, releases: [{ day: '2026-12-01', amount: 3.3, payments: 2 }] });
  expect(read).toEqual({
    totalCents: 330,
    releases: [{ day: '2026-12-01', amountCents: 330, payments: 2 }],
  });
});
