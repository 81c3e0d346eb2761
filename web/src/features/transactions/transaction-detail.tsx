import {
  cancelPayment,
  type FeedModel,
  type PaymentRefundsModel,
  type TransactionModel,
} from '@jangada/contract';
import { ReceiptText, Undo2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { useSupports } from '../../api/provider.ts';
import { refetchMoney } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { chargeBadge } from '../../format/charge-status.ts';
import { formatMoney } from '../../format/money.ts';
import { CopyLink, ShareLink } from '../../panel/charge/link-buttons.tsx';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { useMay } from '../../session/account.ts';
import {
  Button,
  bringIntoView,
  buttonClass,
  CodeWell,
  CopyButton,
  Dialog,
  Facts,
  Notice,
  Skeleton,
  StatusBadge,
} from '../../ui/index.ts';
import { RefundList, useRefunds } from './refund-list.tsx';
import { Timeline } from './timeline.tsx';
import { factsOf, isRefundBlocked } from './transaction-facts.tsx';

const REFUNDS_NOT_OFFERED = 'Funcionalidade de estorno não implementada';

// Only for whoever refunds.
const RefundDialog = lazy(async () => ({ default: (await import('./refund-dialog.tsx')).RefundDialog }));

// Only for charges with a due date, or that name whom they are for.
const DueSection = lazy(async () => ({
  default: (await import('../../panel/charge/due-section.tsx')).DueSection,
}));

type Refunds = ReturnType<typeof useRefunds>;

type TransactionDetailProps = { transaction: TransactionModel; onClose: () => void };

/**
 * The detail dialog of a charge, with its refunds and its history. From here the merchant cancels a pending charge or
 * refunds a paid one.
 */
export function TransactionDetail({ transaction, onClose }: TransactionDetailProps) {
  // Counts the presses of the refund button. The message is rendered anew for each count, so that each press scrolls it
  // into view.
  const [refundPresses, setRefundPresses] = useState(0);
  const [isRefunding, setIsRefunding] = useState(false);
  const [isCancelling, setIsCancelling] = useState(false);
  const refunds = useRefunds(transaction);
  const { glyph, label } = chargeBadge(transaction.status);
  const refundBlockReason = refundBlockReasonOf(refunds.data);
  const startRefund = () => {
    setRefundPresses(refundPresses + 1);
    setIsRefunding(refunds.canRefund);
    if (refunds.canRefund && refunds.isError) void refunds.refetch();
  };
  if (isRefunding && refunds.data && !isRefundBlocked(refunds.data)) {
    return (
      <Suspense>
        <RefundDialog
          transaction={transaction}
          refunds={refunds.data}
          onClose={() => setIsRefunding(false)}
        />
      </Suspense>
    );
  }
  if (isCancelling) {
    return <CancelChargeDialog transaction={transaction} onClose={() => setIsCancelling(false)} />;
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Transação"
      footerStart={
        <DetailActions
          transaction={transaction}
          refunds={refunds}
          wasRefundPressed={refundPresses > 0}
          onCancel={() => setIsCancelling(true)}
          onRefund={startRefund}
        />
      }
      footer={<Button onClick={onClose}>Fechar</Button>}
    >
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {formatMoney(transaction.amountCents)}
        </p>
        <StatusBadge status={glyph}>{label}</StatusBadge>
      </div>
      <PageLinks transaction={transaction} />
      {(transaction.due ?? transaction.billedTo) !== undefined && (
        <Suspense fallback={<Skeleton className="mb-4 h-52 w-full" />}>
          <DueSection charge={transaction} />
        </Suspense>
      )}
      <Facts facts={factsOf(transaction, refunds.data)} />
      {transaction.status === 'paid' && refundBlockReason !== null && (
        <p className="mt-3 text-muted">{refundBlockReason}</p>
      )}
      {refunds.data !== undefined && refunds.data.refunds.length > 0 && (
        <RefundList refunds={refunds.data.refunds} />
      )}
      {transaction.content !== '' && <QrCodeContent transaction={transaction} />}
      <Timeline paymentId={transaction.id} />
      <RefundMessage refundPresses={refundPresses} refunds={refunds} />
    </Dialog>
  );
}

function CancelChargeDialog({ transaction, onClose }: TransactionDetailProps) {
  return (
    <ConfirmDialog
      open
      onClose={onClose}
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
  refunds: Refunds;
  wasRefundPressed: boolean;
  onCancel: () => void;
  onRefund: () => void;
};

/** The button that cancels a pending charge or refunds a paid one. */
function DetailActions({ transaction, refunds, wasRefundPressed, onCancel, onRefund }: DetailActionsProps) {
  const isCancellable = useSupports('chargeCancellation');
  const mayManage = useMay('manage-charges');
  const mayRefund = useMay('refund');
  const canCancel = isCancellable && mayManage;
  if (transaction.status === 'pending')
    return (
      canCancel && (
        <Button variant="danger" onClick={onCancel}>
          Cancelar cobrança
        </Button>
      )
    );
  const isNothingRefundable = refunds.canRefund && isRefundBlocked(refunds.data);
  if (transaction.status !== 'paid' || isNothingRefundable || !mayRefund) return null;
  return (
    <Button
      variant="danger"
      // When the refund dialog closes, this dialog opens again with the focus on this button.
      data-autofocus={wasRefundPressed ? '' : undefined}
      icon={<Undo2 className="size-4" strokeWidth={1.75} aria-hidden="true" />}
      isSending={refunds.canRefund && refunds.isLoading && wasRefundPressed}
      sendingLabel="Carregando"
      onClick={onRefund}
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

/**
 * The message at the end of the detail, shown after the refund button was pressed if refunds are not offered or could
 * not be loaded.
 */
function RefundMessage({ refundPresses, refunds }: { refundPresses: number; refunds: Refunds }) {
  return (
    <>
      <div role="status">
        {refundPresses > 0 && !refunds.canRefund && (
          <div key={refundPresses} ref={bringIntoView}>
            <Notice tone="info" className="mt-4">
              {REFUNDS_NOT_OFFERED}
            </Notice>
          </div>
        )}
      </div>
      {refundPresses > 0 && refunds.canRefund && refunds.isError && !refunds.isFetching && (
        <div key={refundPresses} ref={bringIntoView}>
          <Notice tone="error" className="mt-4">
            {errorText(refunds.error, 'Erro ao buscar os estornos. Tente de novo.')}
          </Notice>
        </div>
      )}
    </>
  );
}

/** A link to the receipt once the charge is paid; before that, buttons that send the checkout page to the payer. */
function PageLinks({ transaction }: { transaction: TransactionModel }) {
  const { status, checkoutUrl, receiptUrl, amountCents } = transaction;
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
  const linkProps = { size: 'small', className: 'max-md:grow', url: checkoutUrl } as const;
  return (
    <div className="mb-4 flex gap-2">
      <ShareLink {...linkProps} text={`Pague ${formatMoney(amountCents)} com Pix:`} />
      <CopyLink {...linkProps} />
    </div>
  );
}

/**
 * Why the part of a payment that is not refunded yet cannot be refunded now; null if it can. Also null if no such part
 * is left, which the list of refunds shows.
 */
function refundBlockReasonOf(refunds: PaymentRefundsModel | undefined): string | null {
  return refunds !== undefined && refunds.refundableCents > 0 ? refunds.blockedBecause : null;
}

/** Cancels an unpaid charge. The cached lists are updated immediately, and refetched in the background. */
async function cancelCharge(id: string): Promise<void> {
  const { status, cancelled_at: cancelledAt } = await call(cancelPayment, { params: { id } });
  queryClient.setQueriesData<FeedModel>(
    { queryKey: ['feed'] },
    (feed) =>
      feed && {
        ...feed,
        transactions: feed.transactions.map((transaction) =>
          transaction.id === id ? { ...transaction, status, cancelledAt } : transaction,
        ),
      },
  );
  void refetchMoney();
}
