import { type FeeTerms, feeCents } from '@jangada/contract';
import { Info } from 'lucide-react';
import { useSupports } from '../../api/provider.ts';
import { formatDeduction, formatMoney, formatRate } from '../../format/money.ts';
import { Button, Facts, Panel } from '../../ui/index.ts';

type WithdrawalSummaryProps = {
  cents: number | null;
  /** Whether so much may be asked for: nothing else is said to reach the key. */
  arrives: boolean;
  fee: FeeTerms;
  /** The account's own fee could not be loaded, and the usual one stands in its place. */
  failed: boolean;
  retrying: boolean;
  onRetry: () => void;
};

/** The amount that arrives, calculated as the server does. */
export function WithdrawalSummary({
  cents,
  arrives,
  fee,
  failed,
  retrying,
  onRetry,
}: WithdrawalSummaryProps) {
  const hasLimits = useSupports('withdrawalLimits');
  const cost = cents === null ? null : feeCents(cents, fee);
  const net = cents === null || cost === null || !arrives ? null : cents - cost;
  return (
    <Panel well as="aside" label="Resumo">
      <h2 className="font-strong">Resumo</h2>
      <Facts
        bordered={false}
        className="mt-2"
        facts={[
          { label: 'Valor do saque', value: formatMoney(cents) },
          { label: feeLabel(fee), value: formatDeduction(cost ?? (fee.rate === 0 ? fee.fixedCents : null)) },
          {
            label: <span className="font-medium text-base-content">A chave recebe</span>,
            value: (
              <span className="py-2 text-lg font-strong whitespace-nowrap max-[23rem]:text-base">
                {formatMoney(net)}
              </span>
            ),
          },
        ]}
      />
      {failed && (
        <div role="alert" className="mt-2 grid justify-items-start gap-2 text-error">
          <p>Não foi possível carregar as informações de taxas. A tarifa acima é a padrão.</p>
          <Button size="small" sending={retrying} onClick={onRetry}>
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

/** The plain fee as in the picture; a percentage has to be told. */
function feeLabel({ rate, fixedCents }: FeeTerms): string {
  if (rate === 0) return 'Tarifa de saque';
  const fixed = fixedCents > 0 ? ` + ${formatMoney(fixedCents)}` : '';
  return `Tarifa de saque (${formatRate(rate)}${fixed})`;
}
