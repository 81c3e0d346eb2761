import * as z from 'zod/mini';
import { billedPerson } from './due-terms.ts';
import { PAGE_SIZE } from './limits.ts';
import { maker } from './maker.ts';
import { withoutMisleadingCharacters } from './misleading-characters.ts';
import { brl } from './money.ts';
import { newEmail } from './registration.ts';
import { moment } from './user.ts';

/*
 * A customer is a person or company whom a merchant charges, in the merchant's register. Customers have no account at
 * the gateway.
 */

export const CUSTOMER_LIMITS = {
  nameMaxLength: 200,
  streetMaxLength: 200,
  cityMaxLength: 200,
  noteMaxLength: 1000,
  externalIdMaxLength: 100,
} as const;

/** An address as the API Pix has it for a debtor (`devedor`). */
export const customerAddress = z.object({
  /** Street, number and what else finds the door. */
  street: z.string(),
  city: z.string(),
  /** Two letters, as PE. */
  state: z.string(),
  /** The CEP, eight digits. */
  zip_code: z.string(),
});
export type CustomerAddress = z.infer<typeof customerAddress>;

/** A customer. Who may not see documents gets document, mail and phone masked, and address, note and page as null. */
export const customer = z.object({
  id: z.string(),
  name: z.string(),
  document: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  address: z.nullable(customerAddress),
  note: z.nullable(z.string()),
  /** The id of the customer in the integrator's own system. */
  external_id: z.nullable(z.string()),
  /** The page on which the customer sees everything that is open. */
  page_url: z.nullable(z.string()),
  /** When the customer stopped the reminders; null if they still get them. */
  reminders_stopped_at: z.nullable(moment),
  archived_at: z.nullable(moment),
  created_at: moment,
  updated_at: moment,
  /** A change must name the version that its author read, and is refused if another change came first. */
  version: z.int(),
  /** Who entered the customer in the dashboard. Absent from answers to an API key. */
  made_by: z.optional(z.nullable(maker)),
});
export type Customer = z.infer<typeof customer>;

const customerSum = z.object({ count: z.int(), amount: brl });

/** What a customer owes and has paid. */
export const customerTotals = z.object({
  /** What can be paid now, at today's amounts; what is overdue is part of it. */
  open: customerSum,
  overdue: customerSum,
  /** What was paid, less what was given back. */
  paid: customerSum,
});
export type CustomerTotals = z.infer<typeof customerTotals>;

function text(field: string, maxLength: number, minLength = 1) {
  const rule = `${field} tem de ${minLength} a ${maxLength} caracteres.`;
  return z
    .string({ error: rule })
    .check(
      z.trim(),
      z.minLength(minLength, rule),
      z.maxLength(maxLength, rule),
      withoutMisleadingCharacters(),
    );
}

const phoneRule = 'O telefone tem DDD e número, como (81) 99999-8888.';
const zipCodeRule = 'O CEP tem oito dígitos.';
const stateRule = 'A UF tem duas letras, como PE.';

const newAddress = z.object({
  street: text('O logradouro', CUSTOMER_LIMITS.streetMaxLength),
  city: text('A cidade', CUSTOMER_LIMITS.cityMaxLength),
  state: z.string({ error: stateRule }).check(z.trim(), z.regex(/^[A-Za-z]{2}$/, stateRule)),
  zip_code: z.string({ error: zipCodeRule }).check(z.trim(), z.regex(/^\d{5}-?\d{3}$/, zipCodeRule)),
});

export const newCustomer = z.extend(billedPerson, {
  email: z.nullish(newEmail),
  /** With or without punctuation; a number without a country code is Brazilian. */
  phone: z.nullish(
    z
      .string({ error: phoneRule })
      .check(
        z.trim(),
        z.maxLength(30, phoneRule),
        z.regex(/^(\+(\D*\d){8,15}\D*|(\D*\d){10,11}\D*)$/, phoneRule),
        z.regex(/^[+\d\s().-]*$/, phoneRule),
      ),
  ),
  address: z.nullish(newAddress),
  note: z.nullish(text('A observação', CUSTOMER_LIMITS.noteMaxLength)),
  external_id: z.nullish(text('external_id', CUSTOMER_LIMITS.externalIdMaxLength)),
});
export type NewCustomer = z.infer<typeof newCustomer>;

/** A change replaces the whole customer, so fields that the change omits are removed. */
export const changedCustomer = z.extend(newCustomer, {
  /** An archived customer is in no list of active ones, and cannot be charged. */
  archived: z._default(z.boolean({ error: 'O campo archived deve ser true ou false.' }), false),
  /** The version that the caller last read. */
  version: z.int({ error: 'Informe a versão (version) que você leu.' }),
});
export type ChangedCustomer = z.infer<typeof changedCustomer>;

export const customersQuery = z.object({
  /** Finds customers whose name, document or mail contains the text; only the name for who sees the others masked. */
  search: z.optional(z.string().check(z.maxLength(100))),
  external_id: z.optional(z.string().check(z.maxLength(CUSTOMER_LIMITS.externalIdMaxLength))),
  status: z._default(z.enum(['active', 'archived']), 'active'),
  limit: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)),
    PAGE_SIZE.transactions,
  ),
  /** Cursor: `next` of the previous page. */
  before: z.optional(z.string().check(z.maxLength(200))),
});
export type CustomersQuery = z.infer<typeof customersQuery>;
