import { feeCents, type TaxesModel } from '@jangada/contract';
import { formatDays } from '../../format/date.ts';
import { formatDeduction, formatFee, formatMoney } from '../../format/money.ts';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { billedFeeFact } from '../../panel/charge/billed-fee.ts';
import { Facts, Panel } from '../../ui/index.ts';

/**
 * The amount that the payer pays, the fee and the merchant's net amount, calculated as the server does. `taxes` is the
 * API's name for the fees; undefined while they load.
 */
export function PaymentSummary({ cents, taxes }: { cents: number | null; taxes: TaxesModel | undefined }) {
  const chargeFeeCents = cents === null || taxes === undefined ? null : feeCents(cents, taxes.in);
  const { is_paid_into_own: isBilled } = useMerchantBank();
  const netCents = cents === null || chargeFeeCents === null ? null : Math.max(0, cents - chargeFeeCents);
  return (
    <Panel well as="aside" label="Resumo">
      <h2 className="font-strong">Resumo</h2>
      <Facts
        bordered={false}
        className="mt-2"
        facts={[
          { label: 'Cliente paga', value: formatMoney(cents) },
          isBilled
            ? billedFeeFact(chargeFeeCents, feeLabel(taxes))
            : { label: feeLabel(taxes), value: formatDeduction(chargeFeeCents) },
          {
            label: (
              <span className="font-medium text-base-content">
                {isBilled ? 'Cai na sua conta' : 'Você recebe'}
              </span>
            ),
            value: (
              <span className="py-2 text-lg font-strong whitespace-nowrap max-[23rem]:text-base">
                {formatMoney(isBilled ? cents : netCents)}
              </span>
            ),
          },
        ]}
      />
      {taxes && netCents !== null && !isBilled && <ReserveLine netCents={netCents} taxes={taxes} />}
    </Panel>
  );
}

function feeLabel(taxes: TaxesModel | undefined): string {
  const fee = taxes && formatFee(taxes.in);
  return fee === undefined ? 'Tarifa' : `Tarifa (${fee})`;
}

/**
 * The part of the net amount that goes to the reserve: it is withheld for some days before it joins the
 * balance.
 */
function ReserveLine({ netCents, taxes: { reserve } }: { netCents: number; taxes: TaxesModel }) {
  if (!reserve.enabled || reserve.days === 0) return null;
  const reservedCents = feeCents(netCents, { rate: reserve.rate, fixedCents: 0 });
  if (reservedCents === 0) return null;
  return (
    <p className="mt-2 text-xs text-muted">
      {formatMoney(reservedCents)} ficam reservados por {formatDays(reserve.days)}.
    </p>
  );
}
