import {
  acceptHeldPix,
  getPayerRules,
  giveBackHeldPix,
  type HeldPix,
  listHeldPix,
  type PayerRules,
  setPayerRules,
} from '@jangada/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { refetchMoney } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { HELD_PIX } from '../../panel/charge/charges-header.tsx';

const PAGE_SIZE = 25;
const POLL_MS = 30_000;

/** Held Pix, page by page, newest first: those that wait for a decision, or all. */
export const heldPixQuery = (state: 'open' | 'all') =>
  infiniteQueryOptions({
    queryKey: [HELD_PIX, 'list', state],
    queryFn: ({ signal, pageParam }) =>
      call(listHeldPix, { query: { state, limit: PAGE_SIZE, before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
    // Another one may come at any time, and a return end. What was opened page by page is not fetched again by itself.
    refetchInterval: ({ state: { data } }) => (data?.pages.length ?? 0) <= 1 && POLL_MS,
  });

/** Refetches after a failure too: somebody else may have decided meanwhile. */
async function thenRefetch(answer: Promise<HeldPix>): Promise<HeldPix> {
  try {
    return await answer;
  } finally {
    void queryClient.invalidateQueries({ queryKey: [HELD_PIX] });
    void refetchMoney();
  }
}

export const heldPixActions = {
  accept: ({ id }: HeldPix) => thenRefetch(call(acceptHeldPix, { params: { id } })),
  giveBack: ({ id }: HeldPix) => thenRefetch(call(giveBackHeldPix, { params: { id } })),
};

export const payerRulesQuery = queryOptions({
  queryKey: ['payer-rules'],
  queryFn: ({ signal }) => call(getPayerRules, { signal }),
});

export async function savePayerRules(body: PayerRules): Promise<void> {
  queryClient.setQueryData(payerRulesQuery.queryKey, await call(setPayerRules, { body }));
}
