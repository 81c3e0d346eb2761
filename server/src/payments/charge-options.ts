import { type RawBuilder, sql } from 'kysely';
import { type Config, isLoopback } from '../config.ts';
import { numbers, texts } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import type { Charge } from './payment.ts';

/** Data that only some charges have: texts for the payer, and the link or counter code that created the charge. */
export type ChargeOptions = {
  readonly description: string | null;
  readonly successUrl: string | null;
  readonly linkId: string | null;
  readonly counterId: string | null;
};

export const noOptions: ChargeOptions = {
  description: null,
  successUrl: null,
  linkId: null,
  counterId: null,
};

type NewRow = { readonly charge: Charge; readonly options: ChargeOptions | undefined };

/** Writes these options in the same statement as the charges; empty if no charge has any. */
export function chargeOptionsCte(rows: readonly NewRow[]): RawBuilder<unknown> {
  const parts = [insertWords(rows.map(({ charge }) => charge)), insertOptions(rows)];
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? sql`` : sql`with ${sql.join(given)}`;
}

/** The metadata by which charges can be searched. */
function insertWords(charges: readonly Charge[]): RawBuilder<unknown> | undefined {
  const words = charges.flatMap((charge) =>
    Object.entries(charge.metadata ?? {}).map(([name, value]) => ({ charge, name, value })),
  );
  if (words.length === 0) return undefined;
  return sql`words as (
    insert into charge_metadata (merchant_id, name, value, created_at, charge_id)
    select * from unnest(
      ${numbers(words.map(({ charge }) => charge.merchantId))}::bigint[], ${texts(words.map(({ name }) => name))}::text[],
      ${texts(words.map(({ value }) => value))}::text[],
      ${words.map(({ charge }) => charge.createdAt)}::timestamptz[],
      ${texts(words.map(({ charge }) => charge.id))}::uuid[])
  )`;
}

function insertOptions(rows: readonly NewRow[]): RawBuilder<unknown> | undefined {
  const given = rows.flatMap(({ charge, options }) => (options === undefined ? [] : [{ charge, options }]));
  if (given.length === 0) return undefined;
  return sql`options as (
    insert into charge_options (
      merchant_id, charge_id, created_at, description, success_url, link_id, counter_id)
    select * from unnest(
      ${given.map(({ charge }) => charge.merchantId)}::bigint[], ${given.map(({ charge }) => charge.id)}::uuid[],
      ${given.map(({ charge }) => charge.createdAt)}::timestamptz[],
      ${texts(given.map(({ options }) => options.description))}::text[],
      ${texts(given.map(({ options }) => options.successUrl))}::text[],
      ${texts(given.map(({ options }) => options.linkId))}::uuid[],
      ${texts(given.map(({ options }) => options.counterId))}::uuid[])
  )`;
}

/** Options by charge id, only for charges that have any. */
export async function readChargeOptions(
  db: Db | Tx['db'],
  merchantId: number,
  chargeIds: readonly string[],
): Promise<Map<string, ChargeOptions>> {
  if (chargeIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('charge_options')
    .select(['charge_id', 'description', 'success_url', 'link_id', 'counter_id'])
    .where('merchant_id', '=', merchantId)
    .where('charge_id', 'in', chargeIds)
    .execute();
  return new Map(
    rows.map((row) => [
      row.charge_id,
      {
        description: row.description,
        successUrl: row.success_url,
        linkId: row.link_id,
        counterId: row.counter_id,
      },
    ]),
  );
}

/**
 * Refuses a redirect address that is unsafe for payers: only https, in the sandbox also this machine. The payer's
 * browser opens it, never the gateway. @throws {Refusal} INVALID_SUCCESS_URL
 */
export function checkSuccessUrl({ mode }: Pick<Config, 'mode'>, text: string): void {
  // A browser resolves `https:x` relative to the current page.
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
  const isOpen = url?.protocol === 'http:' && mode === 'sandbox' && isLoopback(url.hostname);
  const isAnonymous = url?.username === '' && url.password === '';
  if (!isAnonymous || (url.protocol !== 'https:' && !isOpen)) throw new Refusal('INVALID_SUCCESS_URL');
}
