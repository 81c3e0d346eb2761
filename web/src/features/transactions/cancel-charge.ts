import { cancelPayment, type FeedModel } from '@jangada/contract';
import { call } from '../../api/client.ts';
import { moneyChanged } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';

/** Cancels an unpaid charge. The cached lists are updated at once, and refetched in the background. */
export async function cancelCharge(id: string): Promise<void> {
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
