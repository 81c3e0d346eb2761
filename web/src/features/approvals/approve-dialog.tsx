import { type ApprovalDetail, approvalOptions } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { type ApprovalsOf, refetchApprovals } from '../../panel/approvals/approvals-queries.ts';
import { FactorForm, type FactorInput } from '../../panel/factor/factor-form.tsx';
import { supportsPasskeys } from '../../panel/factor/given-factor.ts';
import { Button, Dialog, Facts, LoadingRegion, Notice, Skeleton, toast } from '../../ui/index.ts';
import { AskToApprove } from './ask-to-approve.tsx';
import { approvalActions } from './use-approval.ts';

type ApproveDialogProps = { of: ApprovalsOf; approval: ApprovalDetail; onClose: () => void };

/** Takes the approval of a request: the signature of a passkey over its text, or the code of the app. */
export function ApproveDialog({ of, approval, onClose }: ApproveDialogProps) {
  const { id, summary, facts } = approval;
  const options = useQuery({
    queryKey: ['approval-options', id],
    queryFn: ({ signal }) => call(approvalOptions, { params: { id }, signal }),
    // The factors of the person, or what counts, may have changed since.
    staleTime: 0,
    gcTime: 0,
  });
  const approve = async (factor: FactorInput) => {
    const { status } = await approvalActions(id).approve(factor);
    toast(status === 'open' ? 'Aprovação registrada. Faltam outras.' : 'Pedido aprovado');
    onClose();
  };
  const hasEnded = options.error instanceof ApiError && options.error.code === 'APPROVAL_ENDED';
  // The page behind the dialog still shows it as waiting if no message came about its end.
  useEffect(() => {
    if (hasEnded) refetchApprovals();
  }, [hasEnded]);
  const isNotCounted = options.error instanceof ApiError && options.error.code === 'APPROVER_NOT_COUNTED';
  const needsPasskey =
    options.data !== undefined && !options.data.methods.includes('totp') && !supportsPasskeys();
  return (
    <Dialog open onClose={onClose} title="Aprovar pedido" size="small">
      <p className="font-medium wrap-anywhere">{summary}</p>
      <Facts
        className="mt-3"
        facts={facts.map((fact) => ({ ...fact, value: <span className="wrap-anywhere">{fact.value}</span> }))}
      />
      <p className="mt-3 mb-5 text-muted">
        A sua confirmação vale só para este pedido, como ele está aqui. Se algo nele mudar, é outro pedido.
      </p>
      {needsPasskey ? (
        <Notice tone="warning" title="Este navegador não usa chaves de acesso.">
          Abra o pedido em um aparelho que tenha a sua.
        </Notice>
      ) : options.data !== undefined ? (
        <FactorForm
          methods={options.data.methods}
          passkey={options.data.options}
          confirm="Aprovar"
          isPasskeyFirst
          onFactor={approve}
        />
      ) : isNotCounted ? (
        <AskToApprove of={of} onAsked={onClose} />
      ) : options.isError ? (
        <Notice
          tone="error"
          action={
            hasEnded ? undefined : (
              <Button size="small" isSending={options.isFetching} onClick={() => options.refetch()}>
                Tentar Novamente
              </Button>
            )
          }
        >
          {errorText(options.error, 'Não foi possível preparar a aprovação.')}
        </Notice>
      ) : (
        <LoadingRegion>
          <Skeleton className="h-3 w-52" />
          <Skeleton className="mt-3 h-10 w-full" />
          <Skeleton className="mt-9 h-10 w-full" />
        </LoadingRegion>
      )}
    </Dialog>
  );
}
