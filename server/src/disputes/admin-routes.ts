import {
  type AdminDispute,
  type AdminDisputeDetail,
  adminDisputeFile,
  adminDisputes,
  adminGetDispute,
} from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { accountId } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { Refusal } from '../refusal.ts';
import { toDisputeDetail, toDisputeResponse } from './dispute-body.ts';
import { type OpenedFile, readFile } from './file-store.ts';
import { findDisputeForOperator, listDisputesForOperator, type OperatorDispute } from './operator-store.ts';

const limit = 50;

/** The operator's view of disputes. */
export function disputeDeskRoutes(deps: Deps): Route[] {
  return [
    route(adminDisputes, async ({ query: { view, page } }) => {
      const window = { limit, offset: (page - 1) * limit };
      const { disputes, total } = await listDisputesForOperator(deps.db, view, window);
      return { disputes: disputes.map(rowFrom), total, page, limit };
    }),
    route(adminGetDispute, async ({ params }): Promise<AdminDisputeDetail> => {
      const dispute = await find(deps, params);
      return {
        ...(await toDisputeDetail(deps, dispute)),
        user: ownerOf(dispute),
        defence_sent_at: dispute.defenceSentAt?.toISOString() ?? null,
      };
    }),
    route(adminDisputeFile, async ({ params, caller }) => {
      const dispute = await find(deps, params);
      const file = await readFile(deps.db, deps.secrets, dispute, params.fileId);
      if (file === undefined) throw new Refusal('NOT_FOUND');
      await noteLook(deps, caller.userId, dispute, file);
      return file;
    }),
  ];
}

async function find({ db }: Deps, named: { userId: string; id: string }): Promise<OperatorDispute> {
  const isOfNobody = named.userId === String(PLATFORM);
  const merchantId = isOfNobody ? PLATFORM : accountId(named.userId, 'DISPUTE_NOT_FOUND');
  const dispute = await findDisputeForOperator(db, merchantId, named.id);
  if (dispute === undefined) throw new Refusal('DISPUTE_NOT_FOUND');
  return dispute;
}

function rowFrom(dispute: OperatorDispute): AdminDispute {
  return { ...toDisputeResponse(dispute), user: ownerOf(dispute) };
}

function ownerOf({ merchantId, ownerName }: OperatorDispute): AdminDispute['user'] {
  return merchantId === PLATFORM ? null : { id: String(merchantId), name: ownerName };
}

/** Logs who views a merchant's evidence before it is shown. */
async function noteLook(
  deps: Deps,
  actorId: number,
  { id, merchantId, protocol }: OperatorDispute,
  { name }: OpenedFile,
): Promise<void> {
  await inTransaction(deps, (tx) =>
    insertAuditEntry(tx, {
      actor_id: actorId,
      action: 'dispute file seen',
      subject_id: merchantId,
      reason: null,
      before: {},
      after: { dispute: id, protocol, file: name },
    }),
  );
}
