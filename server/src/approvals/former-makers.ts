import { type ApprovalKind, type MemberRole, type Permission, rolesWith } from '@jangada/contract';
import { sql } from 'kysely';
import { textArray } from '../db/arrays.ts';
import { inTransaction, type Tx, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { lockMerchant } from '../lock-merchant.ts';
import { workOnEachAlone } from '../work-alone.ts';
import { type AllOrderHooks, hooksOf } from './order-hooks.ts';
import { lockRequest, type RequestRow, updateRequest } from './store.ts';

/*
 * A request ends when whoever asked loses the place from which they could: a member who was removed or left, or whose
 * role may not ask for it any more, or an administrator who is none any more.
 */

/** The permission that a member needs in order to ask for an act. Administrators ask for all others. */
const permissionToAsk: Readonly<Partial<Record<ApprovalKind, Permission>>> = {
  withdrawal: 'withdraw',
  refund: 'refund',
  destination: 'manage-destinations',
  // Also that keys withdraw at all, for which finance asks.
  key: 'manage-destinations',
  connection: 'manage-account',
  member: 'manage-members',
  approver: 'approve',
  policy: 'manage-approvals',
};

/** Each kind with each role that may ask for it, as the pairs of two arrays. */
const askers = Object.entries(permissionToAsk).flatMap(([kind, permission]) =>
  rolesWith(permission).map((role) => ({ kind, role })),
);
const mayAsk = sql`(select * from unnest(
  ${textArray(askers.map(({ role }) => role))}::text[], ${textArray(askers.map(({ kind }) => kind))}::text[]))`;

/** A person, in an account, with the role that they have from now on; undefined if they have none. */
export type FormerMaker = {
  readonly merchantId: number;
  readonly userId: number;
  readonly role: MemberRole | undefined;
};

/**
 * Ends what a person asked for in an account, waits, and is not theirs to ask for any more. Locks the account, and then
 * each order before its request, as decisions do. Returns what ends them, to be called last.
 */
export async function lockRequestsBy(
  tx: TxWithSecrets,
  hooks: AllOrderHooks,
  { merchantId, userId, role }: FormerMaker,
): Promise<() => Promise<void>> {
  await lockMerchant(tx, merchantId);
  const requests: RequestRow[] = [];
  for (const { kind, subject, id } of await selectRequestsBy(tx, { merchantId, userId, role })) {
    await hooksOf(hooks, kind)?.lock(tx, merchantId, subject);
    const request = await lockRequest(tx, { merchantId, id });
    if (request?.status === 'open' || request?.status === 'approved') requests.push(request);
  }
  const reason = role === undefined ? 'Quem pediu não faz mais parte.' : 'O papel de quem pediu mudou.';
  const end = { code: 'APPROVAL_CANCELLED', text: `${reason} O pedido terminou antes da aprovação.` };
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
  return workOnEachAlone(deps.log, await selectFormerMakers(deps.db), {
    work: ({ merchantId, userId }) =>
      inTransaction(deps, async (tx) => {
        await lockMerchant(tx, merchantId);
        const role = await readRole(tx, merchantId, userId);
        const endThem = await lockRequestsBy(tx, hooks, { merchantId, userId, role });
        await endThem();
      }),
    describe: (maker) => ({ formerMaker: maker }),
  });
}

/** Those whose requests wait although they are no longer theirs to ask for. */
async function selectFormerMakers(db: Deps['db']): Promise<Pick<FormerMaker, 'merchantId' | 'userId'>[]> {
  const { rows } = await sql<{ merchant_id: number; made_by: number }>`
    select distinct r.merchant_id, r.made_by
    from approval_requests r
    left join members m on m.merchant_id = r.merchant_id and m.user_id = r.made_by
    where r.status in ('open', 'approved') and r.made_by is not null
      and case when r.merchant_id = 0
        then not exists (select from users u where u.id = r.made_by and u.role = 'ADMIN')
        else m.role is null or (m.role, r.kind) not in ${mayAsk}
      end
    limit 100`.execute(db);
  return rows.map((row) => ({ merchantId: row.merchant_id, userId: row.made_by }));
}

/** The role of a person in an account, which may be another than a moment ago. */
async function readRole({ db }: Tx, merchantId: number, userId: number): Promise<MemberRole | undefined> {
  const { rows } = await sql<{ role: MemberRole }>`
    select role from members where merchant_id = ${merchantId} and user_id = ${userId}
  `.execute(db);
  return rows[0]?.role;
}

/** The requests of a person that wait and for which somebody of this role may not ask. */
async function selectRequestsBy(
  { db }: Tx,
  { merchantId, userId, role }: FormerMaker,
): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select * from approval_requests
    where merchant_id = ${merchantId} and made_by = ${userId} and status in ('open', 'approved')
      ${role === undefined ? sql`` : sql`and (${role}::text, kind) not in ${mayAsk}`}
    order by created_at, id`.execute(db);
  return rows;
}
