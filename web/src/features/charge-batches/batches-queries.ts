import {
  type BatchLineState,
  type ChargeBatch,
  cancelChargeBatch,
  createChargeBatch,
  exportChargeBatch,
  getChargeBatch,
  listChargeBatches,
  listChargeBatchLines,
  type NewBatchLine,
} from '@jangada/contract';
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call, download } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/intents.ts';
import { queryClient } from '../../api/query.ts';
import { saveFile } from '../../panel/save-file.ts';
import { contentKey } from './content-key.ts';

const BATCHES = 'charge-batches';
const BATCHES_AT_ONCE = 20;
const LINES_AT_ONCE = 50;
const POLL_MS = 2000;

/** Batches, page by page, newest first. */
export const batchesQuery = infiniteQueryOptions({
  queryKey: [BATCHES, 'list'],
  queryFn: ({ signal, pageParam }) =>
    call(listChargeBatches, { query: { limit: BATCHES_AT_ONCE, before: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
});

const batchQuery = (id: string) =>
  queryOptions({
    queryKey: [BATCHES, 'detail', id],
    queryFn: ({ signal }) => call(getChargeBatch, { params: { id }, signal }),
  });

/** One batch, asked for again while some of its lines wait. */
export function useBatch(id: string) {
  return useQuery({
    ...batchQuery(id),
    refetchInterval: ({ state: { data } }) => data?.status === 'working' && POLL_MS,
  });
}

/** The lines of a batch in their order, page by page. */
export const linesQuery = (id: string, state: BatchLineState | undefined, isWorking: boolean) =>
  infiniteQueryOptions({
    // Once the batch is done its lines are other ones.
    queryKey: [BATCHES, 'lines', id, state, isWorking],
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }) =>
      call(listChargeBatchLines, {
        params: { id },
        query: { state, limit: LINES_AT_ONCE, after: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }: { next: number | null }) => next ?? undefined,
    // What was opened page by page is not fetched again every few seconds.
    refetchInterval: ({ state: { data } }) => isWorking && (data?.pages.length ?? 0) <= 1 && 2 * POLL_MS,
  });

type Confirmed = {
  readonly batch: ChargeBatch;
  /** True if the same charges were confirmed before: then this is the batch of that time, and nothing was created. */
  readonly isOld: boolean;
};

/**
 * Creates a batch. The same lines create it once, whenever and wherever they are confirmed, as long as the gateway keeps
 * their key; afterwards the lines are refused that are charges already. `isWantedAgain`: somebody was told so and wants
 * them once more.
 */
export async function confirmBatch(
  { reference, items }: { readonly reference: string; readonly items: readonly NewBatchLine[] },
  isWantedAgain: boolean,
): Promise<Confirmed> {
  // The ids of batches ascend, so one that is not above the newest was there before.
  const { data } = await call(listChargeBatches, { query: { limit: 1 } });
  const idempotencyKey = isWantedAgain ? newIdempotencyKey() : contentKey(JSON.stringify(items));
  try {
    const batch = await call(createChargeBatch, {
      body: {
        reference: reference === '' ? null : reference,
        items: [...items],
        refuse_repeated: !isWantedAgain,
      },
      idempotencyKey,
    });
    queryClient.setQueryData(batchQuery(batch.id).queryKey, batch);
    const newest = data[0]?.id;
    return { batch, isOld: newest !== undefined && batch.id <= newest };
  } finally {
    void queryClient.invalidateQueries({ queryKey: batchesQuery.queryKey });
  }
}

/** Cancels what still waits of a batch. */
export async function cancelWaiting(id: string): Promise<void> {
  try {
    queryClient.setQueryData(batchQuery(id).queryKey, await call(cancelChargeBatch, { params: { id } }));
  } finally {
    void queryClient.invalidateQueries({ queryKey: [BATCHES] });
  }
}

/** Saves what became of each line of a batch as a CSV file. */
export async function saveResult({ id, reference }: Pick<ChargeBatch, 'id' | 'reference'>): Promise<void> {
  const name = (reference ?? id.slice(0, 13)).replace(/[^\p{L}\p{N}._ -]/gu, '').trim();
  saveFile(await download(exportChargeBatch, { params: { id } }), `resultado-${name}.csv`);
}
