import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type Tx, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import {
  type ApprovalState,
  changeUser,
  nextApprovalState,
  recheckAbility,
  refuseMember,
} from '../identity/index.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import {
  decideSubmission,
  findNewestSubmission,
  findPendingSubmission,
  type KycAccount,
  lockKycAccounts,
  voidSubmissions,
} from './store.ts';

/** What an administrator decided about the identity documents of a user. */
type KycDecision = {
  /** The administrator who decides. */
  readonly actorId: number;
  /** The user whose documents are decided on. */
  readonly userId: number;
  /** The submission that was reviewed; undefined means the pending one. */
  readonly submissionId: string | undefined;
} & ({ readonly status: 'approved' } | { readonly status: 'rejected'; readonly reason: string });

/**
 * Decides on the identity documents that a user sent for verification (KYC, know your customer): approves both the
 * documents and the account, or rejects the documents with a reason that the user sees. Refused with
 * - OWN_ACCOUNT: the documents are the caller's own, or those of an account of which they are a member;
 * - USER_NOT_FOUND;
 * - FORBIDDEN: the caller lost the right to decide after the call arrived;
 * - KYC_NOT_PENDING: the user has never sent documents;
 * - KYC_DECIDED: the submission is no longer pending. Of two concurrent decisions, the second gets this.
 */
export async function decideKyc(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'config'>,
  decision: KycDecision,
): Promise<void> {
  const { actorId, userId, status } = decision;
  const isApproved = decision.status === 'approved';
  const reason = isApproved ? null : decision.reason;
  await inTransaction(deps, async (tx) => {
    const account = await lockAccountsAndRecheckActor(tx, decision);
    await refuseMember(tx, actorId, userId);
    const submissionId = await findPendingSubmissionId(tx, decision);
    const removeAt = pictureRemovalTime(tx.now, deps.config.kycKeepDays[status]);
    await decideSubmission(tx, userId, submissionId, {
      status,
      reason,
      decided_by: actorId,
      remove_at: removeAt,
    });
    // An approval also switches the account's API on, unless an administrator switched it off. A rejection changes
    // nothing in the account, and neither does an approval if an administrator had approved the account before.
    const newAccountState: ApprovalState = isApproved
      ? nextApprovalState(account, { approved: true })
      : account;
    if (isApproved && !account.approved) await changeUser(tx, userId, newAccountState);
    await insertAuditEntry(tx, {
      actor_id: actorId,
      action: isApproved ? 'kyc approved' : 'kyc rejected',
      subject_id: userId,
      reason,
      before: {
        submission: submissionId,
        status: 'pending',
        approved: account.approved,
        api_active: account.api_active,
      },
      after: {
        submission: submissionId,
        status,
        approved: newAccountState.approved,
        api_active: newAccountState.api_active,
      },
    });
    await notifyUser(tx, userId, status, deps.config.publicUrl);
  });
}

/**
 * Locks the accounts of the actor and of the user, and returns the user's. Then checks once more that the actor may
 * decide: that was checked when the call arrived, but may have changed before the lock.
 */
async function lockAccountsAndRecheckActor(tx: Tx, { actorId, userId }: KycDecision): Promise<KycAccount> {
  const lockedAccounts = await lockKycAccounts(tx, [actorId, userId]);
  const account = lockedAccounts.find(({ id }) => id === userId);
  if (account === undefined) throw new Refusal('USER_NOT_FOUND');
  await recheckAbility(tx, actorId, 'decide-kyc');
  return account;
}

async function findPendingSubmissionId(tx: Tx, { userId, submissionId }: KycDecision): Promise<string> {
  const pending = await findPendingSubmission(tx, userId);
  if (pending !== undefined && (submissionId === undefined || submissionId === pending.id)) return pending.id;
  // There is nothing to decide. The refusal says whether the user has ever sent documents.
  const newest = await findNewestSubmission(tx.db, userId);
  throw new Refusal(newest === undefined ? 'KYC_NOT_PENDING' : 'KYC_DECIDED');
}

const dayMs = 24 * 3_600_000;

/** When the pictures of a submission are removed, `keepDays` after its decision. The decision itself is kept. */
function pictureRemovalTime(decidedAt: Date, keepDays: number): Date {
  return new Date(decidedAt.getTime() + keepDays * dayMs);
}

const notificationTexts = {
  approved: {
    title: 'Verificação aprovada',
    body: 'Sua identidade foi verificada. Todos os recursos da conta estão liberados.',
  },
  rejected: {
    title: 'Verificação rejeitada',
    body: 'Seus documentos não foram aceitos. Veja o motivo e envie de novo.',
  },
} as const;

async function notifyUser(
  tx: TxWithSecrets,
  userId: number,
  status: KycDecision['status'],
  publicUrl: string,
): Promise<void> {
  const { title, body } = notificationTexts[status];
  const data = { type: `account.kyc_${status}` };
  const messages = await saveNotifications(tx, [{ merchantId: userId, title, body, data }]);
  // The message `account` makes the user's open pages reload the account.
  await writeMessages(tx, [...messages, { merchantId: userId, message: { type: 'account' } }]);
  const pageUrl = `${publicUrl}/${status === 'approved' ? 'dashboard' : 'kyc-verification'}`;
  await writeMail(tx, { userId, kind: 'kyc', subject: title, paragraphs: [body, pageUrl] });
}

const voidReason = 'O documento da conta mudou: envie as imagens do documento novo.';

/**
 * Voids the approved or pending verification of a user whose CPF or CNPJ has changed, so that they must send pictures
 * of the new document. Leaves the account alone: the caller withdraws its approval. `keepDays` says how long the
 * pictures are kept, unless an approval has already set the time of their removal.
 */
export async function voidVerification(
  tx: Tx,
  userId: number,
  { decidedBy, keepDays }: { readonly decidedBy: number; readonly keepDays: number },
): Promise<void> {
  const removeAt = pictureRemovalTime(tx.now, keepDays);
  await voidSubmissions(tx, userId, {
    reason: voidReason,
    decided_by: decidedBy,
    remove_at: removeAt,
  });
}
