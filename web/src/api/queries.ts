import {
  accountTaxes,
  apiKeyStatus,
  type DAILY_STATS_DAYS,
  type FeedModel,
  getChargeStats,
  getDailyStats,
  getKyc,
  getPaymentStatus,
  getReserves,
  getWalletStats,
  listDisputes,
  ownBank,
  parseApiKeyStatus,
  parseChargeStats,
  parseDailyStats,
  parseDisputes,
  parsePaymentStatus,
  parseReserves,
  parseTaxes,
  parseTransactionFeed,
  parseWalletStats,
  publicSettings,
  type QueryInput,
  transactionFeed,
} from '@jangada/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { may } from '../session/account.ts';
import { loadedProfile, loadProfile } from '../session/sign-in.ts';
import { call, callRaw } from './client.ts';
import { withLastVisit } from './last-visit.ts';
import { useLiveState } from './live-state.ts';
import { supports } from './provider.ts';
import { queryClient } from './query.ts';
import { forgetStartedCalls } from './started-calls.ts';

/** The signed-in account with its balance. The frame around every screen keeps this query active until sign-out. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: () => loadProfile(),
  initialData: loadedProfile,
});

/** The fees of the account, which the specification calls taxes. */
export const taxesQuery = queryOptions({
  queryKey: ['taxes'],
  queryFn: async ({ signal }) => parseTaxes(await callRaw(accountTaxes, { signal })),
});

export const apiKeyQuery = queryOptions({
  queryKey: ['api-key'],
  queryFn: async ({ signal }) => parseApiKeyStatus(await callRaw(apiKeyStatus, { signal })),
});

export const walletQuery = queryOptions({
  queryKey: ['wallet'],
  queryFn: async ({ signal }) => parseWalletStats(await callRaw(getWalletStats, { signal })),
});

export type FeedQuery = Partial<QueryInput<typeof transactionFeed>>;

/** A page of the feed; the previous page stays visible while another loads. */
export const feedQuery = (query: FeedQuery) =>
  queryOptions({
    queryKey: ['feed', query],
    queryFn: async ({ signal }): Promise<FeedModel> =>
      parseTransactionFeed(await callRaw(transactionFeed, { query, signal }), query),
    placeholderData: keepPreviousData,
  });

/**
 * The received amount and the balance by day. The call is beyond the specification that every provider (the gateway
 * behind the dashboard, ours or another one) implements: the query fails if the provider lacks the call.
 */
export const dailyQuery = (days: (typeof DAILY_STATS_DAYS)[number]) =>
  queryOptions({
    queryKey: ['daily', days],
    queryFn: async ({ signal }) => parseDailyStats(await callRaw(getDailyStats, { query: { days }, signal })),
    placeholderData: keepPreviousData,
  });

/** Counts of charges by status. Beyond the specification: fails if the provider lacks the call. */
export const chargeStatsQuery = (days: (typeof DAILY_STATS_DAYS)[number]) =>
  queryOptions({
    queryKey: ['charge-stats', days],
    queryFn: async ({ signal }) =>
      parseChargeStats(await callRaw(getChargeStats, { query: { days }, signal })),
  });

export const chargeQuery = (id: string) =>
  queryOptions({
    queryKey: ['charge', id],
    queryFn: async ({ signal }) =>
      parsePaymentStatus(
        await callRaw(getPaymentStatus, { params: { id }, apiKey: await keyForPayments(), signal }),
      ),
  });

/** The API key to send on payment calls. Our gateway accepts the session; other providers accept only the key. */
async function keyForPayments(): Promise<string | undefined> {
  return supports('paymentsBySession')
    ? undefined
    : ((await queryClient.ensureQueryData(apiKeyQuery)).key ?? undefined);
}

/** The state of the account's identity verification (KYC). Beyond the specification. */
export const kycQuery = queryOptions({
  queryKey: ['kyc'],
  queryFn: ({ signal }) => call(getKyc, { signal }),
});

/** The gateway's public settings. */
export const settingsQuery = withLastVisit(
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call(publicSettings, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }),
);

export type DisputesQuery = Partial<QueryInput<typeof listDisputes>>;

/** A page of disputes; the previous page stays visible while another loads. Beyond the specification. */
export const disputesQuery = (query: DisputesQuery) =>
  queryOptions({
    queryKey: ['disputes', query],
    queryFn: async ({ signal }) => parseDisputes(await callRaw(listDisputes, { query, signal })),
    placeholderData: keepPreviousData,
  });

/** Reserved amounts, by the day of their release. Beyond the specification. */
export const reservesQuery = queryOptions({
  queryKey: ['reserves'],
  queryFn: async ({ signal }) => parseReserves(await callRaw(getReserves, { signal })),
});

/** Whether the merchant is paid into own bank accounts. Beyond the specification. */
export const ownBankQuery = queryOptions({
  queryKey: ['own-bank'],
  queryFn: ({ signal }) => call(ownBank, { signal }),
  meta: { isKept: true },
});

/** The polling interval for pending items while the live channel is not open. */
export const POLL_MS = 5000;
/**
 * The polling interval while the live channel is open. Polling goes on, because the channel does not report what
 * happened before it opened.
 */
export const RECHECK_MS = 20_000;

/**
 * The state of a charge. While the charge is open, the live channel pushes its changes, and the charge is polled as
 * well: every 5 s while the channel is not open, and every 20 s while the channel is open.
 */
export function useCharge(id: string, isOpen: boolean) {
  // Other providers send only notifications on the channel, and may never report a charge. Ours reports charges to the
  // roles that read all of them.
  const isPushed = useLiveState() === 'open' && supports('liveAccountChanges') && may('read-charges');
  return useQuery({ ...chargeQuery(id), refetchInterval: isOpen && (isPushed ? RECHECK_MS : POLL_MS) });
}

/** Query keys of everything that changes when money moves. */
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
  ['fees'],
  ['withdrawals'],
  ['withdrawal'],
  ['out-fees'],
  ['withdrawal-sources'],
  ['due-charges'],
  ['payment-links'],
  ['counter-codes'],
] as const;

/** To be called after money moved: refetches the data that a screen shows, and drops the data that is only cached. */
export async function refetchMoney(): Promise<void> {
  forgetStartedCalls();
  for (const queryKey of [...moneyKeys, ['statement']])
    queryClient.removeQueries({ queryKey, type: 'inactive' });
  // Only marked as outdated: the statement's screen refetches a single page at once, but several pages only when the
  // user asks for it.
  void queryClient.invalidateQueries({ queryKey: ['statement'], refetchType: 'none' });
  await Promise.all(moneyKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
