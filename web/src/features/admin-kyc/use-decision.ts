import type { PendingKycModel } from '@jangada/contract';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { toast } from '../../ui/index.ts';
import { approve, refetchPendingKyc, reject } from './pending-query.ts';

/**
 * The error codes of a decision that came too late, because somebody else decided or the account sent newer documents.
 */
const conflictCodes = ['KYC_DECIDED', 'KYC_NOT_PENDING', 'USER_NOT_FOUND'];

export type KycDecisionActions = ReturnType<typeof useDecision>;

/**
 * Approves and rejects verifications. `onDecided` is called when a verification no longer needs a decision. If that is
 * because somebody else decided first, `conflict` has the name of the account and the message to show.
 */
export function useDecision(onDecided: () => void) {
  const [decisionInProgress, setDecisionInProgress] = useState<'approve' | 'reject'>();
  const [failure, setFailure] = useState<string>();
  const [conflict, setConflict] = useState<{ name: string; message: string }>();

  const run = async (
    kind: 'approve' | 'reject',
    pending: PendingKycModel,
    request: () => Promise<unknown>,
  ) => {
    setDecisionInProgress(kind);
    setFailure(undefined);
    setConflict(undefined);
    const fallback = kind === 'approve' ? 'Erro ao aprovar verificação' : 'Erro ao rejeitar verificação';
    try {
      await request();
      toast(kind === 'approve' ? 'Verificação aprovada' : 'Verificação rejeitada');
    } catch (error) {
      const message = errorText(error, fallback);
      const isConflict = error instanceof ApiError && conflictCodes.includes(error.code ?? '');
      if (!isConflict) return setFailure(message);
      setConflict({ name: pending.name, message });
    } finally {
      setDecisionInProgress(undefined);
    }
    onDecided();
    await refetchPendingKyc();
  };
  return {
    decisionInProgress,
    failure,
    conflict,
    clearFailure: () => setFailure(undefined),
    approve: (pending: PendingKycModel) => run('approve', pending, () => approve(pending)),
    reject: (pending: PendingKycModel, reason: string) =>
      run('reject', pending, () => reject(pending, reason)),
  };
}
