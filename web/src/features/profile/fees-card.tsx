import type { TaxesModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../api/error-text.ts';
import { taxesQuery } from '../../api/queries.ts';
import { formatDays } from '../../format/date.ts';
import { formatMoney, formatRate } from '../../format/money.ts';
import { Button, type Fact, Facts, Panel, Skeleton } from '../../ui/index.ts';

/** All fees of the account. */
export function FeesCard() {
  const taxes = useQuery(taxesQuery);
  return (
    <Panel label="Tarifas">
      <h2 className="font-strong">Tarifas</h2>
      {taxes.data === undefined && taxes.isError ? (
        <div role="alert" className="mt-2 grid justify-items-start gap-4">
          <p className="text-error">
            {errorText(taxes.error, 'Não foi possível carregar as informações de taxas.')}
          </p>
          <Button size="small" isSending={taxes.isFetching} onClick={() => taxes.refetch()}>
            Tentar Novamente
          </Button>
        </div>
      ) : (
        groupsOf(taxes.data).map(({ title, facts }) => (
          <div key={title} className="mt-4">
            <h3 className="text-xs font-medium text-muted">{title}</h3>
            <Facts className="mt-1" facts={facts} bordered={false} />
          </div>
        ))
      )}
    </Panel>
  );
}

type FeeGroup = { title: string; facts: Fact[] };

/**
 * The groups of fees, which the API calls `taxes`. While they load, `taxes` is undefined and each value is a skeleton.
 */
function groupsOf(taxes: TaxesModel | undefined): FeeGroup[] {
  const feeFact = (label: string, format: (loadedTaxes: TaxesModel) => string): Fact => ({
    label,
    value: taxes === undefined ? <Skeleton className="h-3 w-14" /> : format(taxes),
  });
  return [
    {
      title: 'Pix recebido',
      facts: [
        feeFact('Percentual', ({ in: fee }) => formatRate(fee.rate)),
        feeFact('Valor fixo', ({ in: fee }) => formatMoney(fee.fixedCents)),
      ],
    },
    {
      title: 'Saque por Pix',
      facts: [
        feeFact('Percentual', ({ out }) => formatRate(out.rate)),
        feeFact('Valor fixo', ({ out }) => formatMoney(out.fixedCents)),
      ],
    },
    { title: 'Cripto', facts: [feeFact('Percentual', ({ cryptoRate }) => formatRate(cryptoRate))] },
    {
      title: 'Reserva',
      facts: [
        feeFact('Situação', ({ reserve }) => (reserve.enabled ? 'Ligada' : 'Desligada')),
        feeFact('Percentual', ({ reserve }) => formatRate(reserve.rate)),
        feeFact('Liberação', ({ reserve }) => `em ${formatDays(reserve.days)}`),
      ],
    },
  ];
}
