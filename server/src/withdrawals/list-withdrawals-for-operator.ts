import type { AdminWithdrawal, adminWithdrawals as endpoint, QueryOf, ResponseOf } from '@jangada/contract';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { cursorFrom, cursorOf, type ListCursor } from '../list-cursor.ts';
import { Refusal } from '../refusal.ts';
import { resolutionsOf } from './resolve-withdrawal.ts';
import { type WithdrawalRow, withdrawalFrom } from './store.ts';
import { isInDoubt, toWithdrawalItem, type Withdrawal } from './withdrawal.ts';

type View = QueryOf<typeof endpoint>['view'];
type OwnedRow = WithdrawalRow & { readonly owner_name: string };

const limit = 50;

/** The withdrawals of all merchants, newest first. `before`: where the previous page ended. */
export async function listWithdrawalsForOperator(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { view, before }: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const rows = await selectAll(db, view, before === undefined ? undefined : cursorFrom(before));
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const now = clock.now();
  return {
    withdrawals: shown.map((row) => adminWithdrawalFrom(row, now)),
    next: last === undefined ? null : cursorOf({ createdAt: last.created_at, id: last.id }),
  };
}

/** One withdrawal in the operator's view. */
export async function readWithdrawalForOperator(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { merchantId, id }: Pick<Withdrawal, 'merchantId' | 'id'>,
): Promise<AdminWithdrawal> {
  const { rows } = await sql<OwnedRow>`
    ${owned} where withdrawals.merchant_id = ${merchantId} and withdrawals.id = ${id}
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Refusal('WITHDRAWAL_NOT_FOUND');
  return adminWithdrawalFrom(row, clock.now());
}

const owned = sql`
  select withdrawals.*, users.name as owner_name
  from withdrawals join users on users.id = withdrawals.merchant_id`;

const open = sql`withdrawals.status in ('pending', 'processing')`;
const views = {
  open,
  held: sql`${open} and operator_hold is not null`,
  'in-doubt': sql`withdrawals.status = 'processing' and unknown_since is not null and (lookups > 0 or sends > 1)`,
  completed: sql`withdrawals.status = 'completed'`,
  failed: sql`withdrawals.status = 'failed'`,
} as const satisfies Record<View, unknown>;

async function selectAll(db: Db, view: View, before: ListCursor | undefined): Promise<OwnedRow[]> {
  const older =
    before === undefined
      ? sql``
      : sql`and (withdrawals.created_at, withdrawals.id) < (${before.createdAt}, ${before.id}::uuid)`;
  const { rows } = await sql<OwnedRow>`
    ${owned} where ${views[view]} ${older}
    order by withdrawals.created_at desc, withdrawals.id desc limit ${limit + 1}
  `.execute(db);
  return rows;
}

function adminWithdrawalFrom(row: OwnedRow, now: Date): AdminWithdrawal {
  const withdrawal = withdrawalFrom(row);
  return {
    ...toWithdrawalItem(withdrawal),
    user: { id: String(withdrawal.merchantId), name: row.owner_name },
    id_envio: withdrawal.idEnvio,
    end_to_end_id: withdrawal.endToEndId,
    in_doubt: withdrawal.status === 'processing' && isInDoubt(withdrawal),
    unknown_since: withdrawal.unknownSince?.toISOString() ?? null,
    held_because: withdrawal.heldBecause,
    resolutions: resolutionsOf(withdrawal, now),
  };
}
