import { rotateWebhookSecret, webhookSecret } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { isFactorProven, isPasswordFresh, proveFactor, provePassword } from '../identity/index.ts';
import { readWebhookSecret, rotateWebhookSecret as rotate } from './webhook-secret.ts';

/** Whoever has the secret can make a shop believe that it was paid, so a session alone does not give it. */
export function webhookRoutes(deps: Pick<Deps, 'db' | 'clock' | 'secrets'>): Route[] {
  return [
    route(webhookSecret, async ({ caller, stepUp }) => {
      const isProven =
        isPasswordFresh(caller, deps.clock.now()) && (await isFactorProven(deps, caller, stepUp));
      return { secret: isProven ? await readWebhookSecret(deps, caller.userId) : null };
    }),
    route(rotateWebhookSecret, async ({ caller, stepUp }) => {
      await provePassword(deps, caller, undefined);
      await proveFactor(deps, caller, stepUp);
      return { secret: await rotate(deps, caller.userId) };
    }),
  ];
}
