import { authenticateApiKey, createKey } from '../api-keys/index.ts';
import { addressRules, createGuardedFetch } from '../guarded-fetch/index.ts';
import { addWebhookEndpoint, createWebhookSender, type WebhookSender } from '../webhooks/index.ts';
import type { Happening } from './past.ts';
import { behave, goOnTo, type Past } from './past.ts';

/** The shop's systems: their API keys and their webhook endpoint. */

/** The shop system's webhook path: Banco Sandbox plays the system and shows on a page what it received. */
const systemPath = '/loja/webhooks';
const systemAddress = '203.0.113.24';
const fromAnywhere = { allowed_addresses: [] };

/** A webhook sender for simulated time; the caller must stop it. */
export function openSender(past: Past): WebhookSender {
  const fetch = createGuardedFetch({ rules: addressRules(past.config) });
  return createWebhookSender({ ...past, fetch });
}

/** Keys for three systems, one of which is in use. */
export function keysOf(merchantId: number, on: (daysAgo: number, hour: number) => Date): Happening[] {
  let site = '';
  const use = (at: Date): Happening => ({
    at,
    // In a short history the key was never created.
    play: async (past) => void (site !== '' && (await authenticateApiKey(past, site, systemAddress))),
  });
  return [
    {
      at: on(30, 9.2),
      play: async (past) => {
        const scopes = ['read', 'charges', 'webhooks'] as const;
        const wanted = { name: 'Site da loja', scopes: [...scopes], allowed_addresses: [systemAddress] };
        site = (await createKey(past, merchantId, wanted)).apiKey;
      },
    },
    {
      at: on(29, 15.1),
      play: async (past) => {
        const wanted = {
          ...fromAnywhere,
          name: 'Planilha do contador',
          scopes: ['read' as const],
          expires_in_days: 90,
        };
        await createKey(past, merchantId, wanted);
      },
    },
    {
      at: on(28, 10.4),
      play: async (past) => {
        const wanted = {
          ...fromAnywhere,
          name: 'Teste do site novo',
          scopes: ['charges' as const],
          expires_in_days: 7,
        };
        await createKey(past, merchantId, wanted);
      },
    },
    use(on(3, 18.3)),
    use(on(0, 8.4)),
  ];
}

/** The endpoint of the shop's system, if this gateway may call it: a public sandbox may not. */
export function endpointOf(merchantId: number, at: Date): Happening {
  return {
    at,
    play: async (past) => {
      if (!addressRules(past.config).loopback) return;
      const url = new URL(systemPath, past.config.psp.baseUrl).href;
      await addWebhookEndpoint(past, merchantId, { url, description: 'Sistema da loja', events: [] });
    },
  };
}

/** The shop's system is down for a moment: its events are delivered at the second attempt. */
export function outageOf(at: Date, sender: WebhookSender, sell: (past: Past) => Promise<unknown>): Happening {
  return {
    at,
    play: async (past) => {
      await behave(past, { shopSystem: 'down' });
      await sell(past);
      await sender.sendDue();
      await behave(past, {});
      await goOnTo(past, new Date(past.clock.now().getTime() + 20_000));
      await sender.sendDue();
    },
  };
}
