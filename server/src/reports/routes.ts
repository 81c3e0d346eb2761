import {
  getBalance,
  getChargeStats,
  getDailyStats,
  getWalletStats,
  paymentTimeline,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { chargeStats } from './charge-stats.ts';
import { dailyStats } from './daily-stats.ts';
import { readTimeline } from './payment-timeline.ts';
import { readBalance } from './read-balance.ts';
import { walletStats } from './wallet-stats.ts';

export function reportRoutes(deps: Deps): Route[] {
  return [
    route(getWalletStats, ({ caller }) => walletStats(deps, caller.userId)),
    route(getBalance, ({ caller }) => readBalance(deps, caller.userId)),
    route(paymentTimeline, async ({ params, caller }) => ({
      data: await readTimeline(deps.db, caller.userId, params.id),
    })),
    route(getChargeStats, ({ query, caller }) => chargeStats(deps, caller.userId, query.days)),
    route(getDailyStats, ({ query, caller }) => dailyStats(deps, caller.userId, query.days)),
  ];
}
