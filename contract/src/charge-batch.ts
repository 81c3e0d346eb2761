import * as z from 'zod/mini';
import { PAGE_SIZE } from './limits.ts';
import { newPayment } from './new-payment.ts';
import { moment } from './user.ts';

/** The most charges that one batch creates. */
export const CHARGE_BATCH_MAX_LINES = 10_000;

const ownIdRule = 'external_id é obrigatório num lote: de 1 a 100 caracteres, um para cada linha.';
const linesRule = `Um lote tem de 1 a ${CHARGE_BATCH_MAX_LINES} linhas.`;
const referenceRule = 'A reference tem de 1 a 100 caracteres.';

/** A line of a batch: a request for a charge, with an id of the integrator's own. Its picture is never drawn. */
export const newBatchLine = z.extend(newPayment, {
  external_id: z
    .string({ error: ownIdRule })
    .check(z.trim(), z.minLength(1, ownIdRule), z.maxLength(100, ownIdRule)),
});
export type NewBatchLine = z.infer<typeof newBatchLine>;

export const newChargeBatch = z.object({
  /** The name that people call the batch by. */
  reference: z.nullish(
    z
      .string({ error: referenceRule })
      .check(z.trim(), z.minLength(1, referenceRule), z.maxLength(100, referenceRule)),
  ),
  /** True: a batch with a line that was charged before is refused, with ALREADY_CHARGED. */
  refuse_repeated: z.optional(z.boolean({ error: 'O campo refuse_repeated deve ser true ou false.' })),
  items: z.array(newBatchLine, { error: linesRule }).check(
    z.minLength(1, linesRule),
    z.maxLength(CHARGE_BATCH_MAX_LINES, linesRule),
    z.refine(
      (lines) => new Set(lines.map(({ external_id: id }) => id)).size === lines.length,
      'Duas linhas têm o mesmo external_id.',
    ),
  ),
});
export type NewChargeBatch = z.infer<typeof newChargeBatch>;

/** `working`: some lines still wait. */
export const chargeBatchStatus = z.enum(['working', 'completed']);

export const batchLineStates = ['waiting', 'created', 'refused', 'cancelled'] as const;
export const batchLineState = z.enum(batchLineStates);
export type BatchLineState = z.infer<typeof batchLineState>;

/** A batch, with how many of its lines are in each state. */
export const chargeBatch = z.object({
  id: z.string(),
  reference: z.nullable(z.string()),
  status: chargeBatchStatus,
  size: z.int(),
  waiting: z.int(),
  created: z.int(),
  refused: z.int(),
  cancelled: z.int(),
  created_at: moment,
  completed_at: z.nullable(moment),
});
export type ChargeBatch = z.infer<typeof chargeBatch>;

/** What became of a line. Lines are counted from 1. */
export const chargeBatchLine = z.object({
  line: z.int(),
  external_id: z.string(),
  state: batchLineState,
  /** The charge; null until it is created. */
  payment_id: z.nullable(z.string()),
  checkout_url: z.nullable(z.string()),
  content: z.nullable(z.string()),
  /** Why it was refused: a code of this API, and the reason in words. */
  code: z.nullable(z.string()),
  message: z.nullable(z.string()),
});
export type ChargeBatchLine = z.infer<typeof chargeBatchLine>;

const pageLimit = z._default(
  z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)),
  PAGE_SIZE.transactions,
);

export const chargeBatchesQuery = z.object({
  limit: pageLimit,
  /** Cursor: `next` of the previous page. */
  before: z.optional(z.string().check(z.maxLength(200))),
});
export const chargeBatches = z.object({
  data: z.array(chargeBatch),
  /** The `before` that requests the next page, of older batches; null on the last page. */
  next: z.nullable(z.string()),
});

export const chargeBatchLinesQuery = z.object({
  state: z.optional(batchLineState),
  limit: pageLimit,
  /** Only lines after this one: `next` of the previous page. */
  after: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
});
export const chargeBatchLines = z.object({
  data: z.array(chargeBatchLine),
  /** The `after` that requests the next page; null on the last page. */
  next: z.nullable(z.int()),
});
