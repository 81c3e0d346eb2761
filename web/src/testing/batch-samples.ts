import type { ChargeBatch, ChargeBatchLine, HeldPix } from '@jangada/contract';

/** A batch that is done, with a refused line. */
export const chargeBatchSample: ChargeBatch = {
  id: '01997f3e-7a10-7c41-8b3a-61f2d8c07b01',
  reference: 'Mensalidades de janeiro',
  status: 'completed',
  size: 40,
  waiting: 0,
  created: 39,
  refused: 1,
  cancelled: 0,
  created_at: '2026-11-22T14:00:00.000Z',
  completed_at: '2026-11-22T14:01:10.000Z',
};

/** A batch of which most lines still wait. */
export const workingBatch: ChargeBatch = {
  ...chargeBatchSample,
  id: '01997f3e-7a10-7c41-8b3a-61f2d8c07b02',
  reference: 'Contratos de 2027',
  status: 'working',
  size: 10_000,
  waiting: 5_800,
  created: 4_188,
  refused: 12,
  completed_at: null,
};

export const batchLines: readonly ChargeBatchLine[] = [
  {
    line: 1,
    external_id: 'mensalidade-41',
    state: 'created',
    payment_id: '01997f3e-7a10-7c41-8b3a-61f2d8c07a55',
    checkout_url: 'http://localhost:3000/pagar/0000000a7f3a9c2e51d84b0aa6e2Ab12',
    content: '000201',
    code: null,
    message: null,
  },
  {
    line: 2,
    external_id: 'mensalidade-42',
    state: 'refused',
    payment_id: null,
    checkout_url: null,
    content: null,
    code: 'DUE_TERMS_INVALID',
    message: 'O vencimento já passou.',
  },
  ...(['waiting', 'cancelled'] as const).map((state, place) => ({
    line: 3 + place,
    external_id: `mensalidade-${43 + place}`,
    state,
    payment_id: null,
    checkout_url: null,
    content: null,
    code: null,
    message: null,
  })),
];

const day = 86_400_000;

/** A Pix of another payer that waits for a decision, paid yesterday. */
export const heldPixSample: HeldPix = {
  id: '01997f3e-7a10-7c41-8b3a-61f2d8c07c01',
  end_to_end_id: 'E00000000202611221403a9c2e4f6b81',
  amount: 150,
  paid_at: new Date(Date.now() - day).toISOString(),
  held_at: new Date(Date.now() - day).toISOString(),
  why: 'other-payer',
  state: 'held',
  payment_id: '01997f3e-7a10-7c41-8b3a-61f2d8c07a55',
  external_id: 'mensalidade-41',
  credited_payment_id: null,
  connection_id: null,
  payer: { name: 'Bento Albuquerque', document: '***.344.518-**' },
  decided_at: null,
};

/** One Pix for each reason and each state. */
export const heldPixSamples: readonly HeldPix[] = [
  heldPixSample,
  ...(
    [
      { why: 'late', state: 'held', external_id: null },
      { why: 'second-payment', state: 'held', paid_at: new Date(Date.now() - 91 * day).toISOString() },
      { why: 'wrong-amount', state: 'accepted', connection_id: '3' },
      { why: 'wrong-key', state: 'returning', connection_id: '3', payer: null },
      { why: 'below-fee', state: 'returned', connection_id: '3' },
    ] as const
  ).map((change, place) => ({
    ...heldPixSample,
    id: `01997f3e-7a10-7c41-8b3a-61f2d8c07c${10 + place}`,
    ...(change.state !== 'held' && {
      decided_at: new Date().toISOString(),
      credited_payment_id: heldPixSample.payment_id,
    }),
    ...change,
  })),
];
