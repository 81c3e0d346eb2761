import { parseTransactionFeed, transactionFeed } from '@jangada/contract';
import { queryOptions } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import type { Charge } from './charge.ts';

/** A charge by its id, as the feed knows it; null where it is not found. What changes on it is asked apart. */
export const chargeRecordQuery = (id: string) =>
  queryOptions({
    queryKey: ['charge-record', id],
    queryFn: async ({ signal }): Promise<Charge | null> => {
      const feed = parseTransactionFeed(
        await send(transactionFeed, { query: { search: id, limit: 1 }, signal }),
      );
      const found = feed.transactions.find((transaction) => transaction.id === id);
      return found ? { ...found, image: '' } : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
