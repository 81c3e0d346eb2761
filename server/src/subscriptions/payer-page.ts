import type { PermissionState, SubscriptionPage, SubscriptionPageStatus } from '@jangada/contract';
import { isCpf, maskDocument } from '@jangada/pix';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { calendarDayOf } from '../calendar-day.ts';
import {
  type AddPayerRoutes,
  type AnswerPage,
  institutionOf,
  nameInCode,
  readPayee,
} from '../checkout/index.ts';
import type { Deps } from '../deps.ts';
import { chargeKeyOf, checkoutUrl, findCharge } from '../payments/index.ts';
import { listAttempts, listCycleCodes, listCycles } from './cycle-store.ts';
import { isPaid } from './known-cycle.ts';
import { openTryOf } from './next-debits.ts';
import { unplannedDebitOf } from './plan-cycles.ts';
import { findMandate, findSubscription } from './store.ts';
import { hasEnded, type StoredCycle, type StoredMandate, type StoredSubscription } from './subscription.ts';

/** The page shows a year of monthly payments, and what is under way. */
const cyclesShown = 14;
const paymentsShown = 12;

type PageRequest = FastifyRequest<{ Params: { contract: string } }>;

/** Serves the page of a subscription, which anybody with its address can open: it allows the debits, and shows them. */
export function subscriptionPages(deps: Deps, answerPage: AnswerPage): AddPayerRoutes {
  const find = async (request: PageRequest) => {
    const key = chargeKeyOf(request.params.contract);
    const subscription = key && (await findSubscription(deps.db, key));
    // The key is only a part of the contract.
    if (subscription?.contract !== request.params.contract) return undefined;
    const mandate = await findMandate(deps.db, subscription);
    return mandate && { subscription, mandate };
  };
  return (pages: FastifyInstance) => {
    pages.get('/autorizar/:contract', async (request: PageRequest, reply: FastifyReply) => {
      const found = await find(request);
      if (found === undefined)
        return answerPage(reply, { kind: 'notice', about: 'subscription-unknown' }, 404);
      return answerPage(reply, await readPage(deps, found), 200);
    });
    pages.get('/autorizar/:contract/status', async (request: PageRequest, reply: FastifyReply) => {
      const found = await find(request);
      reply.header('cache-control', 'no-store');
      if (found === undefined) return reply.code(404).send();
      const status: SubscriptionPageStatus = {
        status: stateOf(found),
        now: deps.clock.now().toISOString(),
      };
      return reply.send(status);
    });
  };
}

type Found = { readonly subscription: StoredSubscription; readonly mandate: StoredMandate };

/** Where the payer's permission stands. */
export function stateOf({ subscription, mandate }: Found): PermissionState {
  if (mandate.status === 'rejected' || mandate.status === 'expired' || mandate.status === 'cancelled')
    return mandate.status;
  if (subscription.status === 'ended') return subscription.endReason === 'finished' ? 'ended' : 'cancelled';
  return mandate.status === 'approved' ? 'allowed' : 'waiting';
}

async function readPage(deps: Deps, found: Found): Promise<SubscriptionPage> {
  const { subscription, mandate } = found;
  const { merchantId, payer } = subscription;
  const payee = await readPayee(deps.db, merchantId);
  const cycles = await listCycles(deps.db, subscription, { limit: cyclesShown });
  const state = stateOf(found);
  const code = state === 'waiting' ? mandate.brCode : '';
  const next = cycles.findLast((cycle) => !hasEnded(cycle) && cycle.status !== 'retrying');
  return {
    kind: 'subscription',
    payee,
    id: subscription.contract,
    state,
    payer: isCpf(payer.document)
      ? { name: shortName(payer.name), document: maskDocument(payer.document) }
      : { name: payer.name, document: maskDocument(payer.document) },
    description: subscription.description,
    amountCents: subscription.amountCents,
    minMaximumCents: subscription.minMaximumCents,
    period: subscription.period,
    firstDay: subscription.firstDay,
    lastDay: subscription.lastDay,
    authorization: subscription.authorizedBy,
    code,
    nameInCode: code === '' ? null : nameInCode(code, payee),
    firstPayment: await firstPaymentOf(deps, subscription),
    institution: institutionOf(deps.banks, subscription.connectionId),
    now: deps.clock.now().toISOString(),
    allowedAt: mandate.approvedAt?.toISOString() ?? null,
    endedAt: (mandate.endedAt ?? subscription.endedAt)?.toISOString() ?? null,
    endedBy: endedByOf(found),
    nextDebit: next === undefined ? unplannedDebitOf(found) : debitOf(next),
    unpaid: await unpaidOf(deps, subscription, cycles),
    payments: cycles
      .filter(({ status }) => status === 'paid')
      .slice(0, paymentsShown)
      .map(debitOf),
  };
}

/** The first name and the first letter of the last one: enough for the person, and little for others. */
function shortName(name: string): string {
  const [first = '', ...others] = name.split(/\s+/);
  const initial = others.at(-1)?.[0];
  return initial === undefined ? first : `${first} ${initial}.`;
}

function debitOf({ dueDay, debitDay, paidAt, amountCents }: StoredCycle) {
  return { dueDay, day: paidAt === null ? debitDay : calendarDayOf(paidAt), amountCents };
}

async function firstPaymentOf(
  { db }: Deps,
  { merchantId, firstChargeId, firstCents, firstDueDay }: StoredSubscription,
): Promise<SubscriptionPage['firstPayment']> {
  if (firstCents === null) return null;
  const charge = firstChargeId === null ? undefined : await findCharge(db, merchantId, firstChargeId);
  return isPaid(charge) ? null : { amountCents: firstCents, dueDate: firstDueDay };
}

function endedByOf({ subscription, mandate }: Found): SubscriptionPage['endedBy'] {
  if (subscription.status !== 'ended' || subscription.endReason === 'finished') return null;
  if (subscription.endReason === 'by_merchant') return 'payee';
  if (subscription.endReason === 'by_bank') return 'bank';
  return mandate.endedBy === 'payer-bank' ? 'bank' : 'payer';
}

/** The newest cycle whose debit failed, until it is paid. */
async function unpaidOf(
  { db, config }: Deps,
  subscription: StoredSubscription,
  cycles: readonly StoredCycle[],
): Promise<SubscriptionPage['unpaid']> {
  const failed = cycles.find(
    ({ status }) => status === 'retrying' || status === 'given_up' || status === 'paid',
  );
  if (failed === undefined || failed.status === 'paid') return null;
  const attempts = await listAttempts(db, subscription.merchantId, [failed]);
  const nextTry = openTryOf(attempts);
  const [newest] = await listCycleCodes(db, subscription.merchantId, [failed]);
  const other = newest && (await findCharge(db, subscription.merchantId, newest.chargeId));
  return {
    ...debitOf(failed),
    nextTryDay: nextTry?.day ?? null,
    payUrl: other?.status === 'pending' ? checkoutUrl(config.publicUrl, other) : null,
  };
}
