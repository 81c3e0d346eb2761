import { sql } from 'kysely';
import { inTransaction, type Tx, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { workOnEachAlone } from '../work-alone.ts';
import { type AllOrderHooks, hooksOf } from './order-hooks.ts';
import { lockAccount, lockRequest, type RequestRow, updateRequest } from './store.ts';

/*
 * A request ends when whoever asked loses their place: a member who was removed or left, or an administrator who is none
 * any more.
 */

const reason = 'Quem pediu não faz mais parte.';
const end = { code: 'APPROVAL_CANCELLED', text: `${reason} O pedido terminou antes da aprovação.` };

/**
 * Ends what a person asked for in an account and what waits. Locks the account, and then each order before its request,
 * as decisions do. Returns what ends them, to be called last.
 */
export async function lockRequestsBy(
  tx: TxWithSecrets,
  hooks: AllOrderHooks,
  merchantId: number,
  userId: number,
): Promise<() => Promise<void>> {
  await lockAccount(tx, merchantId);
  const requests: RequestRow[] = [];
  for (const { kind, subject, id } of await selectOfFormerMakers(tx.db, { merchantId, userId })) {
    await hooksOf(hooks, kind)?.lock(tx, merchantId, subject);
    const request = await lockRequest(tx, { merchantId, id });
    if (request?.status === 'open' || request?.status === 'approved') requests.push(request);
  }
  return async () => {
    for (const request of requests) {
      await updateRequest(tx, request, { status: 'cancelled', reason, ended_at: tx.now });
      await hooksOf(hooks, request.kind)?.end(tx, merchantId, request.subject, end);
    }
  };
}

/** Ends the requests that somebody made just as they lost their place, and those of former administrators. */
export async function endRequestsOfFormerMakers(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'log'>,
  hooks: AllOrderHooks,
): Promise<number> {
  const makers = new Map<string, { readonly merchantId: number; readonly userId: number }>();
  for (const { merchant_id: merchantId, made_by: userId } of await selectOfFormerMakers(deps.db))
    if (userId !== null) makers.set(`${merchantId} ${userId}`, { merchantId, userId });
  return workOnEachAlone(deps.log, [...makers.values()], {
    work: ({ merchantId, userId }) =>
      inTransaction(deps, async (tx) => {
        const endThem = await lockRequestsBy(tx, hooks, merchantId, userId);
        await endThem();
      }),
    describe: (maker) => ({ formerMaker: maker }),
  });
}

/**
 * The requests that wait and whose maker is no member of the account any more, or no administrator; or, whether they
 * still are or not, those of one person.
 */
async function selectOfFormerMakers(
  db: Deps['db'] | Tx['db'],
  maker?: { readonly merchantId: number; readonly userId: number },
): Promise<RequestRow[]> {
  const { rows } =
    maker === undefined
      ? await sql<RequestRow>`select r.* from approval_requests r
          where r.status in ('open', 'approved') and r.made_by is not null
            and case when r.merchant_id = 0
              then not exists (select from users u where u.id = r.made_by and u.role = 'ADMIN')
              else not exists (select from members m where m.merchant_id = r.merchant_id and m.user_id = r.made_by)
            end
          limit 100`.execute(db)
      : await sql<RequestRow>`select * from approval_requests
          where merchant_id = ${maker.merchantId} and made_by = ${maker.userId} and status in ('open', 'approved')
          order by created_at, id`.execute(db);
  return rows;
}
