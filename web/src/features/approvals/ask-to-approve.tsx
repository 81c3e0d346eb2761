import { useState } from 'react';
import { ApiError, isCancelled } from '../../api/api-error.ts';
import { isApprovalRequested } from '../../api/approval-requested.ts';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import type { ApprovalsOf } from '../../panel/approvals/approvals-queries.ts';
import { Button, Notice, toast } from '../../ui/index.ts';
import { askThatApprovalsCount } from './use-approval.ts';

type AskToApproveProps = { of: ApprovalsOf; onAsked?: () => void };

/** Says why the person's approvals do not count yet, and asks the others to change that. */
export function AskToApprove({ of, onAsked }: AskToApproveProps) {
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const ask = async () => {
    setIsSending(true);
    setFailure(undefined);
    try {
      await askThatApprovalsCount(of);
      toast('Sua aprovação já conta');
      onAsked?.();
    } catch (error) {
      // The frame says that the others were asked.
      if (isApprovalRequested(error)) onAsked?.();
      else if (!isCancelled(error)) setFailure(error);
    } finally {
      setIsSending(false);
    }
  };
  const lacksFactor = failure instanceof ApiError && failure.code === 'FACTOR_MISSING';
  return (
    <div className="grid gap-3">
      <Notice
        tone="warning"
        title="A sua aprovação ainda não conta."
        action={
          <Button size="small" isSending={isSending} onClick={ask}>
            Pedir que conte
          </Button>
        }
      >
        Quem passa a aprovar, ou troca de segundo fator, é aprovado antes por quem já aprova.
      </Notice>
      {failure !== undefined && (
        <Notice tone="error">
          {errorText(failure, 'Não foi possível pedir. Tente novamente.')}{' '}
          {lacksFactor && (
            <Link to={paths.security} className="link">
              Abrir Segurança
            </Link>
          )}
        </Notice>
      )}
    </div>
  );
}
