import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type KeyedTx, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { changeUser, nextApprovalState, refuseFormerStaff } from '../identity/index.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import {
  decideSubmission,
  findNewest,
  findPending,
  type KycAccount,
  lockKycAccounts,
  voidSubmissions,
} from './store.ts';

type KycDecision = {
  readonly actorId: number;
  readonly userId: number;
  /** The submission that was reviewed; undefined for the pending one. */
  readonly submission: string | undefined;
} & ({ readonly status: 'approved' } | { readonly status: 'rejected'; readonly reason: string });

const dayMs = 24 * 3_600_000;

/**
 * Approves the documents of an account, and the account with them, or rejects them with a reason shown to the owner. Of
 * two concurrent decisions the second is refused with KYC_DECIDED. Also refused with USER_NOT_FOUND, KYC_NOT_PENDING,
 * OWN_ACCOUNT, and FORBIDDEN when the caller may no longer decide.
 */
export async function decideKyc(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'config'>,
  decision: KycDecision,
): Promise<void> {
  const { actorId, userId, status } = decision;
  if (actorId === userId) throw new Refusal('OWN_ACCOUNT');
  await inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, decision);
    const id = await findWanted(tx, decision);
    const remove_at = new Date(tx.now.getTime() + deps.config.kycKeepDays[status] * dayMs);
    const reason = decision.status === 'rejected' ? decision.reason : null;
    await decideSubmission(tx, userId, id, { status, reason, decided_by: actorId, remove_at });
    const standing =
      status === 'approved' ? nextApprovalState(account, { approved: true }) : nextApprovalState(account, {});
    if (status === 'approved' && !account.approved) await changeUser(tx, userId, standing);
    await insertAuditEntry(tx, {
      actor_id: actorId,
      action: status === 'approved' ? 'kyc approved' : 'kyc rejected',
      subject_id: userId,
      reason,
      before: {
        submission: id,
        status: 'pending',
        approved: account.approved,
        api_active: account.api_active,
      },
      after: { submission: id, status, approved: standing.approved, api_active: standing.api_active },
    });
    await tell(tx, userId, status, deps.config.publicUrl);
  });
}

async function lockAccount(tx: Tx, { actorId, userId }: KycDecision): Promise<KycAccount> {
  const parties = await lockKycAccounts(tx, [actorId, userId]);
  const account = parties.find(({ id }) => id === userId);
  if (account === undefined) throw new Refusal('USER_NOT_FOUND');
  await refuseFormerStaff(tx, actorId, 'decide-kyc');
  return account;
}

async function findWanted(tx: Tx, { userId, submission }: KycDecision): Promise<string> {
  const pending = await findPending(tx, userId);
  if (pending !== undefined && (submission === undefined || submission === pending.id)) return pending.id;
  const known = await findNewest(tx.db, userId);
  throw new Refusal(known === undefined ? 'KYC_NOT_PENDING' : 'KYC_DECIDED');
}

const words = {
  approved: {
    title: 'Verificação aprovada',
    body: 'Sua identidade foi verificada. Todos os recursos da conta estão liberados.',
  },
  rejected: {
    title: 'Verificação rejeitada',
    body: 'Seus documentos não foram aceitos. Veja o motivo e envie de novo.',
  },
} as const;

async function tell(
  tx: KeyedTx,
  merchantId: number,
  status: KycDecision['status'],
  publicUrl: string,
): Promise<void> {
  const { title, body } = words[status];
  const data = { type: `account.kyc_${status}` };
  const notified = await saveNotifications(tx, [{ merchantId, title, body, data }]);
  await writeMessages(tx, [...notified, { merchantId, message: { type: 'account' } }]);
  const page = `${publicUrl}/${status === 'approved' ? 'dashboard' : 'kyc-verification'}`;
  await writeMail(tx, { userId: merchantId, kind: 'kyc', subject: title, paragraphs: [body, page] });
}

/** Voids the approved or pending verification of an account whose document has changed: new documents must be sent. */
export async function voidVerification(
  tx: Tx,
  merchantId: number,
  { decidedBy, keepDays }: { readonly decidedBy: number; readonly keepDays: number },
): Promise<void> {
  const remove_at = new Date(tx.now.getTime() + keepDays * dayMs);
  await voidSubmissions(tx, merchantId, { reason: voidText, decided_by: decidedBy, remove_at });
}

const voidText = 'O documento da conta mudou: envie as imagens do documento novo.';
