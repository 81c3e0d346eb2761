import { type getHandover, HANDOVER_HOURS, type ResponseOf } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { addMs } from '../clock.ts';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { changeUser, enforceAttemptLimit, reopenChannels } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { findMember, lockAsOwner, parseMemberId, tellOwners, updateHolder } from '../members/index.ts';
import { notifyAdministrators } from '../notifications/index.ts';
import { Refusal } from '../refusal.ts';
import { holdWithdrawals } from '../withdrawals/index.ts';
import { deleteHandover, findHandover, type HandoverRow, upsertHandover } from './store.ts';

type HandoverDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;
/** An owner, and the account for which they act. */
type Owner = Pick<Caller, 'accountId' | 'userId'>;
type Handover = NonNullable<ResponseOf<typeof getHandover>['handover']>;

export async function readHandover(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
): Promise<Handover | null> {
  const row = await findHandover(db, merchantId, clock.now());
  return row === undefined ? null : toHandover(row);
}

function toHandover(row: HandoverRow): Handover {
  return {
    offered_by: { id: String(row.offered_by), name: row.offered_by_name },
    offered_to: { id: String(row.offered_to), name: row.offered_to_name },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

/** Limited, because each proposal sends mails, of which none is held back. */
const offerLimit = { limit: 20, windowSeconds: 3600 };

/**
 * Proposes, as the holder of an account, that another owner hold it, in place of an earlier proposal. Refused with
 * NOT_HOLDER, MEMBER_NOT_FOUND, HANDOVER_NEEDS_OWNER or RATE_LIMITED.
 */
export async function offerAccount(
  deps: HandoverDeps,
  holder: Owner,
  requestedId: string,
): Promise<Handover> {
  const { accountId: merchantId, userId } = holder;
  await enforceAttemptLimit(deps, { key: `offer ${merchantId}`, ...offerLimit });
  const heirId = parseMemberId(requestedId);
  return inTransaction(deps, async (tx) => {
    await lockAsOwner(tx, holder);
    if ((await findMember(tx.db, merchantId, userId))?.holder !== true) throw new Refusal('NOT_HOLDER');
    const heir = await findMember(tx.db, merchantId, heirId);
    if (heir === undefined) throw new Refusal('MEMBER_NOT_FOUND');
    if (heir.role !== 'owner' || heir.holder) throw new Refusal('HANDOVER_NEEDS_OWNER');
    await upsertHandover(tx, {
      merchant_id: merchantId,
      offered_by: userId,
      offered_to: heirId,
      expires_at: addMs(tx.now, HANDOVER_HOURS * 3_600_000),
    });
    await insertAuditEntry(tx, {
      actor_id: userId,
      action: 'account offered',
      subject_id: merchantId,
      reason: null,
      before: {},
      after: { member: heir.name, email: heir.email },
    });
    await tellOwners(tx, merchantId, {
      kind: 'handover',
      title: 'Proposta de passar a conta',
      mail: `O titular propôs passar a conta a ${heir.email}, que tem ${HANDOVER_HOURS} horas para confirmar, na página Membros.`,
      panel: `O titular propôs passar a conta a ${heir.name} (${heir.email}), que tem ${HANDOVER_HOURS} horas para confirmar.`,
    });
    const stored = await findHandover(tx.db, merchantId, tx.now);
    invariant(stored !== undefined, 'a proposal was just stored');
    return toHandover(stored);
  });
}

/** Ends a proposal: its holder withdraws it, or its addressee declines it. Refused with HANDOVER_NOT_FOUND. */
export async function endHandover(deps: HandoverDeps, owner: Owner): Promise<void> {
  const { accountId: merchantId, userId } = owner;
  await inTransaction(deps, async (tx) => {
    await lockAsOwner(tx, owner);
    const handover = await findHandover(tx.db, merchantId, tx.now);
    if (handover === undefined || ![handover.offered_by, handover.offered_to].includes(userId))
      throw new Refusal('HANDOVER_NOT_FOUND');
    await deleteHandover(tx, merchantId);
    await insertAuditEntry(tx, {
      actor_id: userId,
      action: 'handover ended',
      subject_id: merchantId,
      reason: null,
      before: { member: handover.offered_to_name },
      after: {},
    });
    const text =
      userId === handover.offered_by
        ? 'O titular desistiu de passar a conta.'
        : 'A proposta de passar a conta foi recusada.';
    await tellOwners(tx, merchantId, {
      kind: 'handover',
      title: 'A conta não muda de titular',
      mail: text,
      panel: text,
    });
  });
}

/**
 * Makes the caller the holder of the account that was offered to them. Money that leaves is held for a day, and the
 * operator has to look at the identity behind the account anew, because it is that of the person before. Refused with
 * HANDOVER_NOT_FOUND, also once either of the two is no owner any more.
 */
export async function confirmHandover(deps: HandoverDeps, heir: Owner): Promise<void> {
  const { accountId: merchantId, userId } = heir;
  await inTransaction(deps, async (tx) => {
    await lockAsOwner(tx, heir);
    const handover = await findHandover(tx.db, merchantId, tx.now);
    const holderId = handover?.offered_by ?? 0;
    const holder = await findMember(tx.db, merchantId, holderId);
    if (handover?.offered_to !== userId || holder?.holder !== true) throw new Refusal('HANDOVER_NOT_FOUND');
    await deleteHandover(tx, merchantId);
    await updateHolder(tx, merchantId, { from: holderId, to: userId });
    await holdWithdrawals(tx, merchantId, 'handed-over');
    await changeUser(tx, merchantId, { identity_review_since: tx.now });
    for (const id of [holderId, userId]) await reopenChannels(tx, id, merchantId);
    await recordHandover(tx, merchantId, { ...handover, email: holder.email });
  });
}

async function recordHandover(
  tx: TxWithSecrets,
  merchantId: number,
  { offered_to, offered_to_name, offered_by_name }: HandoverRow & { readonly email: string },
): Promise<void> {
  await insertAuditEntry(tx, {
    actor_id: offered_to,
    action: 'account handed over',
    subject_id: merchantId,
    reason: null,
    before: { holder: offered_by_name },
    after: { holder: offered_to_name, identity_review: true },
  });
  await tellOwners(tx, merchantId, {
    kind: 'handover',
    title: 'A conta tem outro titular',
    mail: 'A conta passou a outro titular, que confirmou. Por segurança, os saques ficam suspensos por 24 horas.',
    panel: `${offered_to_name} é agora o titular, no lugar de ${offered_by_name}. Por segurança, os saques ficam suspensos por 24 horas.`,
  });
  await notifyAdministrators(tx, {
    type: 'operation.handover',
    id: String(merchantId),
    title: 'Conta com outro titular',
    body: `A conta de ${offered_by_name} passou a ${offered_to_name}. Confira a identidade de quem a controla.`,
  });
}
