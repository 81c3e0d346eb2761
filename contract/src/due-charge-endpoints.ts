// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { chargeStatus } from './charge.ts';
import { billedTo } from './due.ts';
import { endpoint } from './endpoint.ts';
import { PAGE_SIZE } from './limits.ts';
import { brl, brlSum } from './money.ts';
import { day, periodInOrder } from './period.ts';
import { moment } from './user.ts';

/** Where an open charge stands on its due date. It is late, and so overdue, from the next business day on. */
export const dueStates = ['upcoming', 'today', 'overdue'] as const;

/**
 * Which charges the list shows. `open`: those of all three due states. `ended`: cancelled, expired, or not created by
 * the bank. `undated`: those that name a payer and have no due date; all other values show charges with a due date.
 */
export const dueChargeViews = ['open', ...dueStates, 'paid', 'ended', 'undated'] as const;
export type DueChargeView = (typeof dueChargeViews)[number];

/** The longest period that one list covers, in days. */
export const DUE_CHARGES_MAX_DAYS = 366;
/** A list without a period covers so many days before today, and as many after it. */
export const DUE_CHARGES_DEFAULT_DAYS = 30;

/** A charge with a due date, or one that names whom it is for. */
const dueCharge = z.object({
  id: z.string(),
  external_id: z.nullable(z.string()),
  description: z.nullable(z.string()),
  status: chargeStatus,
  billed_to: z.nullable(billedTo),
  due_date: z.nullable(z.string()),
  /** Null for a charge that is not open, or has no due date. */
  due_state: z.nullable(z.enum(dueStates)),
  /** The original amount; once paid, what was paid. */
  amount: brl,
  /** What the payer owes today, as we predict it; null unless the charge is open and has a due date. */
  amount_today: z.nullable(brl),
  refunded_amount: brl,
  created_at: moment,
  paid_at: z.nullable(moment),
  cancelled_at: z.nullable(moment),
});

const sumOfCharges = z.object({ count: z.int(), amount: brlSum });

export const listDueCharges = endpoint({
  name: 'listDueCharges',
  method: 'GET',
  isBatchable: true,
  path: '/authed/due-charges',
  access: 'session',
  permission: 'read-charges',
  tag: 'Pagamentos',
  summary: 'As cobranças com vencimento, e as que dizem a quem cobram, com os totais do período.',
  query: periodInOrder(
    z.object({
      /** All charges with a due date, if it is absent. */
      view: z.optional(z.enum(dueChargeViews)),
      /** The first and the last due date; with `undated`, the first and the last day of creation. */
      from: z.optional(day),
      to: z.optional(day),
      /** A part of the payer's name, their whole document, or the external id. */
      search: z.optional(z.string().check(z.maxLength(100))),
      limit: z._default(
        z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)),
        PAGE_SIZE.dueCharges,
      ),
      /** Cursor: `next` of the previous page. */
      before: z.optional(z.string().check(z.maxLength(200))),
    }),
  ),
  response: z.object({
    from: z.string(),
    to: z.string(),
    /** The sums of the whole period and search, whatever the view; of the original amounts, until they are paid. */
    totals: z.object({
      /** Open, and not late. */
      due: sumOfCharges,
      overdue: sumOfCharges,
      /** What was paid, less what was refunded. */
      paid: sumOfCharges,
    }),
    data: z.array(dueCharge),
    /** The `before` that requests the next page; null on the last page. */
    next: z.nullable(z.string()),
  }),
  refusals: ['PERIOD_INVALID'],
  isExtension: true,
});

export const dueChargeEndpoints = [listDueCharges] as const;
