import {
  addPasskey as addPasskeyEndpoint,
  beginPasskey as beginPasskeyEndpoint,
  beginTotp as beginTotpEndpoint,
  confirmTotp as confirmTotpEndpoint,
  getSecurity,
  passkeyLogin,
  passkeyLoginOptions,
  removePasskey,
  removeTotp,
  renewRecoveryCodes as renewEndpoint,
  secondFactorLogin,
  stepUp as stepUpEndpoint,
  stepUpOptions,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { addPasskey } from './add-passkey.ts';
import { beginPasskey } from './begin-passkey.ts';
import { beginTotp } from './begin-totp.ts';
import { completeSignIn } from './complete-sign-in.ts';
import { confirmTotp } from './confirm-totp.ts';
import { readSecurity } from './read-security.ts';
import { removeFactor } from './remove-factor.ts';
import { renewRecoveryCodes } from './renew-recovery-codes.ts';
import { beginPasskeySignIn, signInByPasskey } from './sign-in-by-passkey.ts';
import { beginStepUp, stepUp } from './step-up.ts';

export function securityRoutes(deps: Deps): Route[] {
  const told = <T>(work: Promise<T>) => {
    return work.then((done) => {
      return done;
    });
  };
  return [
    route(secondFactorLogin, (call) => told(completeSignIn(deps, call.body, call))),
    route(passkeyLoginOptions, (call) => beginPasskeySignIn(deps, call)),
    route(passkeyLogin, (call) => told(signInByPasskey(deps, call.body, call))),
    route(getSecurity, ({ caller }) => readSecurity(deps, caller)),
    route(beginTotpEndpoint, (call) => beginTotp(deps, call, call.body.password)),
    route(confirmTotpEndpoint, async (call) => ({
      recovery_codes: await told(confirmTotp(deps, call, call.body.code)),
    })),
    route(removeTotp, async (call) => {
      await told(removeFactor(deps, call, 'totp'));
      return { success: true as const };
    }),
    route(renewEndpoint, async (call) => ({ recovery_codes: await told(renewRecoveryCodes(deps, call)) })),
    route(beginPasskeyEndpoint, (call) => beginPasskey(deps, call, call.body.password)),
    route(addPasskeyEndpoint, async ({ caller, body }) => {
      const { passkey, recoveryCodes } = await told(addPasskey(deps, caller, body));
      return { passkey, recovery_codes: recoveryCodes };
    }),
    route(removePasskey, async (call) => {
      await told(removeFactor(deps, call, { passkey: call.params.id }));
      return { success: true as const };
    }),
    route(stepUpOptions, ({ caller }) => beginStepUp(deps, caller)),
    route(stepUpEndpoint, ({ caller, body }) => told(stepUp(deps, caller, body))),
  ];
}
