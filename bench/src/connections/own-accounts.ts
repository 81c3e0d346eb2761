import pMap from 'p-map';
import { sealUnderNewKey } from '../../../server/src/connections/index.ts';
import { noticePath } from '../../../server/src/psp/index.ts';
import type { BenchBankAccount } from '../receiving/bank.ts';
import { type BenchMerchant, makeMerchants } from '../receiving/merchants.ts';
import type { TestRig } from '../receiving/test-rig.ts';

/** A merchant who is paid into an account of their own. */
export type OwnAccount = {
  readonly merchant: BenchMerchant;
  readonly bankAccount: BenchBankAccount;
  readonly connectionId: number;
  /** The path at which the bank notifies the gateway of payments at this account. */
  readonly noticePath: string;
};

/** Makes merchants, each with an active account at the bank, stored as the product stores it after its check. */
export async function makeOwnAccounts(rig: TestRig, count: number): Promise<OwnAccount[]> {
  const { db, pool, bank, secrets } = rig;
  const merchants = await makeMerchants(rig, count);
  const now = await bank.now();
  await pool.query("update users set merchant_kind = 'direct' where id = any($1)", [
    merchants.map(({ id }) => id),
  ]);
  return pMap(
    merchants,
    async (merchant) => {
      const bankAccount = await bank.openAccount();
      const row = await db
        .insertInto('bank_connections')
        .values({
          merchant_id: merchant.id,
          bank: 'sandbox',
          pix_key: bankAccount.key,
          state: 'active',
          created_at: now,
          updated_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await db
        .updateTable('bank_connections')
        .set(sealUnderNewKey(secrets, row, bankAccount))
        .where('id', '=', row.id)
        .execute();
      const connection = { id: row.id, pixKey: bankAccount.key };
      const callbacks = { adapter: 'sandbox', webhookCidrs: [] } as const;
      const path = noticePath({ secrets, connection, callbacks });
      return { merchant, bankAccount, connectionId: row.id, noticePath: `${path}/pix` };
    },
    { concurrency: 4 },
  );
}

/**
 * Makes the database that of a gateway which has known these accounts for long: the times of their next looks are spread
 * evenly over an hour or a day, and their lists of payments have been read until now. Looks that are made once a day read
 * the payments of two days, so they are put off to after the run unless `withDaily` is set.
 */
export async function settleIn({ pool, bank }: TestRig, { withDaily }: { readonly withDaily: boolean }) {
  const now = await bank.now();
  await pool.query('delete from bank_looks');
  await pool.query(
    `insert into bank_looks (connection_id, kind, due_at)
     select id, kind, $1::timestamptz + (starts + (nth - 0.5) / accounts * (every - starts)) * interval '1 second'
     from (select id, row_number() over (order by id) as nth, count(*) over () as accounts from bank_connections) account
     cross join (
       values ('received', 0, 3600), ('disputes', 0, 3600), ('sent', 0, 86400), ('days', $2::integer, 86400),
              ('daily', $2::integer, 86400)
     ) look (kind, starts, every)`,
    [now, withDaily ? 0 : 3600],
  );
  await pool.query(
    `insert into received_pix_list_position (connection_id, read_until, finished_at)
     select id, $1, $1 from bank_connections
     on conflict (connection_id) do update set read_until = excluded.read_until, finished_at = excluded.finished_at`,
    [now],
  );
}
