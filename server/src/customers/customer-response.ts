import type { Customer } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { readMakers } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { type StoredCustomer, seesCustomerDocuments, toCustomerResponse } from './customer.ts';

type ReadDeps = Pick<Deps, 'db' | 'config'>;

/** Shows customers to a caller, as much of them as the caller may see. */
export async function customerResponses(
  { db, config }: ReadDeps,
  caller: Caller,
  customers: readonly StoredCustomer[],
): Promise<Customer[]> {
  const showsDocuments = seesCustomerDocuments(caller);
  const toResponse = (customer: StoredCustomer, maker?: Customer['made_by']) =>
    toCustomerResponse(customer, { publicUrl: config.publicUrl, showsDocuments, maker });
  // API keys are told no names of people.
  if (caller.authMethod !== 'session') return customers.map((customer) => toResponse(customer));
  const made = customers.map((customer) => ({
    customer,
    merchantId: customer.merchantId,
    madeBy: customer.createdBy,
  }));
  const makerOf = await readMakers(db, made);
  return made.map((thing) => toResponse(thing.customer, makerOf(thing)));
}

export async function customerResponse(
  deps: ReadDeps,
  caller: Caller,
  customer: StoredCustomer,
): Promise<Customer> {
  const [response] = await customerResponses(deps, caller, [customer]);
  invariant(response !== undefined, 'each customer has a response');
  return response;
}
