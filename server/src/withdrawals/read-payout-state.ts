import { brlFromCents, type payoutState } from '@jangada/contract';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { Deps } from '../deps.ts';

type Row = {
  stopped_because: string | null;
  waiting: number;
  in_doubt: number;
  balance_cents: number | null;
  needed_cents: number | null;
  read_at: Date | null;
};

/** What an operator looks at: whether orders leave, what waits, and what the account holds. */
export async function readPayoutState({ db }: Pick<Deps, 'db'>): Promise<z.infer<typeof payoutState>> {
  const { rows } = await sql<Row>`
    select (select payouts_stopped_because from gateway) as stopped_because,
           (select count(*) from withdrawals where status = 'pending') as waiting,
           (select count(*) from withdrawals
            where status = 'processing' and unknown_since is not null and (lookups > 0 or sends > 1)) as in_doubt,
           account.balance_cents, account.needed_cents, account.read_at
    from (values (true)) one (row) left join bank_balance account on account.only_row
  `.execute(db);
  const [row] = rows;
  const inReais = (cents: number | null | undefined) => (cents == null ? null : brlFromCents(cents));
  return {
    stopped_because: row?.stopped_because ?? null,
    waiting: row?.waiting ?? 0,
    in_doubt: row?.in_doubt ?? 0,
    bank_balance: inReais(row?.balance_cents),
    needed: inReais(row?.needed_cents),
    read_at: row?.read_at?.toISOString() ?? null,
  };
}
