import {
  cancelPayment,
  type FeedModel,
  type PaymentRefundsModel,
  type TransactionModel,
} from '@jangada/contract';
import { ReceiptText, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { useSupports } from '../../api/provider.ts';
import { moneyChanged } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { chargeLook } from '../../format/charge-status.ts';
import { formatMoney } from '../../format/money.ts';
import { CopyLink, ShareLink } from '../../panel/charge/link-buttons.tsx';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import {
  Button,
  bringIntoView,
  buttonClass,
  CodeWell,
  CopyButton,
  Dialog,
  Facts,
  Notice,
  StatusBadge,
} from '../../ui/index.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { RefundList, useRefunds } from './refund-list.tsx';
import { Timeline } from './timeline.tsx';
import { factsOf, isBlocked } from './transaction-facts.tsx';

const REFUND_ANSWER = 'Funcionalidade de estorno não implementada';

type Refunds = ReturnType<typeof useRefunds>;

type TransactionDetailProps = { transaction: TransactionModel; onClose: () => void };

/** Everything about one charge. A bottom sheet on phones. */
export function TransactionDetail({ transaction, onClose }: TransactionDetailProps) {
  const [asked, setAsked] = useState(0);
  const [refunding, setRefunding] = useState(false);
  const [cancelling, setCancelling] = useState(false);
  const refunds = useRefunds(transaction);
  const { glyph, word } = chargeLook(transaction.status);
  const because = blockedBecause(refunds.data);
  if (refunding && refunds.data && !isBlocked(refunds.data)) {
    return (
      <RefundDialog transaction={transaction} refunds={refunds.data} onClose={() => setRefunding(false)} />
    );
  }
  if (cancelling) {
    return <CancelChargeDialog onCancelling={setCancelling} transaction={transaction} />;
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Transação"
      footerStart={
        <DetailActions
          transaction={transaction}
          onCancelling={setCancelling}
          refunds={refunds}
          asked={asked}
          onAsked={setAsked}
          onRefunding={setRefunding}
        />
      }
      footer={<Button onClick={onClose}>Fechar</Button>}
    >
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {formatMoney(transaction.amountCents)}
        </p>
        <StatusBadge status={glyph}>{word}</StatusBadge>
      </div>
      <Pages of={transaction} />
      <Facts facts={factsOf(transaction, refunds.data)} />
      {transaction.status === 'paid' && because !== null && <p className="mt-3 text-muted">{because}</p>}
      {refunds.data !== undefined && refunds.data.refunds.length > 0 && (
        <RefundList refunds={refunds.data.refunds} />
      )}
      {transaction.content !== '' && <QrCodeContent transaction={transaction} />}
      <Timeline paymentId={transaction.id} />
      <RefundAnswer asked={asked} refunds={refunds} />
    </Dialog>
  );
}

function CancelChargeDialog({
  onCancelling,
  transaction,
}: {
  onCancelling: (cancelling: boolean) => void;
  transaction: TransactionModel;
}) {
  return (
    <ConfirmDialog
      open
      onClose={() => onCancelling(false)}
      title="Cancelar cobrança"
      confirm="Cancelar cobrança"
      onConfirm={() => cancelCharge(transaction.id)}
      failure="Erro ao cancelar a cobrança. Tente de novo."
    >
      O banco deixa de aceitar este código. Quem já pagou não perde nada: o valor entra na sua conta.
    </ConfirmDialog>
  );
}

type DetailActionsProps = {
  transaction: TransactionModel;
  onCancelling: (cancelling: boolean) => void;
  refunds: Refunds;
  asked: number;
  onAsked: (asked: number) => void;
  onRefunding: (refunding: boolean) => void;
};

function DetailActions({
  transaction,
  onCancelling,
  refunds,
  asked,
  onAsked,
  onRefunding,
}: DetailActionsProps) {
  const canCancel = useSupports('chargeCancellation');
  return transaction.status === 'pending'
    ? canCancel && (
        <Button variant="danger" onClick={() => onCancelling(true)}>
          Cancelar cobrança
        </Button>
      )
    : transaction.status === 'paid' && !(refunds.offered && isBlocked(refunds.data)) && (
        <Button
          variant="danger"
          // Focus returns here when the refund dialog closes.
          data-autofocus={asked > 0 ? '' : undefined}
          icon={<Undo2 className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          sending={refunds.offered && refunds.isLoading && asked > 0}
          sendingWord="Carregando"
          onClick={() => {
            onAsked(asked + 1);
            onRefunding(refunds.offered);
            if (refunds.offered && refunds.isError) void refunds.refetch();
          }}
        >
          Estornar
        </Button>
      );
}

function QrCodeContent({ transaction }: { transaction: TransactionModel }) {
  return (
    <>
      <div className="mt-4 mb-1 flex items-center justify-between">
        <p className="text-xs font-medium text-muted">Conteúdo do QR Code</p>
        <CopyButton variant="quiet" size="small" text={transaction.content} label="Copiar" />
      </div>
      <CodeWell label="Conteúdo do QR Code">{transaction.content}</CodeWell>
    </>
  );
}

function RefundAnswer({ asked, refunds }: { asked: number; refunds: Refunds }) {
  return (
    <>
      <div role="status">
        {asked > 0 && !refunds.offered && (
          <div key={asked} ref={bringIntoView}>
            <Notice tone="info" className="mt-4">
              {REFUND_ANSWER}
            </Notice>
          </div>
        )}
      </div>
      {asked > 0 && refunds.offered && refunds.isError && !refunds.isFetching && (
        <div key={asked} ref={bringIntoView}>
          <Notice tone="error" className="mt-4">
            {errorText(refunds.error, 'Erro ao buscar os estornos. Tente de novo.')}
          </Notice>
        </div>
      )}
    </>
  );
}

/** The checkout page to send, or the receipt once it is paid. */
function Pages({ of: { status, checkoutUrl, receiptUrl, amountCents } }: { of: TransactionModel }) {
  if (receiptUrl !== null)
    return (
      <div className="mb-4 flex">
        <a
          href={receiptUrl}
          target="_blank"
          rel="noopener"
          className={`${buttonClass({ size: 'small' })} max-md:grow`}
        >
          <ReceiptText className="size-4" strokeWidth={1.75} aria-hidden="true" />
          Ver comprovante
        </a>
      </div>
    );
  if (checkoutUrl === null || status !== 'pending') return null;
  const look = { size: 'small', className: 'max-md:grow', url: checkoutUrl } as const;
  return (
    <div className="mb-4 flex gap-2">
      <ShareLink {...look} text={`Pague ${formatMoney(amountCents)} com Pix:`} />
      <CopyLink {...look} />
    </div>
  );
}

/** Why the rest cannot be refunded; null when nothing is left, because the list of refunds shows that. */
function blockedBecause(refunds: PaymentRefundsModel | undefined): string | null {
  return refunds !== undefined && refunds.refundableCents > 0 ? refunds.blockedBecause : null;
}

/** Cancels an unpaid charge. The cached lists are updated at once, and refetched in the background. */
async function cancelCharge(id: string): Promise<void> {
  const { status, cancelled_at: cancelledAt } = await call(cancelPayment, { params: { id } });
  queryClient.setQueriesData<FeedModel>(
    { queryKey: ['feed'] },
    (feed) =>
      feed && {
        ...feed,
        transactions: feed.transactions.map((one) => (one.id === id ? { ...one, status, cancelledAt } : one)),
      },
  );
  void moneyChanged();
}
