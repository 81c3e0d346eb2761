import {
  brlFromCents,
  type Dispute as DisputeBody,
  type DisputeDetail,
  defendDispute,
  getDispute,
  getDisputeFile,
  listDisputes,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { defendDispute as defend } from './defend-dispute.ts';
import type { Dispute } from './dispute.ts';
import { listFiles, readFile } from './file-store.ts';
import { findDispute, listDisputes as list } from './store.ts';

export function disputeRoutes(deps: Deps): Route[] {
  return [
    route(listDisputes, async ({ query, caller }) => {
      const { page, pageSize, status } = query;
      const window = { status, limit: pageSize, offset: (page - 1) * pageSize };
      const { disputes, total, open } = await list(deps.db, caller.userId, window);
      return { disputes: disputes.map(bodyOf), total, page, limit: pageSize, open };
    }),
    route(getDispute, ({ params, caller }) => detailOf(deps, caller.userId, params.id)),
    route(defendDispute, async ({ params, body, caller }) => {
      await defend(deps, { merchantId: caller.userId, id: params.id }, body);
      return detailOf(deps, caller.userId, params.id);
    }),
    route(getDisputeFile, async ({ params, caller }) => {
      const dispute = await find(deps, caller.userId, params.id);
      const file = await readFile(deps.db, deps.secrets, dispute, params.fileId);
      if (file === undefined) throw new Refusal('NOT_FOUND');
      return file;
    }),
  ];
}

async function find({ db }: Deps, merchantId: number, id: string): Promise<Dispute> {
  const dispute = await findDispute(db, merchantId, id);
  if (dispute === undefined) throw new Refusal('DISPUTE_NOT_FOUND');
  return dispute;
}

async function detailOf(deps: Deps, merchantId: number, id: string): Promise<DisputeDetail> {
  const dispute = await find(deps, merchantId, id);
  return {
    ...bodyOf(dispute),
    defence: dispute.defence,
    files: await listFiles(deps.db, dispute),
    takes_files: deps.psp.disputes?.takesFiles ?? false,
  };
}

function bodyOf(dispute: Dispute): DisputeBody {
  return {
    id: dispute.id,
    payment_id: dispute.chargeId,
    end_to_end_id: dispute.endToEndId,
    protocol: dispute.protocol,
    status: dispute.status,
    reason: dispute.reason,
    amount: brlFromCents(dispute.disputedCents),
    blocked_amount: brlFromCents(dispute.blockedCents),
    shortfall_amount: brlFromCents(dispute.shortfallCents),
    returned_amount: brlFromCents(dispute.returnedCents),
    deadline: dispute.deadlineAt.toISOString(),
    defended_at: dispute.defendedAt?.toISOString() ?? null,
    opened_at: dispute.openedAt.toISOString(),
    resolved_at: dispute.resolvedAt?.toISOString() ?? null,
  };
}
