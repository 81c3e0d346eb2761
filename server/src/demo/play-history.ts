// Plays the history of a small shop at Banco Sandbox, the simulated bank. While the bank's books are empty, its time is
// moved into the past; then every charge and everything that follows from it is created, paid and booked by the regular
// operations, as time advances to the present. So the bank's books and ours contain the same payments on the same days.

import { reconcileDay } from '../bank-watch/index.ts';
import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { createCode, type StoredCounterCode } from '../counter-codes/index.ts';
import type { Deps } from '../deps.ts';
import { markNotificationsRead } from '../notifications/index.ts';
import { createLink, type StoredPaymentLink } from '../payment-links/index.ts';
import { Refusal } from '../refusal.ts';
import type { WebhookSender } from '../webhooks/index.ts';
import { storePin } from '../withdrawals/index.ts';
import { seededChance } from './chance.ts';
import { ownAccountSteps } from './own-account.ts';
import { advanceTo, type HistoryStep, moveToPast, type PastDeps, returnToPresent } from './past.ts';
import {
  type DemoPerson,
  freezeAccount,
  openAccount,
  people,
  rejectDocuments,
  sendDocumentsOf,
  studio,
} from './people.ts';
import { planSales } from './plan-sales.ts';
import {
  defendDisputes,
  openDispute,
  playDestination,
  playRefund,
  playWithdrawal,
  winDispute,
} from './play-money.ts';
import {
  bookPayments,
  groupSales,
  type PaidSale,
  payAtSandboxBank,
  playSales,
  type Shop,
} from './play-sales.ts';
import { counterCodeNames, generateCpf, generateCustomers, linkProducts } from './shop.ts';
import { createHistorySender, endpointStep, keySteps, outageStep } from './shop-system.ts';

/** The demo accounts that act in the history, and the PIN for the merchants' withdrawals. */
export type HistoryAccounts = {
  readonly merchantId: number;
  /** The merchant with an account of their own; undefined where no own accounts are admitted. */
  readonly directMerchantId: number | undefined;
  readonly administratorId: number;
  readonly pin: string;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Returns the time at an hour of the day `daysAgo` days ago, or 50 minutes ago if that hour is still to come. Hours are
 * decimal: 9.2 is 9:12.
 */
type TimeOn = (daysAgo: number, hour: number) => Date;

const ownEmail = { keyType: 'email', pixKey: 'marina.albuquerque@example.com' } as const;

/**
 * Plays the history from `since` on. Plays nothing if the bank cannot be reached or already has entries in its books.
 * Even after a failure, the bank's time is moved back to the present at the end.
 */
export async function playHistory(deps: Deps, accounts: HistoryAccounts, since: Date): Promise<void> {
  const present = deps.clock.now();
  const cleanUps: (() => Promise<unknown>)[] = [];
  try {
    const past = await moveToPast(deps, since);
    const shop = await openShop(past, accounts);
    const paidSales: PaidSale[] = [];
    const saleGroups = groupSales(planSales(since, present)).map((group) => ({
      at: group[0]?.at ?? present,
      play: async (pastDeps: PastDeps) => void paidSales.push(...(await playSales(pastDeps, shop, group))),
    }));
    const sender = createHistorySender(past);
    cleanUps.push(() => sender.stop());
    const steps = [
      ...saleGroups,
      ...mainSteps(accounts, paidSales, since, present),
      ...systemSteps(shop, sender, since, present),
    ];
    for (const { at, play } of steps.toSorted((left, right) => left.at.getTime() - right.at.getTime())) {
      if (at <= since) continue;
      await advanceTo(past, at);
      await play(past).catch((err: unknown) => logIfRefusal(deps, err));
      await sender.sendDue();
    }
  } catch (err) {
    deps.log.warn({ err }, "the demo merchant's history is missing or incomplete");
  }
  for (const cleanUp of cleanUps) await cleanUp();
  await returnToPresent(deps);
}

/**
 * Logs a step that the settings of this gateway do not allow, so that the history continues without it. Throws any
 * other error.
 */
function logIfRefusal({ log }: Deps, err: unknown): void {
  if (!(err instanceof Refusal)) throw err;
  log.warn({ err }, "a part of the demo merchant's history is not allowed here");
}

async function openShop(past: PastDeps, { merchantId, pin }: HistoryAccounts): Promise<Shop> {
  await storePin(past, merchantId, pin);
  const links: StoredPaymentLink[] = [];
  for (const { name, description, cents, stock } of linkProducts)
    links.push(
      await createLink(past, merchantId, {
        title: name,
        description,
        amount: cents / 100,
        active: true,
        ...(stock !== undefined && { max_payments: stock }),
      }),
    );
  const counters: StoredCounterCode[] = [];
  for (const name of counterCodeNames)
    counters.push(await createCode(past, merchantId, { name, amount: null }));
  return { merchantId, links, counters, unpaidExpiries: [] };
}

/**
 * All steps of the history except those of the shop's sales and systems. `paidSales` fills as the history is played:
 * each step finds there the sales that were paid before it.
 */
function mainSteps(
  accounts: HistoryAccounts,
  paidSales: PaidSale[],
  since: Date,
  present: Date,
): HistoryStep[] {
  const timeOn = timesBefore(present);
  return [
    ...withdrawalSteps(accounts, since, present),
    ...refundSteps(accounts, paidSales, timeOn),
    ...disputeSteps(accounts, paidSales, timeOn),
    ...people.flatMap((person) => accountSteps(person, accounts, timeOn, since)),
    ...studioSteps(timeOn, since, present),
    ...(accounts.directMerchantId === undefined
      ? []
      : ownAccountSteps({ merchantId: accounts.directMerchantId, pin: accounts.pin }, since, present)),
    {
      at: timeOn(19, 10.2),
      play: (past: PastDeps) => playDestination(past, accounts.merchantId, ownEmail, 'Conta da loja'),
    },
    { at: timeOn(5, 14.3), play: receiveUnmatchedPix },
    {
      at: new Date(present.getTime() - 20 * minuteMs),
      play: (past) => reconcileLastDays(past, since, present),
    },
    // Marks earlier notifications as read, so that they are not new on the first visit.
    {
      at: timeOn(1, 9),
      play: async (past: PastDeps) =>
        void (await markNotificationsRead(past, accounts.merchantId, undefined)),
    },
  ];
}

function timesBefore(present: Date): TimeOn {
  return (daysAgo, hour) => {
    const at = startOfDay(daysAfter(calendarDayOf(present), -daysAgo)).getTime() + hour * hourMs;
    return new Date(at < present.getTime() ? at : present.getTime() - 50 * minuteMs);
  };
}

/**
 * The steps of the shop's own computer systems: their API keys, their webhook endpoint, and an outage. If the history
 * begins after the day planned for the endpoint, the endpoint is created at the beginning.
 */
function systemSteps(shop: Shop, sender: WebhookSender, since: Date, present: Date): HistoryStep[] {
  const { merchantId } = shop;
  const timeOn = timesBefore(present);
  const outageSale = {
    at: timeOn(2, 16.3),
    amountCents: 12_000,
    description: 'Xilogravura de cordel 30 × 42',
    channel: 'api',
    expiresInSeconds: 3600,
    payment: {
      afterSeconds: 70,
      payer: { name: 'Elias Queiroz Rabelo', document: generateCpf(seededChance(9)) },
    },
  } as const;
  const earliest = new Date(since.getTime() + minuteMs);
  const endpointTime = timeOn(20, 9.3);
  return [
    ...keySteps(merchantId, timeOn),
    endpointStep(merchantId, endpointTime > earliest ? endpointTime : earliest),
    outageStep(outageSale.at, sender, (past) => playSales(past, shop, [outageSale])),
  ];
}

/**
 * Withdrawals on Tuesday and Friday mornings. The bank refuses one of them, and the merchant then withdraws to another
 * Pix key.
 */
function withdrawalSteps({ merchantId }: HistoryAccounts, since: Date, present: Date): HistoryStep[] {
  const mornings: Date[] = [];
  for (let day = daysAfter(calendarDayOf(since), 4); day < calendarDayOf(present); day = daysAfter(day, 1)) {
    const morning = new Date(startOfDay(day).getTime() + 9.4 * hourMs);
    if ([2, 5].includes(morning.getUTCDay())) mornings.push(morning);
  }
  const withdrawalStep = (at: Date) => ({
    at,
    play: (past: PastDeps) => playWithdrawal(past, merchantId, ownEmail),
  });
  const refusedMorning = mornings.at(-4);
  return mornings.flatMap((at) =>
    at === refusedMorning
      ? [
          { at, play: (past: PastDeps) => playWithdrawal(past, merchantId, ownDocument, 'refused') },
          withdrawalStep(new Date(at.getTime() + 25 * minuteMs)),
        ]
      : [withdrawalStep(at)],
  );
}

const ownDocument = { keyType: 'cpf', pixKey: '70816492549' } as const;

function refundSteps({ merchantId }: HistoryAccounts, paidSales: PaidSale[], timeOn: TimeOn): HistoryStep[] {
  const refundStep = (at: Date, fraction: number, reason: string) => ({
    at,
    play: async (past: PastDeps) => {
      const paidSale = takePaidSale(paidSales, 6000);
      if (paidSale === undefined) return;
      const amountCents = Math.round((paidSale.sale.amountCents * fraction) / 10) * 10;
      await playRefund(past, merchantId, paidSale, { reason, ...(fraction < 1 && { amountCents }) });
    },
  });
  return [
    refundStep(timeOn(41, 11.3), 1, 'Compra em duplicidade'),
    refundStep(timeOn(23, 15.8), 0.5, 'Um dos produtos em falta'),
    refundStep(timeOn(9, 10.6), 1, 'Desistência em até 7 dias'),
    refundStep(timeOn(2, 17.4), 0.25, 'Embalagem amassada: desconto combinado'),
  ];
}

function disputeSteps({ merchantId }: HistoryAccounts, paidSales: PaidSale[], timeOn: TimeOn): HistoryStep[] {
  let wonDisputeId: string | undefined;
  const disputeSale = async (past: PastDeps, comment: string) => {
    const paidSale = takePaidSale(paidSales, 10_000);
    return paidSale && openDispute(past, paidSale, comment);
  };
  const defence =
    'O pedido foi retirado na loja pelo próprio comprador, que assinou o recibo e mostrou o documento com o mesmo CPF do Pix.';
  return [
    {
      at: timeOn(36, 13.2),
      play: async (past) => {
        wonDisputeId = await disputeSale(past, 'Não reconheço esta compra.');
      },
    },
    { at: timeOn(35, 9.7), play: (past) => defendDisputes(past, merchantId, defence) },
    {
      at: timeOn(32, 14.5),
      play: async (past) => void (wonDisputeId && (await winDispute(past, wonDisputeId))),
    },
    {
      at: timeOn(1, 16.2),
      play: async (past) => void (await disputeSale(past, 'Fiz o Pix achando que era outra loja.')),
    },
  ];
}

/** How many days before today are reconciled. */
const reconciledDays = 7;

/**
 * Reconciles the last days with the bank's lists. The nightly job would never compare these days, because it skips all
 * days before the gateway was set up.
 */
async function reconcileLastDays(past: PastDeps, since: Date, present: Date): Promise<void> {
  for (let daysAgo = reconciledDays; daysAgo > 0; daysAgo -= 1) {
    const day = daysAfter(calendarDayOf(present), -daysAgo);
    if (startOfDay(day) > since) await reconcileDay(past, day);
  }
}

/**
 * Removes from the list, and returns, the newest paid sale that has a charge and at least this amount: no sale is used
 * for two steps.
 */
function takePaidSale(paidSales: PaidSale[], minCents: number): PaidSale | undefined {
  const index = paidSales.findLastIndex(
    ({ sale, chargeId }) => chargeId !== undefined && sale.amountCents >= minCents,
  );
  return index < 0 ? undefined : paidSales.splice(index, 1)[0];
}

/** Receives a Pix that matches no charge. */
async function receiveUnmatchedPix(past: PastDeps): Promise<void> {
  const payer = { name: 'Lauro Dantas Pimentel', document: generateCpf(seededChance(7)) };
  const message = 'Sinal da encomenda';
  await bookPayments(past, [
    await payAtSandboxBank(past, { key: past.connection.pixKey, amount: 150, payer, message }),
  ]);
}

/** The steps of one person's account. */
function accountSteps(
  person: DemoPerson,
  { administratorId }: HistoryAccounts,
  timeOn: TimeOn,
  since: Date,
): HistoryStep[] {
  const arrival = timeOn(person.daysAgo, 10.2);
  if (arrival <= since) return [];
  let userId = 0;
  const { documents, frozenDaysAgo } = person;
  const step = (at: Date, play: (past: PastDeps) => Promise<void>) => [{ at, play }];
  return [
    ...step(arrival, async (past) => {
      userId = await openAccount(past, person);
    }),
    ...(documents ? step(timeOn(person.daysAgo, 11.1), (past) => sendDocumentsOf(past, userId, person)) : []),
    ...(documents === 'rejected'
      ? step(timeOn(person.daysAgo - 1, 9.5), (past) => rejectDocuments(past, userId, administratorId))
      : []),
    ...(frozenDaysAgo
      ? step(timeOn(frozenDaysAgo, 16.6), (past) => freezeAccount(past, userId, administratorId))
      : []),
  ];
}

/**
 * The steps of a second merchant, with a withdrawal that is still in progress when the history ends. In a short history
 * the earlier steps follow one another at short intervals.
 */
function studioSteps(timeOn: TimeOn, since: Date, present: Date): HistoryStep[] {
  let earliest = since.getTime();
  const nextTimeOn: TimeOn = (daysAgo, hour) => {
    earliest += 10 * minuteMs;
    return new Date(Math.max(timeOn(daysAgo, hour).getTime(), earliest));
  };
  const chance = seededChance(77);
  const payers = generateCustomers(chance, 6);
  let merchantId = 0;
  const saleStep = (at: Date, amountCents: number, description: string): HistoryStep => {
    const payment = { afterSeconds: 90, payer: chance.pick(payers) };
    const sale = {
      at,
      amountCents,
      description,
      channel: 'panel',
      expiresInSeconds: 3600,
      payment,
    } as const;
    return {
      at,
      play: async (past) => void (await playSales(past, { merchantId, unpaidExpiries: [] }, [sale])),
    };
  };
  const payee = { keyType: 'email', pixKey: 'financeiro.cajueiro@example.com' } as const;
  return [
    {
      at: nextTimeOn(45, 10),
      play: async (past) => {
        merchantId = await openAccount(past, studio);
      },
    },
    saleStep(nextTimeOn(40, 15.2), 68_000, 'Painel em mosaico'),
    saleStep(nextTimeOn(26, 11.4), 24_500, 'Oficina de cerâmica, duas vagas'),
    saleStep(nextTimeOn(12, 16.1), 41_900, 'Jogo de pratos, 6 peças'),
    saleStep(nextTimeOn(4, 10.7), 98_000, 'Luminária sob encomenda'),
    {
      at: new Date(present.getTime() - 25 * minuteMs),
      play: (past) => playWithdrawal(past, merchantId, payee, { slowSeconds: 12 * 3600 }),
    },
  ];
}
