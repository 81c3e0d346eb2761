import {
  type AdminDispute,
  type AdminDisputeDetail,
  adminDisputeFile,
  adminDisputes,
  adminGetDispute,
  defendDispute,
  getDispute,
  getDisputeFile,
  listDisputes,
} from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { parseAccountId } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { Refusal } from '../refusal.ts';
import { defendDispute as storeDefence } from './defend-dispute.ts';
import type { StoredDispute } from './dispute.ts';
import { toDisputeDetail, toDisputeResponse } from './dispute-response.ts';
import { type DecryptedFile, readEvidenceFile } from './file-store.ts';
import { findDisputeForOperator, listDisputesForOperator, type OperatorDispute } from './operator-store.ts';
import { findDispute, listDisputes as listDisputesOf } from './store.ts';

export function disputeRoutes(deps: Deps): Route[] {
  return [
    route(listDisputes, async ({ query, caller }) => {
      const { page, pageSize, status } = query;
      const pageRequest = { status, limit: pageSize, offset: (page - 1) * pageSize };
      const { disputes, total, open } = await listDisputesOf(deps.db, caller.accountId, pageRequest);
      return { disputes: disputes.map(toDisputeResponse), total, page, limit: pageSize, open };
    }),
    route(getDispute, async ({ params, caller }) =>
      toDisputeDetail(deps, await findOrRefuse(deps, caller.accountId, params.id)),
    ),
    route(defendDispute, async ({ params, body, caller }) => {
      await storeDefence(deps, { merchantId: caller.accountId, id: params.id }, body);
      return toDisputeDetail(deps, await findOrRefuse(deps, caller.accountId, params.id));
    }),
    route(getDisputeFile, async ({ params, caller }) => {
      const dispute = await findOrRefuse(deps, caller.accountId, params.id);
      const file = await readEvidenceFile(deps.db, deps.secrets, dispute, params.fileId);
      if (file === undefined) throw new Refusal('NOT_FOUND');
      return file;
    }),
    ...operatorDisputeRoutes(deps),
  ];
}

async function findOrRefuse({ db }: Deps, merchantId: number, id: string): Promise<StoredDispute> {
  const dispute = await findDispute(db, merchantId, id);
  if (dispute === undefined) throw new Refusal('DISPUTE_NOT_FOUND');
  return dispute;
}

const operatorPageSize = 50;

/** The operator's endpoints for the disputes of all merchants. */
function operatorDisputeRoutes(deps: Deps): Route[] {
  return [
    route(adminDisputes, async ({ query: { view, page } }) => {
      const window = { limit: operatorPageSize, offset: (page - 1) * operatorPageSize };
      const { disputes, total } = await listDisputesForOperator(deps.db, view, window);
      return { disputes: disputes.map(adminRowOf), total, page, limit: operatorPageSize };
    }),
    route(adminGetDispute, async ({ params }): Promise<AdminDisputeDetail> => {
      const dispute = await findForOperator(deps, params);
      return {
        ...(await toDisputeDetail(deps, dispute)),
        user: ownerOf(dispute),
        defence_sent_at: dispute.defenceSentAt?.toISOString() ?? null,
      };
    }),
    route(adminDisputeFile, async ({ params, caller }) => {
      const dispute = await findForOperator(deps, params);
      const file = await readEvidenceFile(deps.db, deps.secrets, dispute, params.fileId);
      if (file === undefined) throw new Refusal('NOT_FOUND');
      await recordFileView(deps, caller.userId, dispute, file);
      return file;
    }),
  ];
}

async function findForOperator(
  { db }: Deps,
  params: { userId: string; id: string },
): Promise<OperatorDispute> {
  const isUnowned = params.userId === String(PLATFORM);
  const merchantId = isUnowned ? PLATFORM : parseAccountId(params.userId, 'DISPUTE_NOT_FOUND');
  const dispute = await findDisputeForOperator(db, merchantId, params.id);
  if (dispute === undefined) throw new Refusal('DISPUTE_NOT_FOUND');
  return dispute;
}

function adminRowOf(dispute: OperatorDispute): AdminDispute {
  return { ...toDisputeResponse(dispute), user: ownerOf(dispute) };
}

function ownerOf({ merchantId, ownerName }: OperatorDispute): AdminDispute['user'] {
  return merchantId === PLATFORM ? null : { id: String(merchantId), name: ownerName };
}

/** Records in the audit log, before the file is sent, which administrator views a merchant's evidence. */
async function recordFileView(
  deps: Deps,
  actorId: number,
  { id, merchantId, protocol }: OperatorDispute,
  { name }: DecryptedFile,
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
