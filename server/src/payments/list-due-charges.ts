import {
  brlFromCents,
  DUE_CHARGES_DEFAULT_DAYS,
  DUE_CHARGES_MAX_DAYS,
  type listDueCharges as listEndpoint,
  type PaymentStatus,
  type QueryOf,
  type ResponseOf,
} from '@jangada/contract';
import { dueDatesOf, isCnpj, isCpf, normalizeDocument } from '@jangada/pix';
import { calendarDayOf, daysAfter, spanOfDays } from '../calendar-day.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { type DueChargeFilter, type DuePosition, listDue, sumDue } from './due-charge-store.ts';
import { billedToFor } from './due-terms.ts';
import { readChargeExtras, toPaymentStatus } from './list-transactions.ts';

type Query = QueryOf<typeof listEndpoint>;
type DueChargeResponse = ResponseOf<typeof listEndpoint>['data'][number];
type ListingDeps = Pick<Deps, 'db' | 'clock'> & { readonly config: Pick<Deps['config'], 'publicUrl'> };

/**
 * Lists a page of the charges of a merchant that fall due in a period, with the sums of the whole period. Open charges
 * begin with the one that fell due first, others with the one that falls due last. Refuses more than 366 days with
 * PERIOD_INVALID.
 */
export async function listDueCharges(
  deps: ListingDeps,
  merchantId: number,
  query: Query,
  { showsDocuments }: { readonly showsDocuments: boolean },
): Promise<ResponseOf<typeof listEndpoint>> {
  const now = deps.clock.now();
  const { from, to } = periodOf(query, calendarDayOf(now));
  const filter: DueChargeFilter = {
    merchantId,
    view: query.view,
    from,
    to,
    created: spanOfDays({ from, to }),
    search: searchFrom(query.search, showsDocuments),
    dueToday: dueDatesOf(calendarDayOf(now)),
    now,
  };
  const after = query.before === undefined ? undefined : decodePosition(query.before);
  const [rows, totals] = await Promise.all([
    listDue(deps.db, filter, { after, limit: query.limit + 1 }),
    sumDue(deps.db, filter),
  ]);
  const charges = rows.slice(0, query.limit);
  const last = charges.at(-1);
  const extras = await readChargeExtras(deps, merchantId, charges);
  return {
    from,
    to,
    totals: {
      due: { count: totals.due.count, amount: brlFromCents(totals.due.cents) },
      overdue: { count: totals.overdue.count, amount: brlFromCents(totals.overdue.cents) },
      paid: { count: totals.paid.count, amount: brlFromCents(totals.paid.cents) },
    },
    data: charges.map((charge) =>
      dueChargeFrom(toPaymentStatus(charge, extras), filter.dueToday, showsDocuments),
    ),
    next: last === undefined || rows.length <= query.limit ? null : encodePosition(last),
  };
}

function periodOf({ from, to }: Query, today: string): { readonly from: string; readonly to: string } {
  const first =
    from ?? daysAfter(to ?? today, to === undefined ? -DUE_CHARGES_DEFAULT_DAYS : 1 - DUE_CHARGES_MAX_DAYS);
  const last =
    to ?? daysAfter(from ?? today, from === undefined ? DUE_CHARGES_DEFAULT_DAYS : DUE_CHARGES_MAX_DAYS - 1);
  if (daysAfter(first, DUE_CHARGES_MAX_DAYS - 1) < last) throw new Refusal('PERIOD_INVALID');
  return { from: first, to: last };
}

/** Of a masked CPF a thousand are possible, which somebody who sees it masked could search for one by one. */
function searchFrom(text: string | undefined, showsDocuments: boolean): DueChargeFilter['search'] {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  const document = normalizeDocument(trimmed);
  const isDocument = showsDocuments && (isCpf(document) || isCnpj(document));
  return { text: trimmed, document: isDocument ? document : undefined };
}

function dueChargeFrom(
  charge: PaymentStatus,
  { from, to }: DueChargeFilter['dueToday'],
  showsDocuments: boolean,
): DueChargeResponse {
  const { billed_to: billedTo, due, status } = charge;
  const dueDate = due?.due_date ?? null;
  const openState = dueDate === null || dueDate > to ? 'upcoming' : dueDate < from ? 'overdue' : 'today';
  return {
    id: charge.id,
    external_id: charge.external_id,
    description: charge.description,
    status,
    billed_to: billedTo === undefined ? null : billedToFor(billedTo, showsDocuments),
    due_date: dueDate,
    due_state: dueDate === null || status !== 'pending' ? null : openState,
    amount: charge.amount,
    amount_today: due?.amount_today ?? null,
    refunded_amount: charge.refunded_amount,
    created_at: charge.created_at,
    paid_at: charge.paid_at,
    cancelled_at: charge.cancelled_at,
  };
}

function encodePosition({ dueDate, id }: DuePosition): string {
  return Buffer.from(`${dueDate ?? ''}.${id}`).toString('base64url');
}

function decodePosition(text: string): DuePosition {
  const parts = /^(\d{4}-\d{2}-\d{2})?\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  );
  if (parts?.[2] === undefined || (parts[1] !== undefined && Number.isNaN(Date.parse(parts[1]))))
    throw new Refusal('INVALID_QUERY', { message: 'O cursor before não é um que esta API devolveu.' });
  return { dueDate: parts[1] ?? null, id: parts[2] };
}
