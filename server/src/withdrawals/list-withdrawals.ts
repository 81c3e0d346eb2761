import type {
  AdminWithdrawal,
  adminWithdrawals,
  apiListWithdrawals,
  listWithdrawals,
  QueryOf,
  ResponseOf,
  WithdrawalStatus,
} from '@jangada/contract';
import { sql } from 'kysely';
import { spanOfDays } from '../calendar-day.ts';
import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { readMakers } from '../identity/index.ts';
import { decodeCursor, encodeCursor, type ListCursor } from '../list-cursor.ts';
import { Refusal } from '../refusal.ts';
import { resolutionsOf } from './administer-withdrawals.ts';
import {
  findOpenWithdrawal,
  readWithdrawalCounts,
  selectWithdrawals,
  selectWithdrawalsAfter,
  type WithdrawalRow,
  withdrawalFromRow,
} from './store.ts';
import {
  internalStatusesOf,
  isInDoubt,
  toPublicWithdrawal,
  toWithdrawalItem,
  type Withdrawal,
} from './withdrawal.ts';

/** Lists a page of a merchant's withdrawals, newest first, with the total of all pages. */
export async function listWithdrawalsForPanel(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
  { page, pageSize, status }: QueryOf<typeof listWithdrawals>,
): Promise<ResponseOf<typeof listWithdrawals>> {
  const pageRequest = { status, limit: pageSize, offset: (page - 1) * pageSize };
  const [withdrawals, total] = await Promise.all([
    selectWithdrawals(db, merchantId, pageRequest),
    countWithdrawals(db, merchantId, status),
  ]);
  const makerOf = await readMakers(db, withdrawals);
  const items = withdrawals.map((withdrawal) => toWithdrawalItem(withdrawal, makerOf(withdrawal)));
  return { withdrawals: items, total, page, limit: pageSize };
}

/**
 * Counts a merchant's withdrawals without scanning them: at most one is open (pending or processing), and the ended
 * ones are counted in `merchant_counters`.
 */
async function countWithdrawals(
  db: Db,
  merchantId: number,
  status: WithdrawalStatus | undefined,
): Promise<number> {
  if (status === 'pending' || status === 'processing')
    return (await findOpenWithdrawal(db, merchantId))?.status === status ? 1 : 0;
  const counts = await readWithdrawalCounts(db, merchantId);
  if (status === 'completed') return counts.completed_withdrawals_count;
  if (status === 'failed') return counts.failed_withdrawals_count;
  return (
    counts.pending_withdrawals_count + counts.completed_withdrawals_count + counts.failed_withdrawals_count
  );
}

/**
 * Lists a page of a merchant's withdrawals for the API, newest first. The cursor makes a late page as cheap as the
 * first.
 */
export async function listWithdrawalsForApi(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
  { status, before, limit, ...days }: QueryOf<typeof apiListWithdrawals>,
): Promise<ResponseOf<typeof apiListWithdrawals>> {
  const rows = await selectWithdrawalsAfter(db, merchantId, {
    ...spanOfDays(days),
    statuses: status && internalStatusesOf(status),
    after: before === undefined ? undefined : decodeCursor(before),
    limit: limit + 1,
  });
  const withdrawals = rows.slice(0, limit);
  const last = withdrawals.at(-1);
  return {
    data: withdrawals.map(toPublicWithdrawal),
    next: last === undefined || rows.length <= limit ? null : encodeCursor(last),
  };
}

type View = QueryOf<typeof adminWithdrawals>['view'];
type OwnedRow = WithdrawalRow & { readonly owner_name: string };

const pageSize = 50;

/** Lists the withdrawals of all merchants, newest first. `before`: the cursor at the end of the previous page. */
export async function listWithdrawalsForOperator(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { view, before }: QueryOf<typeof adminWithdrawals>,
): Promise<ResponseOf<typeof adminWithdrawals>> {
  const rows = await selectRowsOfView(db, view, before === undefined ? undefined : decodeCursor(before));
  const pageRows = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? pageRows.at(-1) : undefined;
  return {
    withdrawals: await toAdminWithdrawals({ db, clock }, pageRows),
    next: last === undefined ? null : encodeCursor({ createdAt: last.created_at, id: last.id }),
  };
}

/** Reads one withdrawal for the operator. Refuses with WITHDRAWAL_NOT_FOUND. */
export async function readWithdrawalForOperator(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { merchantId, id }: Pick<Withdrawal, 'merchantId' | 'id'>,
): Promise<AdminWithdrawal> {
  const { rows } = await sql<OwnedRow>`
    ${selectWithOwner} where withdrawals.merchant_id = ${merchantId} and withdrawals.id = ${id}
  `.execute(db);
  const [withdrawal] = await toAdminWithdrawals({ db, clock }, rows);
  if (withdrawal === undefined) throw new Refusal('WITHDRAWAL_NOT_FOUND');
  return withdrawal;
}

const selectWithOwner = sql`
  select withdrawals.*, users.name as owner_name
  from withdrawals join users on users.id = withdrawals.merchant_id`;

const openCondition = sql`withdrawals.status in ('pending', 'processing')`;
const conditionByView = {
  open: openCondition,
  held: sql`${openCondition} and operator_hold_reason is not null`,
  'in-doubt': sql`withdrawals.status = 'processing' and unknown_since is not null and (lookup_count > 0 or send_count > 1)`,
  completed: sql`withdrawals.status = 'completed'`,
  failed: sql`withdrawals.status = 'failed'`,
} as const satisfies Record<View, unknown>;

/** Selects one row more than a page holds: that row tells whether another page follows. */
async function selectRowsOfView(db: Db, view: View, before: ListCursor | undefined): Promise<OwnedRow[]> {
  const olderCondition =
    before === undefined
      ? sql``
      : sql`and (withdrawals.created_at, withdrawals.id) < (${before.createdAt}, ${before.id}::uuid)`;
  const { rows } = await sql<OwnedRow>`
    ${selectWithOwner} where ${conditionByView[view]} ${olderCondition}
    order by withdrawals.created_at desc, withdrawals.id desc limit ${pageSize + 1}
  `.execute(db);
  return rows;
}

async function toAdminWithdrawals(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  rows: readonly OwnedRow[],
): Promise<AdminWithdrawal[]> {
  const now = clock.now();
  const withdrawals = rows.map((row) => ({ ...withdrawalFromRow(row), ownerName: row.owner_name }));
  const makerOf = await readMakers(db, withdrawals);
  return withdrawals.map((withdrawal) => ({
    ...toWithdrawalItem(withdrawal, makerOf(withdrawal)),
    user: { id: String(withdrawal.merchantId), name: withdrawal.ownerName },
    id_envio: withdrawal.idEnvio,
    end_to_end_id: withdrawal.endToEndId,
    in_doubt: withdrawal.status === 'processing' && isInDoubt(withdrawal),
    unknown_since: withdrawal.unknownSince?.toISOString() ?? null,
    held_because: withdrawal.operatorHoldReason,
    resolutions: resolutionsOf(withdrawal, now),
  }));
}
