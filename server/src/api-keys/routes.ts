import {
  apiKeyStatus,
  createScopedKey,
  generateApiKey as generateEndpoint,
  listScopedKeys,
  moneyScopes,
  revealApiKey as revealEndpoint,
  revokeApiKey as revokeEndpoint,
  revokeScopedKey,
  rotateScopedKey,
  updateScopedKey,
} from '@jangada/contract';
import { type Order, requireApproval } from '../approvals/index.ts';
import type { Deps } from '../deps.ts';
import { type Caller, type Route, route } from '../http/route.ts';
import { readMakers, requireFactor, requirePassword } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { changeKey, createKey, rotateKey } from './manage-keys.ts';
import { generateApiKey, readApiKeyStatus, revealApiKey } from './readable-key.ts';
import { scopedKeyOf } from './scoped-key.ts';
import { listKeys, revokeKey } from './scoped-key-store.ts';
import { deleteReadableKey } from './store.ts';

/** How long an expired key is still listed. */
const EXPIRED_SHOWN_MS = 30 * 86_400_000;

const done = { success: true } as const;

const movesMoney = (scopes: readonly string[]) => moneyScopes.some((scope) => scopes.includes(scope));

/** A key that moves money needs other people's approval where the account's policy demands it. */
function requireApprovedKey(deps: Deps, { accountId, userId }: Caller, order: Order): Promise<boolean> {
  return requireApproval(deps, { merchantId: accountId, kind: 'key', madeBy: userId, order });
}

export function apiKeyRoutes(deps: Deps): Route[] {
  return [...readableKeyRoutes(deps), ...scopedKeyRoutes(deps)];
}

function readableKeyRoutes(deps: Deps): Route[] {
  return [
    route(apiKeyStatus, ({ caller, stepUp }) => readApiKeyStatus(deps, caller, stepUp)),
    route(generateEndpoint, async ({ caller, body, stepUp }) => {
      await requirePassword(deps, caller, body.password);
      await requireFactor(deps, caller, stepUp);
      await requireApprovedKey(deps, caller, { action: 'Gerar a chave principal', scopes: ['todos'] });
      return generateApiKey(deps, caller.accountId, caller.userId);
    }),
    route(revealEndpoint, async ({ caller, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      return revealApiKey(deps, caller, body.password);
    }),
    route(revokeEndpoint, async ({ caller }) => {
      await deleteReadableKey(deps.db, caller.accountId);
      return done;
    }),
  ];
}

type ProofFields = {
  readonly caller: Caller;
  readonly body: { readonly password?: string | undefined };
  readonly stepUp?: string | undefined;
};

function scopedKeyRoutes(deps: Deps): Route[] {
  // Requires the password and the second factor. `stepUp` is the token that proves a recent second factor.
  const requirePasswordAndFactor = async ({ caller, body, stepUp }: ProofFields) => {
    await requirePassword(deps, caller, body.password);
    await requireFactor(deps, caller, stepUp);
  };
  return [
    route(listScopedKeys, async ({ caller }) => {
      const now = deps.clock.now();
      const expiredSince = new Date(now.getTime() - EXPIRED_SHOWN_MS);
      const keys = await listKeys(deps.db, caller.accountId, { now, expiredSince });
      const made = keys.map((key) => ({ key, merchantId: caller.accountId, madeBy: key.created_by }));
      const makerOf = await readMakers(deps.db, made);
      return { keys: made.map((thing) => scopedKeyOf(thing.key, makerOf(thing), now)) };
    }),
    route(createScopedKey, async (call) => {
      await requirePasswordAndFactor(call);
      const { password, ...asked } = call.body;
      if (movesMoney(asked.scopes))
        await requireApprovedKey(deps, call.caller, { action: 'Criar', ...asked });
      return createKey(deps, call.caller.accountId, call.body, call.caller);
    }),
    route(updateScopedKey, async (call) => {
      await requirePasswordAndFactor(call);
      const { name, scopes = [], ...others } = call.body;
      if (movesMoney(scopes)) {
        const { id } = call.params;
        const { password, ...order } = others;
        await requireApprovedKey(deps, call.caller, { action: 'Alterar', id, name, scopes, ...order });
      }
      const change = { id: call.params.id, request: call.body };
      return { key: await changeKey(deps, call.caller.accountId, change, call.caller) };
    }),
    route(rotateScopedKey, async (call) => {
      await requirePasswordAndFactor(call);
      const overlapHours = call.body.overlap_hours;
      const now = deps.clock.now();
      const keys = await listKeys(deps.db, call.caller.accountId, { now, expiredSince: now });
      const key = keys.find(({ id }) => id === call.params.id);
      if (key !== undefined && movesMoney(key.scopes)) {
        const { id, name } = key;
        await requireApprovedKey(deps, call.caller, { action: 'Trocar', id, name });
      }
      return rotateKey(deps, call.caller.accountId, { id: call.params.id, overlapHours }, call.caller);
    }),
    // No password is required, because revoking only removes access.
    route(revokeScopedKey, async ({ caller, params }) => {
      if (!(await revokeKey(deps.db, caller.accountId, params.id, deps.clock.now())))
        throw new Refusal('KEY_NOT_FOUND');
      return done;
    }),
  ];
}
