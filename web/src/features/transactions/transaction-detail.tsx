import type { TransactionModel } from '@jangada/contract';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { chargeLook, wasCredited } from '../../format/charge-status.ts';
import { formatDateTime, formatRelative } from '../../format/date.ts';
import { formatDeduction, formatMoney } from '../../format/money.ts';
import {
  Button,
  Code,
  CodeWell,
  CopyButton,
  Dialog,
  type Fact,
  Facts,
  Notice,
  StatusBadge,
  toastError,
} from '../../ui/index.ts';

const REFUND_ANSWER = 'Funcionalidade de estorno não implementada';

type TransactionDetailProps = { transaction: TransactionModel; onClose: () => void };

/** Everything about one charge. A bottom sheet on phones. */
export function TransactionDetail({ transaction, onClose }: TransactionDetailProps) {
  const [refundsAsked, setRefundsAsked] = useState(0);
  const { glyph, word } = chargeLook(transaction.status);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Transação"
      footerStart={
        transaction.status === 'paid' && (
          <Button
            variant="danger"
            icon={<Undo2 className="size-4" strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => setRefundsAsked(refundsAsked + 1)}
          >
            Estornar
          </Button>
        )
      }
      footer={<Button onClick={onClose}>Fechar</Button>}
    >
      <div className="mb-4 flex items-end justify-between gap-4">
        <p className="text-xl font-strong whitespace-nowrap tabular-nums">
          {formatMoney(transaction.amountCents)}
        </p>
        <StatusBadge status={glyph}>{word}</StatusBadge>
      </div>
      <Facts facts={factsOf(transaction)} />
      {transaction.content !== '' && (
        <>
          <div className="mt-4 mb-1 flex items-center justify-between">
            <p className="text-xs font-medium text-muted">Conteúdo do QR Code</p>
            <CopyButton
              variant="quiet"
              size="small"
              text={transaction.content}
              label="Copiar"
              onFailed={copyFailed}
            />
          </div>
          <CodeWell label="Conteúdo do QR Code">{transaction.content}</CodeWell>
        </>
      )}
      <div role="status">
        {refundsAsked > 0 && (
          <div key={refundsAsked} ref={bringIntoView}>
            <Notice tone="info" className="mt-4">
              {REFUND_ANSWER}
            </Notice>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** On a short screen the end of the dialog is out of sight. */
function bringIntoView(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'nearest' });
}

function copyFailed() {
  toastError('Falha ao copiar para a área de transferência.');
}

function factsOf(transaction: TransactionModel): Fact[] {
  const { id, endToEndId, amountCents, creditedCents, refundedCents } = transaction;
  const credited = wasCredited(transaction.status);
  return [
    { label: 'ID', value: <CopiedCode text={id} label="Copiar ID" /> },
    ...(endToEndId === null
      ? []
      : [{ label: 'EndToEndId', value: <CopiedCode text={endToEndId} label="Copiar EndToEndId" /> }]),
    { label: 'Criada em', value: formatDateTime(transaction.createdAt) },
    credited
      ? { label: 'Paga em', value: formatDateTime(transaction.paidAt) }
      : { label: expiryLabel(transaction), value: formatDateTime(transaction.expiresAt) },
    { label: 'Valor bruto', value: formatMoney(amountCents) },
    { label: 'Tarifa', value: formatDeduction(credited ? amountCents - creditedCents : null) },
    ...(refundedCents > 0 ? [{ label: 'Estornado', value: formatDeduction(refundedCents) }] : []),
    { label: 'Valor líquido', value: formatMoney(credited ? creditedCents : null), strong: true },
  ];
}

function expiryLabel({ status, expiresAt }: TransactionModel): string {
  const relative = formatRelative(expiresAt, new Date());
  if (status === 'expired') return 'Expirou em';
  return relative === '' ? 'Expira em' : `Expira ${relative}`;
}

function CopiedCode({ text, label }: { text: string; label: string }) {
  return (
    <>
      <Code className="break-all">{text}</Code>
      <CopyButton iconOnly className="-mr-1.5" text={text} label={label} onFailed={copyFailed} />
    </>
  );
}
