import type { PaymentRefundsModel, TransactionModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { NotOffered } from '../../api/api-error.ts';
import { useLiveState } from '../../api/live-state.ts';
import { POLL_MS, refundsQuery, settingsQuery } from '../../api/queries.ts';
import { wasCredited } from '../../format/charge-status.ts';

/** The live channel reports refunds in progress; they are polled while it is not open. */
function pollWhile(live: string, refunds: PaymentRefundsModel | undefined): number | false {
  const underWay = refunds?.refunds.some(({ status }) => status === 'processing') ?? false;
  return underWay && live !== 'open' ? POLL_MS : false;
}

/** The refunds of a payment. `offered` is false where the gateway or its bank cannot refund. */
export function useRefunds({ id, status }: TransactionModel) {
  const settings = useQuery(settingsQuery);
  const live = useLiveState();
  const refused = settings.data?.refunds === false;
  const refunds = useQuery({
    ...refundsQuery(id),
    enabled: wasCredited(status) && !refused && !settings.isPending,
    refetchInterval: ({ state }) => pollWhile(live, state.data),
  });
  return { ...refunds, offered: !refused && !(refunds.error instanceof NotOffered) };
}
