import { parseTransactionFeed, transactionFeed } from '@jangada/contract';
import { queryOptions } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import { offersMore } from '../../api/provider.ts';
import { type ChargeWithImage, hasCode } from './charge.ts';

/** The address of a charge that its provider gave no id: it is known as long as it is shown. */
export const NAMELESS = 'sem-id';

/** A charge by its id, from the feed; null when not found. Its changing state is queried separately. */
export const chargeRecordQuery = (id: string) =>
  queryOptions({
    queryKey: ['charge-record', id],
    queryFn: async ({ signal }): Promise<ChargeWithImage | null> => {
      if (id === NAMELESS) return null;
      // Others do not search: it is among their newest, or not to be found.
      const query = offersMore() ? { search: id, limit: 1 } : { limit: 100 };
      const feed = parseTransactionFeed(await send(transactionFeed, { query, signal }), query);
      const found = feed.transactions.find((transaction) => transaction.id === id);
      return found ? { ...found, image: '' } : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Opened again, one that had no code yet may have it.
    refetchOnMount: ({ state: { data } }) => (data && !hasCode(data) ? 'always' : false),
  });
