import {
  accountTaxes,
  adminPayouts,
  apiKeyStatus,
  type DAILY_STATS_DAYS,
  type FeedModel,
  getChargeStats,
  getDailyStats,
  getKyc,
  getPaymentStatus,
  getReserves,
  getWalletStats,
  getWithdrawal,
  listDisputes,
  listRefunds,
  listWithdrawals,
  outFees,
  parseApiKeyStatus,
  parseChargeStats,
  parseDailyStats,
  parseDisputes,
  parseOutFees,
  parsePaymentRefunds,
  parsePaymentStatus,
  parseReserves,
  parseTaxes,
  parseTransactionFeed,
  parseWalletStats,
  parseWithdrawal,
  parseWithdrawals,
  paymentTimeline,
  publicSettings,
  type QueryInput,
  transactionFeed,
} from '@jangada/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { loadedProfile, loadProfile } from '../session/sign-in.ts';
import { call, send } from './client.ts';
import { useLiveState } from './live-state.ts';
import { offersMore } from './provider.ts';
import { queryClient } from './query.ts';

/** The signed-in account with its balance. The frame keeps it in use from start to sign-out. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: () => loadProfile(),
  initialData: loadedProfile,
});

export const taxesQuery = queryOptions({
  queryKey: ['taxes'],
  queryFn: async ({ signal }) => parseTaxes(await send(accountTaxes, { signal })),
});

export const apiKeyQuery = queryOptions({
  queryKey: ['api-key'],
  queryFn: async ({ signal }) => parseApiKeyStatus(await send(apiKeyStatus, { signal })),
});

export const walletQuery = queryOptions({
  queryKey: ['wallet'],
  queryFn: async ({ signal }) => parseWalletStats(await send(getWalletStats, { signal })),
});

export type FeedQuery = Partial<QueryInput<typeof transactionFeed>>;

/** A page of the feed; while another page loads, the one before stays. */
export const feedQuery = (query: FeedQuery) =>
  queryOptions({
    queryKey: ['feed', query],
    queryFn: async ({ signal }): Promise<FeedModel> =>
      parseTransactionFeed(await send(transactionFeed, { query, signal }), query),
    placeholderData: keepPreviousData,
  });

/** Beyond the specification: fails with NotOffered where the provider has no such call. */
export const dailyQuery = (days: (typeof DAILY_STATS_DAYS)[number]) =>
  queryOptions({
    queryKey: ['daily', days],
    queryFn: async ({ signal }) => parseDailyStats(await send(getDailyStats, { query: { days }, signal })),
    placeholderData: keepPreviousData,
  });

/** Beyond the specification: fails with NotOffered where the provider has no such call. */
export const chargeStatsQuery = (days: (typeof DAILY_STATS_DAYS)[number]) =>
  queryOptions({
    queryKey: ['charge-stats', days],
    queryFn: async ({ signal }) => parseChargeStats(await send(getChargeStats, { query: { days }, signal })),
  });

export const chargeQuery = (id: string) =>
  queryOptions({
    queryKey: ['charge', id],
    queryFn: async ({ signal }) =>
      parsePaymentStatus(
        await send(getPaymentStatus, { params: { id }, apiKey: await keyForPayments(), signal }),
      ),
  });

/** What stands in x-api-key on the calls of payments. Ours takes the session; others take the key only. */
async function keyForPayments(): Promise<string | undefined> {
  return offersMore() ? undefined : ((await queryClient.ensureQueryData(apiKeyQuery)).key ?? undefined);
}

/** Where the verification of the account stands. Beyond the specification. */
export const kycQuery = queryOptions({
  queryKey: ['kyc'],
  queryFn: ({ signal }) => call(getKyc, { signal }),
});

/** What a withdrawal costs, and its bounds. */
export const outFeesQuery = queryOptions({
  queryKey: ['out-fees'],
  queryFn: async ({ signal }) => parseOutFees(await send(outFees, { signal })),
});

export type WithdrawalsQuery = Partial<QueryInput<typeof listWithdrawals>>;

/** A page of the withdrawals; while another page loads, the one before stays. */
export const withdrawalsQuery = (query: WithdrawalsQuery) =>
  queryOptions({
    queryKey: ['withdrawals', query],
    queryFn: async ({ signal }) =>
      parseWithdrawals(await send(listWithdrawals, { query, signal }), query.page),
    placeholderData: keepPreviousData,
  });

export const withdrawalQuery = (id: string) =>
  queryOptions({
    queryKey: ['withdrawal', id],
    queryFn: async ({ signal }) => parseWithdrawal(await send(getWithdrawal, { params: { id }, signal })),
  });

/** What the gateway says of itself. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => call(publicSettings, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** The refunds of a payment. Beyond the specification: fails with NotOffered where the provider has no such call. */
export const refundsQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['refunds', paymentId],
    queryFn: async ({ signal }) =>
      parsePaymentRefunds(await send(listRefunds, { params: { id: paymentId }, signal })),
  });

/** What happened to a charge. Beyond the specification: fails with NotOffered where the provider has no such call. */
export const timelineQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['timeline', paymentId],
    queryFn: ({ signal }) => call(paymentTimeline, { params: { id: paymentId }, signal }),
  });

export type DisputesQuery = Partial<QueryInput<typeof listDisputes>>;

/** A page of disputes; while another page loads, the one before stays. Beyond the specification. */
export const disputesQuery = (query: DisputesQuery) =>
  queryOptions({
    queryKey: ['disputes', query],
    queryFn: async ({ signal }) => parseDisputes(await send(listDisputes, { query, signal })),
    placeholderData: keepPreviousData,
  });

/** What is kept back, by the days on which it comes free. Beyond the specification. */
export const reservesQuery = queryOptions({
  queryKey: ['reserves'],
  queryFn: async ({ signal }) => parseReserves(await send(getReserves, { signal })),
});

/** How often what is under way is asked for while the live channel is not open. */
export const POLL_MS = 5000;
/** And while it is: what happened before the channel was open, nobody tells. */
export const RECHECK_MS = 20_000;

/** The state of an open charge: told by the live channel, asked every 5 s while that is not open and now and then while it is. */
export function useCharge(id: string, isOpen: boolean) {
  // Others tell of notifications there, and may never tell of a charge.
  const told = useLiveState() === 'open' && offersMore();
  return useQuery({ ...chargeQuery(id), refetchInterval: isOpen && (told ? RECHECK_MS : POLL_MS) });
}

/** Keys of everything that moves with money. */
const moneyKeys = [
  ['profile'],
  ['wallet'],
  ['feed'],
  ['daily'],
  ['charge-stats'],
  ['charge'],
  ['refunds'],
  ['disputes'],
  ['dispute'],
  ['reserves'],
  ['withdrawals'],
  ['withdrawal'],
  ['out-fees'],
  ['payment-links'],
  ['counter-codes'],
] as const;

/** After money moved: what a screen shows is loaded anew, what is only kept is dropped. */
export async function moneyChanged(): Promise<void> {
  for (const queryKey of [...moneyKeys, ['statement']])
    queryClient.removeQueries({ queryKey, type: 'inactive' });
  // A long statement decides by itself when it is loaded anew.
  void queryClient.invalidateQueries({ queryKey: ['statement'], refetchType: 'none' });
  await Promise.all(moneyKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Whether payouts leave, and what the bank's account holds against what it needs. For who may read operations. */
export const payoutsQuery = queryOptions({
  queryKey: ['desk', 'payouts'],
  queryFn: ({ signal }) => call(adminPayouts, { signal }),
});
