import type { Payer, PaymentRefundsModel, TransactionModel } from '@jangada/contract';
import { paths } from '../../app/paths.ts';
import { wasCredited } from '../../format/charge-status.ts';
import { formatDate, formatDateTime, formatRelative } from '../../format/date.ts';
import { formatDeduction, formatMoney } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { billedFeeFact } from '../../panel/charge/billed-fee.ts';
import { CopyableText } from '../../panel/copyable-text.tsx';
import type { Fact } from '../../ui/index.ts';

/** The rows of a charge's detail: its identifiers, payer, dates and amounts, and the refunded amount. */
export function factsOf(transaction: TransactionModel, refunds: PaymentRefundsModel | undefined): Fact[] {
  const { id, endToEndId, amountCents, creditedCents, billedFeeCents, reservedCents } = transaction;
  const isCredited = wasCredited(transaction.status);
  const refundedCents = refunds?.refundedCents ?? transaction.refundedCents;
  return [
    { label: 'ID', value: <CopyableText text={id} label="Copiar ID" /> },
    ...(endToEndId === null
      ? []
      : [{ label: 'EndToEndId', value: <CopyableText text={endToEndId} label="Copiar EndToEndId" /> }]),
    ...(transaction.externalId === null
      ? []
      : [
          {
            label: 'Referência',
            value: <CopyableText text={transaction.externalId} label="Copiar referência" />,
          },
        ]),
    ...(transaction.description === null
      ? []
      : [{ label: 'Descrição', value: <bdi className="wrap-anywhere">{transaction.description}</bdi> }]),
    ...originFacts(transaction),
    ...(transaction.payer === null ? [] : payerFacts(transaction.payer)),
    ...Object.entries(transaction.metadata).map(([label, value]) => ({
      label: <bdi className="wrap-anywhere">{label}</bdi>,
      value: <bdi className="wrap-anywhere">{value}</bdi>,
    })),
    ...(transaction.accountName === null
      ? []
      : [{ label: 'Conta bancária', value: <bdi className="wrap-anywhere">{transaction.accountName}</bdi> }]),
    { label: 'Criada em', value: formatDateTime(transaction.createdAt) },
    ...endFacts(transaction),
    { label: 'Valor bruto', value: formatMoney(amountCents) },
    billedFeeCents !== null && isCredited
      ? billedFeeFact(billedFeeCents)
      : { label: 'Tarifa', value: formatDeduction(isCredited ? amountCents - creditedCents : null) },
    {
      label: billedFeeCents !== null ? 'Caiu na sua conta' : 'Valor líquido',
      value: formatMoney(isCredited ? creditedCents : null),
      strong: true,
    },
    ...(isCredited && reservedCents > 0
      ? [{ label: 'Foi para a reserva', value: formatMoney(reservedCents) }]
      : []),
    ...(refundedCents > 0
      ? [{ label: 'Devolvido a quem pagou', value: formatDeduction(refundedCents) }]
      : []),
    ...(refunds !== undefined && !isRefundBlocked(refunds) && transaction.status === 'paid'
      ? [{ label: 'Pode ser estornada até', value: formatDate(refunds.refundableUntil) }]
      : []),
  ];
}

/**
 * A row that says when the charge was paid or cancelled, or when it expires. A charge in error has no such row, because
 * the bank did not create it.
 */
function endFacts(transaction: TransactionModel): Fact[] {
  const { status, paidAt, cancelledAt, expiresAt, due } = transaction;
  if (wasCredited(status)) return [{ label: 'Paga em', value: formatDateTime(paidAt) }];
  if (cancelledAt !== null) return [{ label: 'Cancelada em', value: formatDateTime(cancelledAt) }];
  // The section of the due date says until when an open charge can be paid.
  if (status === 'error' || (due !== undefined && status === 'pending')) return [];
  return [{ label: expiryLabel(transaction), value: formatDateTime(expiresAt) }];
}

/**
 * True when nothing can be refunded now. The detail then shows the reason, or the refunds that leave nothing to return.
 */
export function isRefundBlocked(refunds: PaymentRefundsModel | undefined): boolean {
  return refunds !== undefined && (refunds.blockedBecause !== null || refunds.refundableCents === 0);
}

/** A link to the payment link or counter code (a QR code for printing) through which the payment was made. */
function originFacts({ paymentLinkId, counterCodeId }: TransactionModel): Fact[] {
  const [to, id, label] =
    paymentLinkId === null
      ? [paths.counterCodes, counterCodeId, 'QR Code do balcão']
      : [paths.paymentLinks, paymentLinkId, 'Link de pagamento'];
  if (id === null) return [];
  return [
    {
      label: 'Origem',
      value: (
        <Link to={to} search={{ id }} className="link">
          {label}
        </Link>
      ),
    },
  ];
}

function payerFacts({ name, document }: Payer): Fact[] {
  return [
    ...(name === null ? [] : [{ label: 'Pagador', value: <bdi className="wrap-anywhere">{name}</bdi> }]),
    ...(document === null ? [] : [{ label: 'Documento do pagador', value: document }]),
  ];
}

function expiryLabel({ status, expiresAt }: TransactionModel): string {
  const relative = formatRelative(expiresAt, new Date());
  if (status === 'expired') return 'Expirou em';
  return relative === '' ? 'Expira em' : `Expira ${relative}`;
}
