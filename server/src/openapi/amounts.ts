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
  refundAmount,
  type Schema,
  taxes,
  withdrawRequest,
} from '@jangada/contract';

type Bounds = { readonly minimum?: number; readonly maximum?: number; readonly multipleOf?: number };

const largest = brlFromCents(MAX_CENTS);
const largestSum = brlFromCents(Number.MAX_SAFE_INTEGER);
/**
 * Some validators divide in binary floating point and find that 19.99 is not a multiple of 0.01, so response amounts
 * declare no step.
 */
const typed = (minCents: number): Bounds => ({
  minimum: brlFromCents(minCents),
  maximum: largest,
  multipleOf: 0.01,
});

/**
 * Bounds of amounts, for the document only: calls are validated by their own rules, with specific codes and messages,
 * and some maximums are settings.
 */
const bounds = new Map<unknown, Bounds>([
  [brl, { minimum: -largest, maximum: largest }],
  [brlSum, { minimum: -largestSum, maximum: largestSum }],
  [balanceBrl, { minimum: -largestSum, maximum: largestSum, multipleOf: 0.01 }],
  [positiveBrl, typed(1)],
  [chargeBrl, typed(MIN_CHARGE_CENTS)],
  [newPayment.shape.amount, typed(MIN_CHARGE_CENTS)],
  [refundAmount, typed(1)],
  [withdrawRequest.shape.amount, typed(MIN_WITHDRAWAL_CENTS)],
  [apiWithdrawRequest.shape.amount, { minimum: MIN_WITHDRAWAL_CENTS, maximum: MAX_CENTS }],
  [taxes.shape.pix.shape.fixIn, typed(0)],
  [percent, { multipleOf: 0.01 }],
] satisfies [Schema, Bounds][]);

/** The bounds of an amount schema; undefined for any other. */
export function boundsOf(schema: unknown): Bounds | undefined {
  return bounds.get(schema);
}
