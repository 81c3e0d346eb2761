import type { WithdrawalModel } from '@jangada/contract';
import { RefreshCw } from 'lucide-react';
import { errorText, requestIdOf } from '../../api/error-text.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatDeduction, formatMoney } from '../../format/money.ts';
import { AwaitsApproval } from '../../panel/approvals/awaits-approval.tsx';
import { billedFeeFact } from '../../panel/charge/billed-fee.ts';
import { CopyableText } from '../../panel/copyable-text.tsx';
import { makerText } from '../../panel/members/maker-text.ts';
import { displayPixKey, keyTypeName } from '../../panel/pix-key/pix-key.ts';
import { Button, Dialog, type Fact, Facts, LoadingRegion, Notice, Skeleton } from '../../ui/index.ts';
import { useWithdrawal } from './use-withdrawals.ts';
import { WithdrawalBadge } from './withdrawals-table.tsx';

const FAILURE = 'Erro ao verificar status do saque.';

type WithdrawalDetailProps = {
  id: string;
  /** The withdrawal from the loaded list; undefined when the list does not have it. */
  listedWithdrawal: WithdrawalModel | undefined;
  onClose: () => void;
};

/** The detail dialog of a withdrawal. */
export function WithdrawalDetail({ id, listedWithdrawal, onClose }: WithdrawalDetailProps) {
  const query = useWithdrawal(id);
  // The data from the list is shown until the full data is loaded, and also if loading fails.
  const withdrawal = query.data ?? listedWithdrawal;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Saque"
      footer={
        <>
          <Button onClick={onClose}>Fechar</Button>
          <Button
            isSending={query.isFetching}
            sendingLabel="Atualizando"
            icon={<RefreshCw className="size-4" strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => query.refetch()}
          >
            Atualizar
          </Button>
        </>
      }
    >
      {query.isError && (
        <Notice
          tone="error"
          className="mb-4"
          action={
            <Button size="small" onClick={() => query.refetch()}>
              Tentar Novamente
            </Button>
          }
        >
          {errorText(query.error, FAILURE)}
          {requestIdOf(query.error) !== null && (
            <span className="mt-1 block text-xs text-muted">
              Código do pedido <span className="font-mono">{requestIdOf(query.error)}</span>
            </span>
          )}
        </Notice>
      )}
      {withdrawal !== undefined ? (
        <LoadedWithdrawal withdrawal={withdrawal} />
      ) : (
        query.isPending && (
          <LoadingRegion>
            <Skeleton className="h-9 w-44" />
            <Skeleton className="mt-5 h-52 w-full" />
          </LoadingRegion>
        )
      )}
    </Dialog>
  );
}

function LoadedWithdrawal({ withdrawal }: { withdrawal: WithdrawalModel }) {
  const { id, status, amountCents, awaitsApproval, error, inDoubt } = withdrawal;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {formatMoney(amountCents)}
        </p>
        <span aria-live="polite">
          <WithdrawalBadge status={status} awaitsApproval={awaitsApproval} />
        </span>
      </div>
      {awaitsApproval && <AwaitsApproval orderId={id} text={error} className="mb-4" />}
      {!awaitsApproval && (error !== null || inDoubt) && (
        <Notice tone={status === 'failed' ? 'error' : 'warning'} className="mb-4">
          {error ??
            'O banco ainda não confirmou este saque. Estamos verificando; seu dinheiro está guardado.'}
        </Notice>
      )}
      <Facts facts={factsOf(withdrawal)} />
    </>
  );
}

function factsOf(withdrawal: WithdrawalModel): Fact[] {
  const { id, amountCents, accountName, pixKey, keyType, endToEndId, completedAt, madeBy } = withdrawal;
  return [
    { label: 'ID', value: <CopyableText text={id} label="Copiar ID" /> },
    { label: 'Valor', value: formatMoney(amountCents) },
    ...costFacts(withdrawal),
    ...(accountName === null
      ? []
      : [{ label: 'Saiu de', value: <bdi className="wrap-anywhere">{accountName}</bdi> }]),
    {
      label: 'Chave PIX',
      value: (
        <CopyableText text={pixKey} displayText={displayPixKey(keyType, pixKey)} label="Copiar chave PIX" />
      ),
    },
    { label: 'Tipo de chave', value: keyTypeName(keyType) },
    ...(madeBy === null
      ? []
      : [{ label: 'Pedido por', value: <bdi className="wrap-anywhere">{makerText(madeBy)}</bdi> }]),
    { label: 'Criado em', value: formatDateTime(withdrawal.createdAt) },
    ...(completedAt === null ? [] : [{ label: 'Concluído em', value: formatDateTime(completedAt) }]),
    ...returnFacts(withdrawal),
    ...(endToEndId === null
      ? []
      : [{ label: 'EndToEndId', value: <CopyableText text={endToEndId} label="Copiar EndToEndId" /> }]),
  ];
}

/**
 * Rows for a withdrawal that the bank returned: the amount that came back to the balance, and the fee, which did not.
 */
function returnFacts({ returnedCents, feeCents }: WithdrawalModel): Fact[] {
  if (returnedCents === 0) return [];
  const amount = { label: 'Devolvido ao saldo', value: formatMoney(returnedCents), strong: true };
  if (feeCents === null || feeCents === 0) return [amount];
  return [amount, { label: 'Tarifa não devolvida', value: formatMoney(feeCents) }];
}

/** The fee and the amount that the Pix key receives; a failed withdrawal has neither. */
function costFacts({ status, amountCents, feeCents, isFeeBilled }: WithdrawalModel): Fact[] {
  if (feeCents === null || status === 'failed') return [];
  return [
    isFeeBilled ? billedFeeFact(feeCents) : { label: 'Tarifa', value: formatDeduction(feeCents) },
    {
      label: 'Chega à chave',
      value: formatMoney(isFeeBilled ? amountCents : amountCents - feeCents),
      strong: true,
    },
  ];
}
