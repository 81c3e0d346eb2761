import type { BilledPerson } from '@jangada/contract';
import { findCustomer, seesCustomerDocuments } from '../customers/index.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { type BillingRequest, billedToFor, invalidTerms } from './due-terms.ts';

/** A request that says whom a charge is for: by name and document, or by a customer of the register. */
type PayerRequest = BillingRequest & { readonly customer_id?: string | null | undefined };

/**
 * Replaces the customer whom a request names by the customer's name and document.
 * @throws {Refusal} CUSTOMER_NOT_FOUND, CUSTOMER_ARCHIVED, DUE_TERMS_INVALID
 */
export async function billCustomer<R extends PayerRequest>(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
  request: R,
): Promise<R> {
  const { customer_id: id } = request;
  if (id == null) return request;
  if (request.payer) throw invalidTerms('customer_id', 'Use payer ou customer_id, e não os dois.');
  const customer = await findCustomer(db, merchantId, id);
  if (customer === undefined) throw new Refusal('CUSTOMER_NOT_FOUND');
  if (customer.archivedAt !== null) throw new Refusal('CUSTOMER_ARCHIVED');
  return { ...request, payer: { name: customer.name, document: customer.document } };
}

type ShownCharge = { readonly billed_to?: BilledPerson | undefined };

/** Masks the document of whom a charge is for, for callers who do not see documents of customers. */
export function hideCustomerDocument<C extends ShownCharge>(charge: C): C {
  const { billed_to: billedTo } = charge;
  return billedTo === undefined ? charge : { ...charge, billed_to: billedToFor(billedTo, false) };
}

/** Returns how a caller is shown a charge. */
export function chargeViewOf(caller: Caller): <C extends ShownCharge>(charge: C) => C {
  return seesCustomerDocuments(caller) ? (charge) => charge : hideCustomerDocument;
}
