import type { PayerRule, PayerRules } from '@jangada/contract';
import { type RawBuilder, sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { ChargeKeyOfTxid } from './bank-ids.ts';
import { mergeRules, noRules, type RuleFacts } from './payer-rules.ts';
import type { PayableCharge } from './payment.ts';

/** Reads the rules of an account; all null if it has none. */
export async function readPayerRules(db: Db | Tx['db'], merchantId: number): Promise<PayerRules> {
  const row = await db
    .selectFrom('payer_rules')
    .select(['other_payer', 'late', 'doubled'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row === undefined ? noRules : rulesFrom(row);
}

export async function writePayerRules(tx: Tx, merchantId: number, rules: PayerRules): Promise<void> {
  const row = { ...rules, updated_at: tx.now };
  await tx.db
    .insertInto('payer_rules')
    .values({ merchant_id: merchantId, ...row })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(row))
    .execute();
}

type RulesRow = Readonly<Record<keyof PayerRules, string | null>>;

/** The table's CHECKs admit only these words. */
function rulesFrom({ other_payer, late, doubled }: RulesRow): PayerRules {
  return {
    other_payer: other_payer as PayerRule | null,
    late: late as PayerRule | null,
    doubled: doubled as PayerRule | null,
  };
}

/**
 * A table expression with one row for the statement that reads the facts about Pix: which merchants and which charges of
 * these have rules. Most have none, and then nothing more is read.
 */
export function ruledSql(keys: readonly (ChargeKeyOfTxid | undefined)[]): RawBuilder<unknown> {
  const named = keys.filter((key) => key !== undefined);
  const merchantIds = numberArray(named.map(({ merchantId }) => merchantId));
  return sql`(
    select
      (select coalesce(array_agg(merchant_id), '{}') from payer_rules
       where merchant_id = any((select ${merchantIds}::bigint[])::bigint[])) as merchants,
      (select coalesce(array_agg(charge_id), '{}') from charge_options
       where merchant_id = any((select ${merchantIds}::bigint[])::bigint[])
         and charge_id = any((select ${textArray(named.map(({ id }) => id))}::uuid[])::uuid[])
         and payer_rules is not null) as charges
  )`;
}

/** Reads what the rules ask about charges, by the charge's id. */
export async function readRuleFacts(
  tx: Tx,
  charges: readonly Pick<PayableCharge, 'merchantId' | 'id'>[],
): Promise<ReadonlyMap<string, RuleFacts>> {
  if (charges.length === 0) return new Map();
  const { rows: accounts } = await sql<RulesRow & { merchant_id: number }>`
    select merchant_id, other_payer, late, doubled from payer_rules
    where merchant_id = any(${numberArray(charges.map(({ merchantId }) => merchantId))}::bigint[])
  `.execute(tx.db);
  const ofAccounts = new Map(accounts.map((row) => [row.merchant_id, rulesFrom(row)]));
  const { rows } = await sql<RuleFactsRow>`
    select charges.merchant_id, charges.id, charges.expires_at, charges.due_date is not null as has_due_date,
           charges.cancelled_at is not null as is_cancelled, payer_document, payer_rules
    from unnest(${numberArray(charges.map(({ merchantId }) => merchantId))}::bigint[],
                ${textArray(charges.map(({ id }) => id))}::uuid[]) keys (merchant_id, charge_id)
    join charges on charges.merchant_id = keys.merchant_id and charges.id = keys.charge_id
    left join charge_options options
      on options.merchant_id = charges.merchant_id and options.charge_id = charges.id
  `.execute(tx.db);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        rules: mergeRules(row.payer_rules, ofAccounts.get(row.merchant_id) ?? noRules),
        payerDocument: row.payer_document,
        expiresAt: row.expires_at,
        hasDueDate: row.has_due_date,
        isCancelled: row.is_cancelled,
      },
    ]),
  );
}

type RuleFactsRow = {
  merchant_id: number;
  id: string;
  expires_at: Date;
  has_due_date: boolean;
  is_cancelled: boolean;
  payer_document: string | null;
  /** Only a new charge's statement writes them. */
  payer_rules: PayerRules | null;
};
