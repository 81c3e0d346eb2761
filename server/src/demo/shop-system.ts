// The shop's own systems in the demo's history: their API keys and their webhook endpoint.

import { authenticateApiKey, createKey } from '../api-keys/index.ts';
import { createAddressRules, createGuardedFetch } from '../guarded-fetch/index.ts';
import { addWebhookEndpoint, createWebhookSender, type WebhookSender } from '../webhooks/index.ts';
import { advanceTo, type HistoryStep, type PastDeps, setBankBehaviour } from './past.ts';

/**
 * The path of the shop's webhook endpoint. Banco Sandbox plays the shop's system and shows on a page what it received.
 */
const systemPath = '/loja/webhooks';
const systemAddress = '203.0.113.24';
const fromAnywhere = { allowed_addresses: [] };

/** Creates a webhook sender that works in simulated time; the caller must stop it. */
export function createHistorySender(past: PastDeps): WebhookSender {
  const fetch = createGuardedFetch({ rules: createAddressRules(past.config) });
  return createWebhookSender({ ...past, fetch });
}

/**
 * Steps that create API keys for three systems of the shop, and use the first key twice. Hours are decimal: 9.2 is
 * 9:12.
 */
export function keySteps(merchantId: number, timeOn: (daysAgo: number, hour: number) => Date): HistoryStep[] {
  let siteKey = '';
  const keyUseStep = (at: Date): HistoryStep => ({
    at,
    // In a short history the key was never created.
    play: async (past) => void (siteKey !== '' && (await authenticateApiKey(past, siteKey, systemAddress))),
  });
  return [
    {
      at: timeOn(30, 9.2),
      play: async (past) => {
        const scopes = ['read', 'charges', 'webhooks'] as const;
        const request = { name: 'Site da loja', scopes: [...scopes], allowed_addresses: [systemAddress] };
        siteKey = (await createKey(past, merchantId, request)).apiKey;
      },
    },
    {
      at: timeOn(29, 15.1),
      play: async (past) => {
        const request = {
          ...fromAnywhere,
          name: 'Planilha do contador',
          scopes: ['read' as const],
          expires_in_days: 90,
        };
        await createKey(past, merchantId, request);
      },
    },
    {
      at: timeOn(28, 10.4),
      play: async (past) => {
        const request = {
          ...fromAnywhere,
          name: 'Teste do site novo',
          scopes: ['charges' as const],
          expires_in_days: 7,
        };
        await createKey(past, merchantId, request);
      },
    },
    keyUseStep(timeOn(3, 18.3)),
    keyUseStep(timeOn(0, 8.4)),
  ];
}

/**
 * The step that creates the webhook endpoint of the shop's system. Skipped in a public sandbox, which may not call the
 * address of Banco Sandbox.
 */
export function endpointStep(merchantId: number, at: Date): HistoryStep {
  return {
    at,
    play: async (past) => {
      if (!createAddressRules(past.config).allowsLoopback) return;
      const url = new URL(systemPath, past.config.psp.baseUrl).href;
      await addWebhookEndpoint(past, merchantId, { url, description: 'Sistema da loja', events: [] });
    },
  };
}

/** A sale during an outage of the shop's system, so that its events are delivered only at the second attempt. */
export function outageStep(
  at: Date,
  sender: WebhookSender,
  playSale: (past: PastDeps) => Promise<unknown>,
): HistoryStep {
  return {
    at,
    play: async (past) => {
      await setBankBehaviour(past, { shopSystem: 'down' });
      await playSale(past);
      await sender.sendDue();
      await setBankBehaviour(past, {});
      // The second attempt is due a few seconds after the first.
      await advanceTo(past, new Date(past.clock.now().getTime() + 20_000));
      await sender.sendDue();
    },
  };
}
