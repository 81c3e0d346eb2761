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
import { spanOfDays } from '../calendar-day.ts';
import type { Deps } from '../deps.ts';
import { cursorFrom, cursorOf } from '../list-cursor.ts';
import { Refusal } from '../refusal.ts';
import { type ChargeOptions, noOptions, readChargeOptions } from './charge-options.ts';
import {
  type ChargeFilter,
  countCharges,
  isWholeFeed,
  listCharges,
  MAX_COUNTED_CHARGES,
  readCounts,
} from './feed-store.ts';
import { type Charge, checkoutUrl, effectiveStatusAt, receiptUrl } from './payment.ts';
import { readPayers } from './received-store.ts';

type FeedQuery = QueryOf<typeof transactionFeed>;
type ShowingDeps = Pick<Deps, 'db' | 'clock'> & { readonly config: Pick<Deps['config'], 'publicUrl'> };

/**
 * A page of a merchant's charges, newest first. Counts come from counters; the last page is read from the end; with a
 * cursor every depth costs the same. Refused with OFFSET_TOO_DEEP beyond 10,000, except for the last page.
 */
export async function listTransactions(
  deps: ShowingDeps,
  merchantId: number,
  query: FeedQuery,
): Promise<ResponseOf<typeof transactionFeed>> {
  const filter = filterFrom(merchantId, query);
  const counts = await readCounts(deps.db, merchantId);
  const narrowed = filter.from !== undefined || filter.until !== undefined || filter.search !== undefined;
  const total = narrowed ? await countCharges(deps.db, filter) : counts[query.status ?? 'all'];
  // A count that stopped at its bound does not show where the end is.
  const exact = !narrowed || total < MAX_COUNTED_CHARGES;
  const page =
    query.before === undefined
      ? await readOffset(deps, filter, query, { total, exact })
      : await listCharges(deps.db, filter, { after: cursorFrom(query.before), limit: query.limit + 1 });
  const charges = page.slice(0, query.limit);
  const last = charges.at(-1);
  const readsOn = query.before !== undefined || !exact;
  const isEnd = readsOn ? page.length <= query.limit : query.offset + charges.length >= total;
  const beside = await readChargeExtras(deps, merchantId, charges);
  const data = charges.map((charge) => transactionFrom(charge, beside));
  return {
    data,
    transactions: data,
    total,
    counts,
    next: last === undefined || isEnd ? null : cursorOf(last),
  };
}

/**
 * The page at an offset. From where the end is known, the later half is read from there; of the whole feed only the
 * last page, since runs are skipped from the newest on.
 */
async function readOffset(
  deps: Pick<Deps, 'db'>,
  filter: ChargeFilter,
  { offset, limit }: FeedQuery,
  { total, exact }: { total: number; exact: boolean },
): Promise<Charge[]> {
  const fromEnd = Math.max(total - offset - limit, 0);
  const isLast = exact && fromEnd === 0 && offset < total;
  if (offset > MAX_FEED_OFFSET && !isLast) throw new Refusal('OFFSET_TOO_DEEP');
  if (!exact) return listCharges(deps.db, filter, { offset, limit: limit + 1 });
  if (offset >= total) return [];
  if (fromEnd >= offset || (isWholeFeed(filter) && !isLast))
    return listCharges(deps.db, filter, { offset, limit });
  const oldestFirst = await listCharges(deps.db, filter, {
    offset: fromEnd,
    limit: Math.min(limit, total - offset),
    oldestFirst: true,
  });
  return oldestFirst.toReversed();
}

/** A page of charges for the API, newest first, optionally by external id or metadata. */
export async function listPayments(
  deps: ShowingDeps,
  merchantId: number,
  query: QueryOf<typeof listEndpoint>,
): Promise<ResponseOf<typeof listEndpoint>> {
  const filter = { ...filterFrom(merchantId, query), search: namedBy(query) };
  const place = {
    limit: query.limit + 1,
    ...(query.before !== undefined && { after: cursorFrom(query.before) }),
  };
  const page = await listCharges(deps.db, filter, place);
  const charges = page.slice(0, query.limit);
  const beside = await readChargeExtras(deps, merchantId, charges);
  const last = charges.at(-1);
  return {
    data: charges.map((charge) => transactionFrom(charge, beside)),
    next: last === undefined || page.length <= query.limit ? null : cursorOf(last),
  };
}

/** Refused with INVALID_QUERY for both filters at once, or for an incomplete metadata pair. */
function namedBy({
  external_id: externalId,
  metadata_name: name,
  metadata_value: value,
  payment_link_id: linkId,
  counter_code_id: counterId,
}: QueryOf<typeof listEndpoint>): ChargeFilter['search'] {
  if ((name === undefined) !== (value === undefined)) {
    throw new Refusal('INVALID_QUERY', { message: 'metadata_name e metadata_value vão juntos.' });
  }
  const [asked, ...others] = [
    ...(name === undefined || value === undefined ? [] : [{ by: 'metadata', name, value } as const]),
    ...(externalId === undefined ? [] : [{ by: 'externalId', externalId } as const]),
    ...(linkId === undefined ? [] : [{ by: 'link', id: linkId } as const]),
    ...(counterId === undefined ? [] : [{ by: 'counter', id: counterId } as const]),
  ];
  if (others.length > 0) {
    throw new Refusal('INVALID_QUERY', {
      message: 'Procure por external_id, por metadata, por um link ou por um QR Code, um de cada vez.',
    });
  }
  return asked;
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
      query.search === undefined || query.search.trim() === '' ? undefined : searchFrom(query.search.trim()),
  };
}

/**
 * Recognizes by its form an amount ("86,40") or the start of an endToEndId or id; anything else is an external_id. A
 * leading "#" forces external_id.
 */
function searchFrom(text: string): ChargeFilter['search'] {
  if (text.startsWith('#')) return { by: 'externalId', externalId: text.slice(1) };
  const hex = text.toLowerCase().replaceAll('-', '');
  // Eight digits or more are the start of an id: such an amount would be written with its cents.
  const cents = /^\d{8,}$/.test(text) ? undefined : centsFromText(text);
  if (cents !== undefined) return { by: 'amount', cents };
  // An endToEndId begins with E and the eight characters of the bank's ISPB; an id is hexadecimal.
  if (/^E\d{8}[0-9A-Za-z]{0,23}$/.test(text)) return { by: 'endToEndId', prefix: text };
  return /^[0-9a-f]{2,32}$/.test(hex) ? { by: 'id', hex } : { by: 'externalId', externalId: text };
}

/** Data of charges stored outside their rows. */
type Beside = {
  readonly payers: ReadonlyMap<string, Payer>;
  readonly options: ReadonlyMap<string, ChargeOptions>;
  readonly publicUrl: string;
  readonly now: Date;
};

/** The charges must be of one merchant. */
export async function readChargeExtras(
  { db, clock, config }: ShowingDeps,
  merchantId: number,
  charges: readonly Charge[],
): Promise<Beside> {
  const paidBy = charges.flatMap(({ endToEndId }) => (endToEndId === null ? [] : [endToEndId]));
  const ids = charges.map(({ id }) => id);
  const [payers, options] = await Promise.all([
    readPayers(db, paidBy),
    readChargeOptions(db, merchantId, ids),
  ]);
  return { payers, options, publicUrl: config.publicUrl, now: clock.now() };
}

/** A charge in the API's form. */
export function toPaymentStatus(charge: Charge, { payers, options, publicUrl, now }: Beside): PaymentStatus {
  const { description, successUrl, linkId, counterId } = options.get(charge.id) ?? noOptions;
  return {
    id: charge.id,
    external_id: charge.externalId,
    metadata: charge.metadata ?? {},
    description,
    success_url: successUrl,
    checkout_url: checkoutUrl(publicUrl, charge),
    receipt_url: receiptUrl(publicUrl, charge),
    payment_link_id: linkId,
    counter_code_id: counterId,
    status: effectiveStatusAt(charge, now),
    amount: brlFromCents(charge.amountCents),
    credited_amount: brlFromCents(charge.amountCents - charge.feeCents),
    reserved_amount: brlFromCents(charge.reserveCents),
    created_at: charge.createdAt.toISOString(),
    paid_at: charge.paidAt?.toISOString() ?? null,
    expires_at: charge.expiresAt.toISOString(),
    refunded_amount: brlFromCents(charge.refundedCents),
    end_to_end_id: charge.endToEndId,
    payer: payers.get(charge.endToEndId ?? '') ?? null,
    cancelled_at: charge.cancelledAt?.toISOString() ?? null,
  };
}

/** A charge as a list item, with the fields of its detail view. */
function transactionFrom(charge: Charge, beside: Beside): Transaction {
  return { ...toPaymentStatus(charge, beside), fee: brlFromCents(charge.feeCents), content: charge.brCode };
}
