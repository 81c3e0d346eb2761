import {
  adminRecoverAccount,
  cancelClosingRequest as cancelClosingRequestEndpoint,
  cancelEmailChange as cancelEmailChangeEndpoint,
  changeEmail as changeEmailEndpoint,
  changeName as changeNameEndpoint,
  changePassword as changePasswordEndpoint,
  checkEmailLink as checkEmailLinkEndpoint,
  checkResetLink as checkResetLinkEndpoint,
  confirmEmail as confirmEmailEndpoint,
  endOtherSessions as endOtherSessionsEndpoint,
  endSession as endSessionEndpoint,
  exportPersonalData,
  listSessions as listSessionsEndpoint,
  recoverPassword as recoverPasswordEndpoint,
  requestClosing as requestClosingEndpoint,
  resendEmailLink as resendEmailLinkEndpoint,
  resetPassword as resetPasswordEndpoint,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { parseAccountId, requireFactor } from '../identity/index.ts';
import { changeName, changePassword } from './change-account.ts';
import {
  cancelEmailChange,
  changeEmail,
  checkEmailLink,
  confirmEmail,
  resendEmailLink,
} from './change-email.ts';
import { createPersonalExports } from './export-personal-data.ts';
import { recoverApprovedAccount } from './recover-account.ts';
import { checkResetLink, recoverPassword, resetPassword } from './recover-password.ts';
import { cancelClosingRequest, requestClosing } from './request-closing.ts';
import { endOtherSessions, endSession, listSessions } from './sessions.ts';

const done = { success: true } as const;

export function accountRoutes(deps: Deps): Route[] {
  return [
    ...credentialRoutes(deps),
    ...sessionRoutes(deps),
    ...personalRoutes(deps),
    route(adminRecoverAccount, async ({ caller, params, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      const personId = parseAccountId(params.userId);
      await recoverApprovedAccount(deps, { actorId: caller.userId, personId, ...body });
      return done;
    }),
  ];
}

/** Routes for name, e-mail, password and mailed links. */
function credentialRoutes(deps: Deps): Route[] {
  return [
    route(changePasswordEndpoint, async ({ caller, body, stepUp }) => {
      await changePassword(deps, caller, body, stepUp);
      return done;
    }),
    route(changeEmailEndpoint, ({ caller, body, stepUp }) => changeEmail(deps, caller, body, stepUp)),
    route(resendEmailLinkEndpoint, async ({ caller }) => ({ email: await resendEmailLink(deps, caller) })),
    route(cancelEmailChangeEndpoint, async ({ caller }) => {
      await cancelEmailChange(deps, caller);
      return done;
    }),
    route(changeNameEndpoint, async ({ caller, body }) => ({ name: await changeName(deps, caller, body) })),
    route(recoverPasswordEndpoint, async ({ body, address }) => {
      await recoverPassword(deps, body.email, address);
      return done;
    }),
    route(checkResetLinkEndpoint, async ({ body }) => {
      await checkResetLink(deps, body.token);
      return done;
    }),
    route(resetPasswordEndpoint, async ({ body }) => {
      await resetPassword(deps, body);
      return done;
    }),
    route(checkEmailLinkEndpoint, async ({ body }) => {
      await checkEmailLink(deps, body.token);
      return done;
    }),
    route(confirmEmailEndpoint, async ({ body }) => ({ email: await confirmEmail(deps, body.token) })),
  ];
}

function sessionRoutes(deps: Deps): Route[] {
  return [
    route(listSessionsEndpoint, async ({ caller }) => ({ sessions: await listSessions(deps, caller) })),
    route(endSessionEndpoint, async ({ caller, params }) => {
      await endSession(deps, caller, params.id);
      return done;
    }),
    route(endOtherSessionsEndpoint, async ({ caller }) => ({
      ...done,
      ended: await endOtherSessions(deps, caller),
    })),
  ];
}

function personalRoutes(deps: Deps): Route[] {
  const exportData = createPersonalExports(deps);
  return [
    route(exportPersonalData, ({ caller }) => exportData(caller)),
    route(requestClosingEndpoint, async ({ caller, body }) => ({
      requested_at: (await requestClosing(deps, caller, body)).toISOString(),
    })),
    route(cancelClosingRequestEndpoint, async ({ caller }) => {
      await cancelClosingRequest(deps, caller);
      return done;
    }),
  ];
}
