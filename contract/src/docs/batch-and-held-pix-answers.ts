import type { ExampleIds } from './example-calls.ts';

type Times = Readonly<Record<'createdAt' | 'paidAt' | 'changedAt', string>>;

/** The responses that the documentation shows for batches and for Pix that are held, by the name of the endpoint. */
export function batchAndHeldPixAnswers(
  ids: ExampleIds,
  { createdAt, paidAt, changedAt }: Times,
): Readonly<Record<string, unknown>> {
  const batch = {
    id: ids.batch,
    reference: 'Mensalidades de janeiro',
    status: 'completed',
    size: 1,
    waiting: 0,
    created: 1,
    refused: 0,
    cancelled: 0,
    created_at: createdAt,
    completed_at: paidAt,
  };
  const payerRules = { other_payer: 'hold', late: null, doubled: 'give_back' };
  const heldPix = {
    id: ids.held,
    end_to_end_id: 'E00000000202611221403a9c2e4f6b81',
    amount: 25.9,
    paid_at: paidAt,
    held_at: paidAt,
    why: 'other-payer',
    state: 'held',
    payment_id: ids.payment,
    external_id: 'pedido-1001',
    credited_payment_id: null,
    connection_id: null,
    payer: { name: 'Joana Teste', document: '***.456.789-**' },
    decided_at: null,
  };
  return {
    createChargeBatch: { ...batch, status: 'working', waiting: 1, created: 0, completed_at: null },
    listChargeBatches: { data: [batch], next: null },
    getChargeBatch: batch,
    listChargeBatchLines: {
      data: [
        {
          line: 1,
          external_id: 'mensalidade-41',
          state: 'refused',
          payment_id: null,
          checkout_url: null,
          content: null,
          code: 'DUE_TERMS_INVALID',
          message: 'O vencimento já passou.',
        },
      ],
      next: null,
    },
    cancelChargeBatch: { ...batch, created: 0, cancelled: 1 },
    getPayerRules: payerRules,
    setPayerRules: payerRules,
    listHeldPix: { data: [heldPix], next: null },
    acceptHeldPix: {
      ...heldPix,
      state: 'accepted',
      credited_payment_id: ids.payment,
      decided_at: changedAt,
    },
    giveBackHeldPix: { ...heldPix, state: 'returning', decided_at: changedAt },
  };
}
