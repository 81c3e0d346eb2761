import { defendDispute, getDispute, getDisputeFile, listDisputes } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { disputeDeskRoutes } from './admin-routes.ts';
import { defendDispute as defend } from './defend-dispute.ts';
import type { StoredDispute } from './dispute.ts';
import { toDisputeDetail, toDisputeResponse } from './dispute-body.ts';
import { readFile } from './file-store.ts';
import { findDispute, listDisputes as list } from './store.ts';

export function disputeRoutes(deps: Deps): Route[] {
  return [
    route(listDisputes, async ({ query, caller }) => {
      const { page, pageSize, status } = query;
      const window = { status, limit: pageSize, offset: (page - 1) * pageSize };
      const { disputes, total, open } = await list(deps.db, caller.userId, window);
      return { disputes: disputes.map(toDisputeResponse), total, page, limit: pageSize, open };
    }),
    route(getDispute, async ({ params, caller }) =>
      toDisputeDetail(deps, await find(deps, caller.userId, params.id)),
    ),
    route(defendDispute, async ({ params, body, caller }) => {
      await defend(deps, { merchantId: caller.userId, id: params.id }, body);
      return toDisputeDetail(deps, await find(deps, caller.userId, params.id));
    }),
    route(getDisputeFile, async ({ params, caller }) => {
      const dispute = await find(deps, caller.userId, params.id);
      const file = await readFile(deps.db, deps.secrets, dispute, params.fileId);
      if (file === undefined) throw new Refusal('NOT_FOUND');
      return file;
    }),
    ...disputeDeskRoutes(deps),
  ];
}

async function find({ db }: Deps, merchantId: number, id: string): Promise<StoredDispute> {
  const dispute = await findDispute(db, merchantId, id);
  if (dispute === undefined) throw new Refusal('DISPUTE_NOT_FOUND');
  return dispute;
}
