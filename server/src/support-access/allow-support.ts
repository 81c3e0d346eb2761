import type { getSupportAccess, ResponseOf } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { addMs } from '../clock.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { endSupportSessions, enforceAttemptLimit } from '../identity/index.ts';
import { lockAsOwner, tellOwners } from '../members/index.ts';
import { deleteSupportAccess, findSupportAccess, listVisits, upsertSupportAccess } from './store.ts';

/** An owner, and the account for which they act. */
type Owner = Pick<Caller, 'accountId' | 'userId'>;
type AccessDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

const visitsShown = 50;

/** Reads whether support may look into an account, and when it did. */
export async function readSupportAccess(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
): Promise<ResponseOf<typeof getSupportAccess>> {
  const [access, visits] = await Promise.all([
    findSupportAccess(db, merchantId, clock.now()),
    listVisits(db, merchantId, visitsShown),
  ]);
  return {
    access:
      access === undefined
        ? null
        : {
            allowed_by: { id: String(access.allowed_by), name: access.allowed_by_name },
            allowed_at: access.allowed_at.toISOString(),
            expires_at: access.expires_at.toISOString(),
          },
    visits: visits.map(({ at, actor_id, actor_name, reason }) => ({
      at: at.toISOString(),
      by: { id: String(actor_id), name: actor_name },
      reason,
    })),
  };
}

/** Limited, because each time sends mails, of which none is held back. */
const allowLimit = { limit: 20, windowSeconds: 3600 };

/** Lets the operator's support look into an account for some hours from now, reading only. Refused with RATE_LIMITED. */
export async function allowSupport(deps: AccessDeps, owner: Owner, hours: number): Promise<void> {
  const { accountId: merchantId, userId } = owner;
  await enforceAttemptLimit(deps, { key: `support for ${merchantId}`, ...allowLimit });
  await inTransaction(deps, async (tx) => {
    await lockAsOwner(tx, owner);
    const expires_at = addMs(tx.now, hours * 3_600_000);
    await upsertSupportAccess(tx, { merchant_id: merchantId, allowed_by: userId, expires_at });
    await insertAuditEntry(tx, {
      actor_id: userId,
      action: 'support allowed',
      subject_id: merchantId,
      reason: null,
      before: {},
      after: { hours },
    });
    const duration = hours === 1 ? '1 hora' : `${hours} horas`;
    const text = `Um dono deixou o suporte olhar a conta por ${duration}, sem alterar nada. Qualquer dono pode encerrar antes.`;
    await tellOwners(tx, merchantId, {
      kind: 'support',
      title: 'O suporte pode olhar a conta',
      mail: text,
      panel: text,
    });
  });
}

/** Ends at once what `allowSupport` began, with the sessions and screens that look in. */
export async function revokeSupport(deps: AccessDeps, owner: Owner): Promise<void> {
  const { accountId: merchantId, userId } = owner;
  await inTransaction(deps, async (tx) => {
    await lockAsOwner(tx, owner);
    if (!(await deleteSupportAccess(tx, merchantId))) return;
    await endSupportSessions(tx.db, { accountId: merchantId });
    await insertAuditEntry(tx, {
      actor_id: userId,
      action: 'support revoked',
      subject_id: merchantId,
      reason: null,
      before: {},
      after: {},
    });
  });
}
