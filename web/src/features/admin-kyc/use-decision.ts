import type { PendingKycModel } from '@jangada/contract';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { toast } from '../../ui/index.ts';
import { approve, pendingChanged, reject } from './pending-query.ts';

/** Codes of a decision that came too late: somebody else was faster, or the documents are others by now. */
const overtaken = ['KYC_DECIDED', 'KYC_NOT_PENDING', 'USER_NOT_FOUND'];

export type KycDecisionActions = ReturnType<typeof useDecision>;

/**
 * Approves and rejects. `onDone` is called once nothing of this verification is left to decide here, whoever decided
 * it; `overtaken` names whom somebody else was faster with.
 */
export function useDecision(onDone: () => void) {
  const [deciding, setDeciding] = useState<'approve' | 'reject'>();
  const [failure, setFailure] = useState<string>();
  const [tooLate, setTooLate] = useState<{ name: string; message: string }>();

  const run = async (kind: 'approve' | 'reject', pending: PendingKycModel, act: () => Promise<unknown>) => {
    setDeciding(kind);
    setFailure(undefined);
    setTooLate(undefined);
    const fallback = kind === 'approve' ? 'Erro ao aprovar verificação' : 'Erro ao rejeitar verificação';
    try {
      await act();
      toast(kind === 'approve' ? 'Verificação aprovada' : 'Verificação rejeitada');
    } catch (error) {
      const message = errorText(error, fallback);
      if (!(error instanceof ApiError) || !overtaken.includes(error.code ?? '')) return setFailure(message);
      setTooLate({ name: pending.name, message });
    } finally {
      setDeciding(undefined);
    }
    onDone();
    await pendingChanged();
  };
  return {
    deciding,
    failure,
    tooLate,
    forget: () => setFailure(undefined),
    approve: (pending: PendingKycModel) => run('approve', pending, () => approve(pending)),
    reject: (pending: PendingKycModel, reason: string) =>
      run('reject', pending, () => reject(pending, reason)),
  };
}
