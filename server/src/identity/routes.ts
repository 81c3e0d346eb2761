import {
  accountTaxes,
  addPasskey as addPasskeyEndpoint,
  beginPasskey as beginPasskeyEndpoint,
  beginTotp as beginTotpEndpoint,
  confirmPassword as confirmEndpoint,
  confirmTotp as confirmTotpEndpoint,
  getSecurity,
  login,
  logout,
  notificationTicket,
  passkeyLogin,
  passkeyLoginOptions,
  profile,
  register,
  removePasskey,
  removeTotp,
  renewRecoveryCodes as renewEndpoint,
  secondFactorLogin,
  stepUp as stepUpEndpoint,
  stepUpOptions,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { countApprovalsFor, readAccount, readActingAccount, readOwnUser, taxesOf } from './account.ts';
import { addPasskey, beginPasskey } from './add-passkey.ts';
import { beginTotp, confirmTotp } from './add-totp.ts';
import { registerAccount } from './create-account.ts';
import { readSecurity, removeFactor } from './manage-factors.ts';
import { renewRecoveryCodes } from './renew-recovery-codes.ts';
import { issueLiveTicket, signOut } from './session.ts';
import { beginPasskeySignIn, completeSignIn, signIn, signInByPasskey } from './sign-in.ts';
import { beginStepUp, confirmPassword, stepUp } from './step-up.ts';

// The operations that sign somebody in take the whole call as their visitor: it has the client's address and browser.

export function identityRoutes(deps: Deps): Route[] {
  return [
    route(login, (call) => signIn(deps, call.body, call)),
    route(register, (call) => registerAccount(deps, call.body, call)),
    route(logout, async ({ caller }) => {
      await signOut(deps, caller);
      return { success: true as const };
    }),
    route(confirmEndpoint, async ({ caller, body }) => {
      await confirmPassword(deps, caller, body.password);
      return { success: true as const };
    }),
    route(profile, async ({ caller }) => {
      const [user, account, waiting] = await Promise.all([
        readOwnUser(deps, caller.userId),
        readActingAccount(deps, caller),
        countApprovalsFor(deps, caller),
      ]);
      return {
        user,
        ...(account !== undefined && { account }),
        ...(waiting !== undefined && { approvals: { waiting } }),
      };
    }),
    route(accountTaxes, async ({ caller }) => ({
      success: true as const,
      data: taxesOf(await readAccount(deps, caller.accountId)),
    })),
    route(notificationTicket, async ({ caller }) => ({ ticket: await issueLiveTicket(deps, caller) })),
    ...securityRoutes(deps),
  ];
}

function securityRoutes(deps: Deps): Route[] {
  return [
    route(secondFactorLogin, (call) => completeSignIn(deps, call.body, call)),
    route(passkeyLoginOptions, (call) => beginPasskeySignIn(deps, call)),
    route(passkeyLogin, (call) => signInByPasskey(deps, call.body, call)),
    route(getSecurity, ({ caller }) => readSecurity(deps, caller)),
    route(beginTotpEndpoint, (call) => beginTotp(deps, call, call.body.password)),
    route(confirmTotpEndpoint, async (call) => ({
      recovery_codes: await confirmTotp(deps, call, call.body.code),
    })),
    route(removeTotp, async (call) => {
      await removeFactor(deps, call, 'totp');
      return { success: true as const };
    }),
    route(renewEndpoint, async (call) => ({ recovery_codes: await renewRecoveryCodes(deps, call) })),
    route(beginPasskeyEndpoint, (call) => beginPasskey(deps, call, call.body.password)),
    route(addPasskeyEndpoint, async ({ caller, body }) => {
      const { passkey, recoveryCodes } = await addPasskey(deps, caller, body);
      return { passkey, recovery_codes: recoveryCodes };
    }),
    route(removePasskey, async (call) => {
      await removeFactor(deps, call, { passkey: call.params.id });
      return { success: true as const };
    }),
    route(stepUpOptions, ({ caller }) => beginStepUp(deps, caller)),
    route(stepUpEndpoint, ({ caller, body }) => stepUp(deps, caller, body)),
  ];
}
