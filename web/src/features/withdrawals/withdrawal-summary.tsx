import { type FeeTerms, feeCents } from '@jangada/contract';
import { Info } from 'lucide-react';
import { useSupports } from '../../api/provider.ts';
import { formatDeduction, formatMoney, formatRate } from '../../format/money.ts';
import { Button, Facts, Panel } from '../../ui/index.ts';

type WithdrawalSummaryProps = {
  cents: number | null;
  /** True when the amount may be withdrawn; otherwise the summary shows no net amount. */
  isAllowed: boolean;
  fee: FeeTerms;
  /** Whether it leaves an own account: the key then receives all of it, and the fee is billed. */
  isFromOwn: boolean;
  /** True when the account's own fee could not be loaded, and `fee` is the default one. */
  hasFeeFailed: boolean;
  isRetrying: boolean;
  onRetry: () => void;
};

/** The fee of the withdrawal and the net amount that the Pix key receives, calculated as the server does. */
export function WithdrawalSummary({
  cents,
  isAllowed,
  fee,
  isFromOwn,
  hasFeeFailed,
  isRetrying,
  onRetry,
}: WithdrawalSummaryProps) {
  const hasLimits = useSupports('withdrawalLimits');
  const feeOfAmountCents = cents === null ? null : feeCents(cents, fee);
  // A fee without a percentage is known before the amount is.
  const feeOfAnyAmountCents = fee.rate === 0 ? fee.fixedCents : null;
  const shownFeeCents = feeOfAmountCents ?? feeOfAnyAmountCents;
  const deductedCents = isFromOwn ? 0 : feeOfAmountCents;
  const netCents = cents === null || deductedCents === null || !isAllowed ? null : cents - deductedCents;
  return (
    <Panel well as="aside" label="Resumo">
      <h2 className="font-strong">Resumo</h2>
      <Facts
        bordered={false}
        className="mt-2"
        facts={[
          { label: 'Valor do saque', value: formatMoney(cents) },
          {
            label: feeLabel(fee),
            value: isFromOwn
              ? `${formatMoney(shownFeeCents)} na fatura do mês`
              : formatDeduction(shownFeeCents),
          },
          {
            label: <span className="font-medium text-base-content">A chave recebe</span>,
            value: (
              <span className="py-2 text-lg font-strong whitespace-nowrap max-[23rem]:text-base">
                {formatMoney(netCents)}
              </span>
            ),
          },
        ]}
      />
      {hasFeeFailed && (
        <div role="alert" className="mt-2 grid justify-items-start gap-2 text-error">
          <p>Não foi possível carregar as informações de taxas. A tarifa acima é a padrão.</p>
          <Button size="small" isSending={isRetrying} onClick={onRetry}>
            Tentar Novamente
          </Button>
        </div>
      )}
      {hasLimits && (
        <p className="mt-2 flex gap-2 border-t border-base-300 pt-3 text-muted">
          <Info className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} aria-hidden="true" />
          Um saque por vez. Das 20h às 6h o limite é menor.
        </p>
      )}
    </Panel>
  );
}

/**
 * The label of the fee, with the rate if it has a percentage: the amount beside the label does not show the
 * rate.
 */
function feeLabel({ rate, fixedCents }: FeeTerms): string {
  if (rate === 0) return 'Tarifa de saque';
  const fixed = fixedCents > 0 ? ` + ${formatMoney(fixedCents)}` : '';
  return `Tarifa de saque (${formatRate(rate)}${fixed})`;
}
