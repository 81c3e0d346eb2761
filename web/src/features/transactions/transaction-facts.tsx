import type { Payer, PaymentRefundsModel, TransactionModel } from '@jangada/contract';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { wasCredited } from '../../format/charge-status.ts';
import { formatDate, formatDateTime, formatRelative } from '../../format/date.ts';
import { formatDeduction, formatMoney } from '../../format/money.ts';
import { Copied } from '../../panel/copied.tsx';
import type { Fact } from '../../ui/index.ts';

/** The facts of a charge: what it is, what came of it, and what is on its way back. */
export function factsOf(transaction: TransactionModel, refunds: PaymentRefundsModel | undefined): Fact[] {
  const { id, endToEndId, amountCents, creditedCents, reservedCents } = transaction;
  const credited = wasCredited(transaction.status);
  const refundedCents = refunds?.refundedCents ?? transaction.refundedCents;
  return [
    { label: 'ID', value: <Copied text={id} label="Copiar ID" /> },
    ...(endToEndId === null
      ? []
      : [{ label: 'EndToEndId', value: <Copied text={endToEndId} label="Copiar EndToEndId" /> }]),
    ...(transaction.externalId === null
      ? []
      : [
          {
            label: 'Referência',
            value: <Copied text={transaction.externalId} label="Copiar referência" />,
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
    { label: 'Criada em', value: formatDateTime(transaction.createdAt) },
    credited
      ? { label: 'Paga em', value: formatDateTime(transaction.paidAt) }
      : transaction.cancelledAt === null
        ? { label: expiryLabel(transaction), value: formatDateTime(transaction.expiresAt) }
        : { label: 'Cancelada em', value: formatDateTime(transaction.cancelledAt) },
    { label: 'Valor bruto', value: formatMoney(amountCents) },
    { label: 'Tarifa', value: formatDeduction(credited ? amountCents - creditedCents : null) },
    { label: 'Valor líquido', value: formatMoney(credited ? creditedCents : null), strong: true },
    ...(credited && reservedCents > 0
      ? [{ label: 'Foi para a reserva', value: formatMoney(reservedCents) }]
      : []),
    ...(refundedCents > 0
      ? [{ label: 'Devolvido a quem pagou', value: formatDeduction(refundedCents) }]
      : []),
    ...(refunds !== undefined && !isBlocked(refunds) && transaction.status === 'paid'
      ? [{ label: 'Pode ser estornada até', value: formatDate(refunds.refundableUntil) }]
      : []),
  ];
}

/** True when nothing can be refunded now; the detail shows the reason, or the refund in progress. */
export function isBlocked(refunds: PaymentRefundsModel | undefined): boolean {
  return refunds !== undefined && (refunds.blockedBecause !== null || refunds.refundableCents === 0);
}

/** The link or counter code that the payment came from, with a link to it. */
function originFacts({ paymentLinkId, counterCodeId }: TransactionModel): Fact[] {
  const [to, id, word] =
    paymentLinkId === null
      ? [paths.counterCodes, counterCodeId, 'QR Code do balcão']
      : [paths.paymentLinks, paymentLinkId, 'Link de pagamento'];
  if (id === null) return [];
  return [
    {
      label: 'Origem',
      value: (
        <Link to={to} search={{ id }} className="link">
          {word}
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
