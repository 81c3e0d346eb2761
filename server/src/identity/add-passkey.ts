import { randomUUID } from 'node:crypto';
import type { Passkey } from '@jangada/contract';
import { inTransaction, violatedConstraint } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { openChallenge } from './challenge.ts';
import { elevateSession, requireSession } from './elevate-session.ts';
import { insertPasskey, lockFactors, type PasskeyRow, readFactors, takeChallenge } from './factor-store.ts';
import { makeFirstCodes } from './make-recovery-codes.ts';
import { notifyFactorChange } from './notify-factor-change.ts';
import { MOST_PASSKEYS, readNewPasskey, type SubmittedCredential } from './passkey.ts';

type Given = { readonly challenge: string; readonly credential: SubmittedCredential; readonly name: string };

/**
 * Stores the passkey that a browser created for `beginPasskey`. Returns the account's recovery codes if it is the first
 * factor, else null. Refused with PASSKEY_NOT_ACCEPTED, CHALLENGE_EXPIRED or PASSKEY_LIMIT.
 */
export async function addPasskey(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>,
  caller: Caller,
  { challenge, credential, name }: Given,
): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
  const { userId } = caller;
  const sessionHash = requireSession(caller);
  const asked = await openChallenge(deps, challenge, { purpose: 'passkey-registration', sessionHash });
  const made = await readNewPasskey(deps, asked.webauthnChallenge ?? '', credential);
  if (made === undefined) throw new Refusal('PASSKEY_NOT_ACCEPTED');
  const work = inTransaction(deps, async (tx) => {
    await lockFactors(tx, userId);
    if (!(await takeChallenge(tx, asked.hash))) throw new Refusal('CHALLENGE_EXPIRED');
    const before = await readFactors(tx.db, userId);
    if (before.passkeys >= MOST_PASSKEYS) throw new Refusal('PASSKEY_LIMIT');
    const own = { user_id: userId, id: randomUUID(), name, created_at: tx.now, last_used_at: null };
    const row = { ...own, ...made };
    await insertPasskey(tx, row);
    await elevateSession(tx, sessionHash);
    await notifyFactorChange(tx, userId, {
      type: 'security.passkey-added',
      title: 'Chave de acesso cadastrada',
      body: 'Uma chave de acesso foi cadastrada na sua conta: com ela se entra sem senha.',
    });
    return { passkey: passkeyOf(row), recoveryCodes: await makeFirstCodes(tx, userId, before) };
  });
  return work.catch((error) => {
    throw violatedConstraint(error)?.startsWith('passkeys_') ? new Refusal('PASSKEY_NOT_ACCEPTED') : error;
  });
}

/** Maps a passkey row to the form its owner sees. */
export function passkeyOf({ id, name, created_at, last_used_at }: PasskeyRow): Passkey {
  return {
    id,
    name,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}
