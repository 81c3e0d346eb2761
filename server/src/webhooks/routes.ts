import { rotateWebhookSecret, webhookSecret } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { isPasswordFresh, provePassword } from '../identity/index.ts';
import { readWebhookSecret, rotateWebhookSecret as rotate } from './webhook-secret.ts';

/** Whoever has the secret can make a shop believe that it was paid, so a session alone does not give it. */
export function webhookRoutes(deps: Pick<Deps, 'db' | 'clock' | 'secrets'>): Route[] {
  return [
    route(webhookSecret, async ({ caller }) => ({
      secret: isPasswordFresh(caller, deps.clock.now()) ? await readWebhookSecret(deps, caller.userId) : null,
    })),
    route(rotateWebhookSecret, async ({ caller }) => {
      await provePassword(deps, caller, undefined);
      return { secret: await rotate(deps, caller.userId) };
    }),
  ];
}
