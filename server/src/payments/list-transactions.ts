import {
  brlFromCents,
  centsFromText,
  type listPayments as listEndpoint,
  MAX_FEED_OFFSET,
  type Payer,
  type PaymentStatus,
  type QueryOf,
  type ResponseOf,
  type Transaction,
  type transactionFeed,
} from '@jangada/contract';
import { spanOfDays, startOfToday } from '../calendar-day.ts';
import { readAccountNames } from '../connections/index.ts';
import type { Deps } from '../deps.ts';
import { decodeCursor, encodeCursor } from '../list-cursor.ts';
import { Refusal } from '../refusal.ts';
import { type ChargeOptions, noOptions, readChargeOptions } from './charge-options.ts';
import { billedToFor, billedToResponse, dueResponse } from './due-terms.ts';
import { readDues, type StoredDue } from './due-terms-store.ts';
import {
  type ChargeFilter,
  countCharges,
  isUnfiltered,
  listCharges,
  MAX_COUNTED_CHARGES,
  readCounts,
} from './feed-store.ts';
import {
  type Charge,
  checkoutUrl,
  creditedCents,
  effectiveStatusAt,
  isFeeBilled,
  receiptUrl,
} from './payment.ts';
import { readPayers } from './received-store.ts';

type FeedQuery = QueryOf<typeof transactionFeed>;
type ListingDeps = Pick<Deps, 'db' | 'clock'> & { readonly config: Pick<Deps['config'], 'publicUrl'> };

/**
 * Lists a page of a merchant's charges, newest first. With no filter but a status, the total comes from stored
 * counters. The page is given by an offset, or by a cursor, which costs the same at every depth. Refuses an offset
 * beyond 10,000 with OFFSET_TOO_DEEP, except for the last page, which is read from the end. Without `showsDocuments`,
 * the documents of those who are billed are masked.
 */
export async function listTransactions(
  deps: ListingDeps,
  merchantId: number,
  query: FeedQuery,
  { showsDocuments = false }: { readonly showsDocuments?: boolean } = {},
): Promise<ResponseOf<typeof transactionFeed>> {
  const filter = filterFrom(merchantId, query);
  const counts = await readCounts(deps.db, merchantId);
  const hasFilterBesidesStatus =
    filter.from !== undefined || filter.until !== undefined || filter.search !== undefined;
  const total = hasFilterBesidesStatus ? await countCharges(deps.db, filter) : counts[query.status ?? 'all'];
  // A count that stopped at its maximum does not say how many charges there are.
  const isTotalExact = !hasFilterBesidesStatus || total < MAX_COUNTED_CHARGES;
  const rows =
    query.before === undefined
      ? await readPageAtOffset(deps, filter, query, { total, isTotalExact })
      : await listCharges(deps.db, filter, { after: decodeCursor(query.before), limit: query.limit + 1 });
  const charges = rows.slice(0, query.limit);
  const last = charges.at(-1);
  // With a cursor or an inexact total, only the extra row that was requested shows whether another page follows.
  const isExtraRowRequested = query.before !== undefined || !isTotalExact;
  const isLastPage = isExtraRowRequested
    ? rows.length <= query.limit
    : query.offset + charges.length >= total;
  const extras = await readChargeExtras(deps, merchantId, charges);
  const data = charges.map((charge) => {
    const { billed_to: billedTo, ...transaction } = transactionFrom(charge, extras);
    return { ...transaction, ...(billedTo && { billed_to: billedToFor(billedTo, showsDocuments) }) };
  });
  return {
    data,
    transactions: data,
    total,
    counts,
    next: last === undefined || isLastPage ? null : encodeCursor(last),
  };
}

/**
 * Reads the page at an offset. If the total is exact, a page in the older half is read from the oldest charge on, which
 * skips fewer rows. In an unfiltered feed this is done for the last page alone, because there `listCharges` reaches
 * every other offset from the newest charge at little cost. If the total is not exact, reads one charge more than the
 * page holds, so that the caller can tell whether another page follows.
 */
async function readPageAtOffset(
  deps: Pick<Deps, 'db'>,
  filter: ChargeFilter,
  { offset, limit }: FeedQuery,
  { total, isTotalExact }: { total: number; isTotalExact: boolean },
): Promise<Charge[]> {
  const offsetFromEnd = Math.max(total - offset - limit, 0);
  const isLastPage = isTotalExact && offsetFromEnd === 0 && offset < total;
  if (offset > MAX_FEED_OFFSET && !isLastPage) throw new Refusal('OFFSET_TOO_DEEP');
  if (!isTotalExact) return listCharges(deps.db, filter, { offset, limit: limit + 1 });
  if (offset >= total) return [];
  const isNewerHalf = offsetFromEnd >= offset;
  if (isNewerHalf || (isUnfiltered(filter) && !isLastPage))
    return listCharges(deps.db, filter, { offset, limit });
  const oldestFirst = await listCharges(deps.db, filter, {
    offset: offsetFromEnd,
    limit: Math.min(limit, total - offset),
    oldestFirst: true,
  });
  return oldestFirst.toReversed();
}

/**
 * Lists a page of charges for the API, newest first: all, or those with a given external id, metadata entry, payment
 * link or counter code. `onlyBy`: a member who sees only what they created today, and searches by no reference.
 */
export async function listPayments(
  deps: ListingDeps,
  merchantId: number,
  query: QueryOf<typeof listEndpoint>,
  onlyBy?: number,
): Promise<ResponseOf<typeof listEndpoint>> {
  const filter =
    onlyBy === undefined
      ? { ...filterFrom(merchantId, query), search: parseReferenceSearch(query) }
      : ownOfToday(filterFrom(merchantId, query), parseReferenceSearch(query), {
          userId: onlyBy,
          today: startOfToday(deps.clock.now()),
        });
  // One row more than the page holds shows whether another page follows.
  const pageRequest = {
    limit: query.limit + 1,
    ...(query.before !== undefined && { after: decodeCursor(query.before) }),
  };
  const rows = await listCharges(deps.db, filter, pageRequest);
  const charges = rows.slice(0, query.limit);
  const extras = await readChargeExtras(deps, merchantId, charges);
  const last = charges.at(-1);
  return {
    data: charges.map((charge) => transactionFrom(charge, extras)),
    next: last === undefined || rows.length <= query.limit ? null : encodeCursor(last),
  };
}

function ownOfToday(
  filter: ChargeFilter,
  reference: ChargeFilter['search'],
  { userId, today }: { readonly userId: number; readonly today: Date },
): ChargeFilter {
  if (reference !== undefined)
    throw new Refusal('INVALID_QUERY', {
      message: 'Um caixa lista as cobranças que criou hoje, e não procura por referência.',
    });
  const from = filter.from === undefined || filter.from < today ? today : filter.from;
  return { ...filter, from, search: { by: 'member', userId } };
}

/** The reference to search by. Refuses two references, or an incomplete metadata pair, with INVALID_QUERY. */
function parseReferenceSearch({
  external_id: externalId,
  metadata_name: name,
  metadata_value: value,
  payment_link_id: paymentLinkId,
  counter_code_id: counterCodeId,
  customer_id: customerId,
}: QueryOf<typeof listEndpoint>): ChargeFilter['search'] {
  if ((name === undefined) !== (value === undefined)) {
    throw new Refusal('INVALID_QUERY', { message: 'metadata_name e metadata_value vão juntos.' });
  }
  const [search, ...furtherSearches] = [
    ...(name === undefined || value === undefined ? [] : [{ by: 'metadata', name, value } as const]),
    ...(externalId === undefined ? [] : [{ by: 'externalId', externalId } as const]),
    ...(paymentLinkId === undefined ? [] : [{ by: 'link', id: paymentLinkId } as const]),
    ...(counterCodeId === undefined ? [] : [{ by: 'counter', id: counterCodeId } as const]),
    ...(customerId === undefined ? [] : [{ by: 'customer', id: customerId } as const]),
  ];
  if (furtherSearches.length > 0) {
    throw new Refusal('INVALID_QUERY', {
      message:
        'Procure por external_id, por metadata, por um link, por um QR Code ou por um cliente, um de cada vez.',
    });
  }
  return search;
}

function filterFrom(
  merchantId: number,
  query: Pick<FeedQuery, 'status' | 'from' | 'to'> & { readonly search?: string | undefined },
): ChargeFilter {
  return {
    merchantId,
    status: query.status,
    ...spanOfDays(query),
    search:
      query.search === undefined || query.search.trim() === '' ? undefined : parseSearch(query.search.trim()),
  };
}

/**
 * Recognizes an amount ("86,40") or the start of an endToEndId or id by the form of the text; any other text is
 * searched for as an external_id, the integrator's own id of the charge. A leading "#" forces that search.
 */
function parseSearch(text: string): ChargeFilter['search'] {
  if (text.startsWith('#')) return { by: 'externalId', externalId: text.slice(1) };
  // Eight or more digits are taken for the start of an id: nobody types so large an amount without its cents.
  const cents = /^\d{8,}$/.test(text) ? undefined : centsFromText(text);
  if (cents !== undefined) return { by: 'amount', cents };
  // An endToEndId (the nationwide id of a Pix) begins with E and the eight digits that identify a bank (its ISPB); an
  // id is hexadecimal.
  if (/^E\d{8}[0-9A-Za-z]{0,23}$/.test(text)) return { by: 'endToEndId', prefix: text };
  const hex = text.toLowerCase().replaceAll('-', '');
  return /^[0-9a-f]{2,32}$/.test(hex) ? { by: 'id', hex } : { by: 'externalId', externalId: text };
}

/**
 * Data that a response about charges needs besides their rows. `payers` by endToEndId, `options` by charge id,
 * `accountNames` by connection.
 */
type ChargeExtras = {
  readonly accountNames: ReadonlyMap<number, string>;
  readonly payers: ReadonlyMap<string, Payer>;
  readonly options: ReadonlyMap<string, ChargeOptions>;
  /** By charge id, only of charges with a due date. */
  readonly dues: ReadonlyMap<string, StoredDue>;
  readonly publicUrl: string;
  readonly now: Date;
};

/** Reads the extras of charges, all of which must belong to this merchant. */
export async function readChargeExtras(
  { db, clock, config }: ListingDeps,
  merchantId: number,
  charges: readonly Charge[],
): Promise<ChargeExtras> {
  const endToEndIds = charges.flatMap(({ endToEndId }) => (endToEndId === null ? [] : [endToEndId]));
  const ids = charges.map(({ id }) => id);
  const connectionIds = charges.map(({ connectionId }) => connectionId);
  const [payers, options, dues, accountNames] = await Promise.all([
    readPayers(db, merchantId, endToEndIds),
    readChargeOptions(db, merchantId, ids),
    readDues(db, merchantId, charges),
    readAccountNames(db, merchantId, connectionIds),
  ]);
  return { payers, options, dues, accountNames, publicUrl: config.publicUrl, now: clock.now() };
}

/** Converts a charge to the API's form. */
export function toPaymentStatus(
  charge: Charge,
  { payers, options, dues, publicUrl, now }: ChargeExtras,
): PaymentStatus {
  const { description, successUrl, paymentLinkId, counterCodeId, billedTo, customerId } =
    options.get(charge.id) ?? noOptions;
  const due = dues.get(charge.id);
  const status = effectiveStatusAt(charge, now);
  return {
    id: charge.id,
    external_id: charge.externalId,
    metadata: charge.metadata ?? {},
    description,
    success_url: successUrl,
    checkout_url: checkoutUrl(publicUrl, charge),
    receipt_url: receiptUrl(publicUrl, charge),
    payment_link_id: paymentLinkId,
    counter_code_id: counterCodeId,
    status,
    amount: brlFromCents(charge.amountCents),
    credited_amount: brlFromCents(creditedCents(charge)),
    reserved_amount: brlFromCents(charge.reserveCents),
    created_at: charge.createdAt.toISOString(),
    paid_at: charge.paidAt?.toISOString() ?? null,
    expires_at: charge.expiresAt.toISOString(),
    refunded_amount: brlFromCents(charge.refundedCents),
    end_to_end_id: charge.endToEndId,
    payer: payers.get(charge.endToEndId ?? '') ?? null,
    cancelled_at: charge.cancelledAt?.toISOString() ?? null,
    ...(customerId !== null && { customer_id: customerId }),
    ...(billedTo && { billed_to: billedToResponse(billedTo) }),
    ...(due && { due: dueResponse(due, { isOpen: status === 'pending', now }) }),
  };
}

/** Converts a charge to a list item, with the fields of its detail view. */
function transactionFrom(charge: Charge, extras: ChargeExtras): Transaction {
  const accountName = extras.accountNames.get(charge.connectionId);
  return {
    ...toPaymentStatus(charge, extras),
    fee: brlFromCents(charge.feeCents),
    ...(isFeeBilled(charge) && { fee_billed: true }),
    ...(accountName !== undefined && { account_name: accountName }),
    content: charge.brCode,
  };
}
