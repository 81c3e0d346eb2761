import { rotateWebhookSecret, webhookSecret } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { readWebhookSecret, rotateWebhookSecret as rotate } from './webhook-secret.ts';

export function webhookRoutes(deps: Pick<Deps, 'db' | 'clock' | 'secrets'>): Route[] {
  return [
    route(webhookSecret, async ({ caller }) => ({ secret: await readWebhookSecret(deps, caller.userId) })),
    route(rotateWebhookSecret, async ({ caller }) => ({ secret: await rotate(deps, caller.userId) })),
  ];
}
