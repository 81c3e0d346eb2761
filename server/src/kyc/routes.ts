import {
  adminAcceptKyc,
  adminKycPicture,
  adminPendingKyc,
  adminRejectKyc,
  getKyc,
  verifyCpf,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { parseAccountId, requireFactor } from '../identity/index.ts';
import { decideKyc } from './decide-submission.ts';
import { listSubmissions } from './list-submissions.ts';
import { sendDocuments } from './send-documents.ts';
import { findNewestSubmission } from './store.ts';
import { kycStateOf } from './submission.ts';
import { viewPicture } from './view-picture.ts';

const success = { success: true } as const;

export function kycRoutes(deps: Deps): Route[] {
  return [
    route(verifyCpf, async ({ caller, files }) => ({
      ...success,
      ...(await sendDocuments(deps, caller.userId, files)),
    })),
    route(getKyc, async ({ caller }) => kycStateOf(await findNewestSubmission(deps.db, caller.userId))),
    route(adminPendingKyc, ({ query }) => listSubmissions(deps, query.page)),
    route(adminAcceptKyc, async ({ caller, params, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      const review = {
        actorId: caller.userId,
        userId: parseAccountId(params.userId),
        submissionId: body.submission,
      };
      await decideKyc(deps, { ...review, status: 'approved' });
      return success;
    }),
    route(adminRejectKyc, async ({ caller, params, body }) => {
      const { submission: submissionId, reason } = body;
      const review = { actorId: caller.userId, userId: parseAccountId(params.userId), submissionId };
      await decideKyc(deps, { ...review, status: 'rejected', reason });
      return success;
    }),
    route(adminKycPicture, ({ caller, params }) =>
      viewPicture(deps, { actorId: caller.userId, userId: parseAccountId(params.userId), side: params.side }),
    ),
  ];
}
