import type { BilledPerson, PayerRules } from '@jangada/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Config, isLoopback } from '../config.ts';
import { numberArray, rowsById, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import type { Charge } from './payment.ts';

/**
 * Data that only some charges have: texts for the payer, and the origin of a charge that was created by a payment link
 * (a public page) or a counter code (a printed QR Code).
 */
export type ChargeOptions = {
  readonly description: string | null;
  readonly successUrl: string | null;
  readonly paymentLinkId: string | null;
  readonly counterCodeId: string | null;
  /** Identifies the open page of a payment link that created the charge, so that this page creates no second one. */
  readonly pageId: string | null;
  /** The member who created the charge in the panel; null if an owner, a key or a payer did. */
  readonly createdBy: number | null;
  /** Whom the charge is for. The document has letters and digits only. */
  readonly billedTo: BilledPerson | null;
  /** The customer of the register whom the charge is for. */
  readonly customerId: string | null;
  /** What happens with a Pix that is not as expected, as far as the charge has rules of its own. */
  readonly payerRules: PayerRules | null;
};

/** The options of a charge that has no row in `charge_options`. */
export const noOptions: ChargeOptions = {
  description: null,
  successUrl: null,
  paymentLinkId: null,
  counterCodeId: null,
  pageId: null,
  createdBy: null,
  billedTo: null,
  customerId: null,
  payerRules: null,
};

type ChargeWithOptions = { readonly charge: Charge; readonly options?: ChargeOptions | undefined };

/**
 * The parts of a `with` clause that insert the charges' options and searchable metadata in the statement that inserts
 * the charges themselves. `storedCondition` is the condition on a `charge_id` under which its charge is inserted.
 */
export function chargeOptionsCtes(
  rows: readonly ChargeWithOptions[],
  storedCondition: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  return [
    metadataInsertCte(
      rows.map(({ charge }) => charge),
      storedCondition,
    ),
    optionsInsertCte(rows, storedCondition),
  ].filter((insert) => insert !== undefined);
}

/** SQL that inserts one row per metadata entry, so that charges can be searched by a name and its value. */
function metadataInsertCte(
  charges: readonly Charge[],
  storedCondition: RawBuilder<unknown>,
): RawBuilder<unknown> | undefined {
  const entries = charges.flatMap((charge) =>
    Object.entries(charge.metadata ?? {}).map(([name, value]) => ({ charge, name, value })),
  );
  if (entries.length === 0) return undefined;
  return sql`metadata as (
    insert into charge_metadata (merchant_id, name, value, charge_id)
    select * from unnest(
      ${numberArray(entries.map(({ charge }) => charge.merchantId))}::bigint[], ${textArray(entries.map(({ name }) => name))}::text[],
      ${textArray(entries.map(({ value }) => value))}::text[],
      ${textArray(entries.map(({ charge }) => charge.id))}::uuid[]) entry (merchant_id, name, value, charge_id)
    where ${storedCondition}
  )`;
}

function optionsInsertCte(
  rows: readonly ChargeWithOptions[],
  storedCondition: RawBuilder<unknown>,
): RawBuilder<unknown> | undefined {
  const rowsWithOptions = rows.flatMap(({ charge, options }) =>
    options === undefined ? [] : [{ charge, options }],
  );
  if (rowsWithOptions.length === 0) return undefined;
  return sql`options as (
    insert into charge_options (
      merchant_id, charge_id, description, success_url, payment_link_id, counter_code_id, page_id, created_by, payer_name,
      payer_document, customer_id, payer_rules)
    select * from unnest(
      ${rowsWithOptions.map(({ charge }) => charge.merchantId)}::bigint[], ${rowsWithOptions.map(({ charge }) => charge.id)}::uuid[],
      ${textArray(rowsWithOptions.map(({ options }) => options.description))}::text[],
      ${textArray(rowsWithOptions.map(({ options }) => options.successUrl))}::text[],
      ${textArray(rowsWithOptions.map(({ options }) => options.paymentLinkId))}::uuid[],
      ${textArray(rowsWithOptions.map(({ options }) => options.counterCodeId))}::uuid[],
      ${textArray(rowsWithOptions.map(({ options }) => options.pageId))}::uuid[],
      ${rowsWithOptions.map(({ options }) => options.createdBy)}::bigint[],
      ${textArray(rowsWithOptions.map(({ options }) => options.billedTo?.name ?? null))}::text[],
      ${textArray(rowsWithOptions.map(({ options }) => options.billedTo?.document ?? null))}::text[],
      ${textArray(rowsWithOptions.map(({ options }) => options.customerId))}::uuid[],
      ${textArray(rowsWithOptions.map(({ options }) => options.payerRules && JSON.stringify(options.payerRules)))}::json[]
    ) options (merchant_id, charge_id, description, success_url, payment_link_id, counter_code_id, page_id, created_by,
               payer_name, payer_document, customer_id, payer_rules)
    where ${storedCondition}
  )`;
}

type ChargeOptionsRow = Pick<
  Selectable<DB['charge_options']>,
  | 'charge_id'
  | 'description'
  | 'success_url'
  | 'payment_link_id'
  | 'counter_code_id'
  | 'page_id'
  | 'created_by'
  | 'payer_name'
  | 'payer_document'
  | 'customer_id'
  | 'payer_rules'
>;

/** Returns options by charge id, only for charges that have a row in `charge_options`. */
export async function readChargeOptions(
  db: Db | Tx['db'],
  merchantId: number,
  chargeIds: readonly string[],
): Promise<Map<string, ChargeOptions>> {
  if (chargeIds.length === 0) return new Map();
  // `wanted` and `found` are tables that `rowsById` defines.
  const lookUp = sql`
    select charge_id, description, success_url, payment_link_id, counter_code_id, page_id, created_by, payer_name,
      payer_document, customer_id, payer_rules
    from charge_options
    where merchant_id = ${merchantId} and charge_id = wanted.id`;
  const { rows } = await sql<ChargeOptionsRow>`
    select found.* from ${rowsById(chargeIds, 'uuid', lookUp)}
  `.execute(db);
  return new Map(
    rows.map((row) => [
      row.charge_id,
      {
        description: row.description,
        successUrl: row.success_url,
        paymentLinkId: row.payment_link_id,
        counterCodeId: row.counter_code_id,
        pageId: row.page_id,
        createdBy: row.created_by,
        billedTo:
          row.payer_name === null || row.payer_document === null
            ? null
            : { name: row.payer_name, document: row.payer_document },
        customerId: row.customer_id,
        // Only `optionsInsertCte` writes them.
        payerRules: row.payer_rules as PayerRules | null,
      },
    ]),
  );
}

/**
 * Refuses a return URL that is unsafe for payers: only https is allowed, and in the sandbox also http to this machine.
 * The payer's browser opens the URL, never the gateway. @throws {Refusal} INVALID_SUCCESS_URL
 */
export function checkSuccessUrl({ mode }: Pick<Config, 'mode'>, text: string): void {
  // The slashes are required: a browser resolves `https:x` relative to the current page.
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
  const isLocalHttp = url?.protocol === 'http:' && mode === 'sandbox' && isLoopback(url.hostname);
  const isUrlWithoutCredentials = url?.username === '' && url.password === '';
  if (!isUrlWithoutCredentials || (url.protocol !== 'https:' && !isLocalHttp))
    throw new Refusal('INVALID_SUCCESS_URL');
}
