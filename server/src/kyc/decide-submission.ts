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
  findNewestSubmission,
  findPendingSubmission,
  type KycAccount,
  lockKycAccounts,
  voidSubmissions,
} from './store.ts';

type KycDecision = {
  readonly actorId: number;
  readonly userId: number;
  /** The id of the submission that was reviewed; undefined means the pending one. */
  readonly submission: string | undefined;
} & ({ readonly status: 'approved' } | { readonly status: 'rejected'; readonly reason: string });

const dayMs = 24 * 3_600_000;

/**
 * Decides on the identity documents that an account sent for verification (KYC, know your customer): approves both the
 * documents and the account, or rejects the documents with a reason that the owner sees. Of two concurrent decisions,
 * the second is refused with KYC_DECIDED. Also refused with USER_NOT_FOUND, KYC_NOT_PENDING, OWN_ACCOUNT, and FORBIDDEN
 * when the caller may no longer decide.
 */
export async function decideKyc(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'config'>,
  decision: KycDecision,
): Promise<void> {
  const { actorId, userId, status } = decision;
  if (actorId === userId) throw new Refusal('OWN_ACCOUNT');
  await inTransaction(deps, async (tx) => {
    const account = await lockAccount(tx, decision);
    const id = await findPendingId(tx, decision);
    const remove_at = new Date(tx.now.getTime() + deps.config.kycKeepDays[status] * dayMs);
    const reason = decision.status === 'rejected' ? decision.reason : null;
    await decideSubmission(tx, userId, id, { status, reason, decided_by: actorId, remove_at });
    const approval = nextApprovalState(account, status === 'approved' ? { approved: true } : {});
    if (status === 'approved' && !account.approved) await changeUser(tx, userId, approval);
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
      after: { submission: id, status, approved: approval.approved, api_active: approval.api_active },
    });
    await notifyOwner(tx, userId, status, deps.config.publicUrl);
  });
}

async function lockAccount(tx: Tx, { actorId, userId }: KycDecision): Promise<KycAccount> {
  const parties = await lockKycAccounts(tx, [actorId, userId]);
  const account = parties.find(({ id }) => id === userId);
  if (account === undefined) throw new Refusal('USER_NOT_FOUND');
  await refuseFormerStaff(tx, actorId, 'decide-kyc');
  return account;
}

async function findPendingId(tx: Tx, { userId, submission }: KycDecision): Promise<string> {
  const pending = await findPendingSubmission(tx, userId);
  if (pending !== undefined && (submission === undefined || submission === pending.id)) return pending.id;
  const newest = await findNewestSubmission(tx.db, userId);
  throw new Refusal(newest === undefined ? 'KYC_NOT_PENDING' : 'KYC_DECIDED');
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

async function notifyOwner(
  tx: KeyedTx,
  merchantId: number,
  status: KycDecision['status'],
  publicUrl: string,
): Promise<void> {
  const { title, body } = notificationTexts[status];
  const data = { type: `account.kyc_${status}` };
  const messages = await saveNotifications(tx, [{ merchantId, title, body, data }]);
  await writeMessages(tx, [...messages, { merchantId, message: { type: 'account' } }]);
  const pageUrl = `${publicUrl}/${status === 'approved' ? 'dashboard' : 'kyc-verification'}`;
  await writeMail(tx, { userId: merchantId, kind: 'kyc', subject: title, paragraphs: [body, pageUrl] });
}

/**
 * Voids the approved or pending verification of an account whose CPF or CNPJ has changed, so that the owner must send
 * pictures of the new document.
 */
export async function voidVerification(
  tx: Tx,
  merchantId: number,
  { decidedBy, keepDays }: { readonly decidedBy: number; readonly keepDays: number },
): Promise<void> {
  const remove_at = new Date(tx.now.getTime() + keepDays * dayMs);
  await voidSubmissions(tx, merchantId, { reason: voidReason, decided_by: decidedBy, remove_at });
}

const voidReason = 'O documento da conta mudou: envie as imagens do documento novo.';
