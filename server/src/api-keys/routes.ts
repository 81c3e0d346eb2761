import {
  apiKeyStatus,
  generateApiKey as generateEndpoint,
  revealApiKey as revealEndpoint,
  revokeApiKey as revokeEndpoint,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { proveFactor, provePassword } from '../identity/index.ts';
import { generateApiKey } from './generate-api-key.ts';
import { readApiKeyStatus, revealApiKey } from './read-api-key.ts';
import { deleteApiKey } from './store.ts';

export function apiKeyRoutes(deps: Deps): Route[] {
  return [
    route(apiKeyStatus, ({ caller, stepUp }) => readApiKeyStatus(deps, caller, stepUp)),
    route(generateEndpoint, async ({ caller, body, stepUp }) => {
      await provePassword(deps, caller, body.password);
      await proveFactor(deps, caller, stepUp);
      const generated = await generateApiKey(deps, caller.userId);
      deps.outbox.wake();
      return generated;
    }),
    route(revealEndpoint, async ({ caller, body, stepUp }) => {
      await proveFactor(deps, caller, stepUp);
      return revealApiKey(deps, caller, body.password);
    }),
    route(revokeEndpoint, async ({ caller }) => {
      await deleteApiKey(deps.db, caller.userId);
      return { success: true as const };
    }),
  ];
}
