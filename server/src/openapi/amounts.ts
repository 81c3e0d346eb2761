import {
  apiWithdrawRequest,
  balanceBrl,
  brl,
  brlFromCents,
  brlSum,
  chargeBrl,
  MAX_CENTS,
  MIN_CHARGE_CENTS,
  MIN_WITHDRAWAL_CENTS,
  newPayment,
  percent,
  positiveBrl,
  requestedRefundAmount,
  type Schema,
  taxes,
  withdrawRequest,
} from '@jangada/contract';

type Bounds = { readonly minimum?: number; readonly maximum?: number; readonly multipleOf?: number };

const maxAmount = brlFromCents(MAX_CENTS);
const maxSum = brlFromCents(Number.MAX_SAFE_INTEGER);
/**
 * The bounds of an amount in a request. Amounts in responses declare no `multipleOf`, because some validators divide in
 * binary floating point and find that 19.99 is not a multiple of 0.01.
 */
const requestBounds = (minCents: number): Bounds => ({
  minimum: brlFromCents(minCents),
  maximum: maxAmount,
  multipleOf: 0.01,
});

/**
 * Bounds of amounts, for the OpenAPI document only. The gateway validates calls by rules of its own, which have
 * specific error codes and messages, and some maximums are settings.
 */
const boundsBySchema = new Map<unknown, Bounds>([
  [brl, { minimum: -maxAmount, maximum: maxAmount }],
  [brlSum, { minimum: -maxSum, maximum: maxSum }],
  [balanceBrl, { minimum: -maxSum, maximum: maxSum, multipleOf: 0.01 }],
  [positiveBrl, requestBounds(1)],
  [chargeBrl, requestBounds(MIN_CHARGE_CENTS)],
  [newPayment.shape.amount, requestBounds(MIN_CHARGE_CENTS)],
  [requestedRefundAmount, requestBounds(1)],
  [withdrawRequest.shape.amount, requestBounds(MIN_WITHDRAWAL_CENTS)],
  [apiWithdrawRequest.shape.amount, { minimum: MIN_WITHDRAWAL_CENTS, maximum: MAX_CENTS }],
  [taxes.shape.pix.shape.fixIn, requestBounds(0)],
  [percent, { multipleOf: 0.01 }],
] satisfies [Schema, Bounds][]);

/** Returns the bounds of an amount schema, or undefined for any other schema. */
export function boundsOf(schema: unknown): Bounds | undefined {
  return boundsBySchema.get(schema);
}
