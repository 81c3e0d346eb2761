// What is read once a day at a merchant's own account, at a time of its own. At the operator's own account, scheduled jobs
// of the modules read the same.
import { tellOfForeignWebhook } from './connections/index.ts';
import type { Deps, ModuleLoop } from './deps.ts';
import { rereadDisputeList } from './disputes/index.ts';
import { rereadReceived } from './payments/index.ts';
import { type AtBank, ensureNoticeUrl, ForeignWebhook, HOUSE_CONNECTION, lookInTurn } from './psp/index.ts';
import { rereadSentPixList } from './withdrawals/index.ts';

export const dailyLookLoops: readonly ModuleLoop[] = [
  { name: 'daily looks', everyMs: 60_000, work: makeDailyLooks },
];

async function makeDailyLooks(deps: Deps): Promise<number> {
  await lookInTurn(deps, 'daily', lookOnceADay);
  return 0;
}

async function lookOnceADay(deps: AtBank): Promise<number> {
  if (deps.connection.id === HOUSE_CONNECTION) return 0;
  await rereadReceived(deps);
  await rereadSentPixList(deps);
  await rereadDisputeList(deps);
  try {
    await ensureNoticeUrl(deps);
  } catch (error) {
    if (!(error instanceof ForeignWebhook)) throw error;
    await tellOfForeignWebhook(deps);
  }
  return 1;
}
