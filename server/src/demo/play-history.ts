import { reconcileDay } from '../bank-watch/index.ts';
import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { createCode, type StoredCounterCode } from '../counter-codes/index.ts';
import type { Deps } from '../deps.ts';
import { readNotifications } from '../notifications/index.ts';
import { createLink, type StoredPaymentLink } from '../payment-links/index.ts';
import { Refusal } from '../refusal.ts';
import type { WebhookSender } from '../webhooks/index.ts';
import { replacePin } from '../withdrawals/index.ts';
import { startChance } from './chance.ts';
import type { Happening } from './past.ts';
import { beginPast, endPast, goOnTo, type Past } from './past.ts';
import {
  type DemoPerson,
  freeze,
  openAccount,
  people,
  rejectDocuments,
  showDocuments,
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
import { book, lotsOf, pay, playLot, type Shop, type Sold } from './play-sales.ts';
import { codeNames, customers, linkGoods, madeUpCpf } from './shop.ts';
import { endpointOf, keysOf, openSender, outageOf } from './shop-system.ts';

/**
 * Plays the history of a small shop at Banco Sandbox: the bank's time is moved into the past while its books are empty;
 * then every charge and everything that follows from it is created, paid and booked by the regular operations, as time
 * advances to the present. So the bank's books and ours contain the same payments on the same days.
 */

/** The accounts in the history. */
export type Cast = { readonly merchantId: number; readonly administratorId: number; readonly pin: string };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** An hour of the day `daysAgo`, or 50 minutes ago if that hour is still to come. */
type On = (daysAgo: number, hour: number) => Date;

const ownEmail = { keyType: 'email', pixKey: 'marina.albuquerque@example.com' } as const;

/**
 * Plays the history from `since` on. Without its bank, or at a bank that already has a past, there is no history.
 * Whatever interrupts it, time is back in the present afterwards.
 */
export async function playHistory(deps: Deps, cast: Cast, since: Date): Promise<void> {
  const present = deps.clock.now();
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const past = await beginPast(deps, since);
    const shop = await openShop(past, cast);
    const sold: Sold[] = [];
    const lots = lotsOf(planSales(since, present)).map((lot) => ({
      at: lot[0]?.at ?? present,
      play: async (then: Past) => void sold.push(...(await playLot(then, shop, lot))),
    }));
    const sender = openSender(past);
    ends.push(() => sender.stop());
    const happenings = [
      ...lots,
      ...storyOf(cast, sold, since, present),
      ...systemsOf(shop, sender, since, present),
    ];
    for (const { at, play } of happenings.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
      if (at <= since) continue;
      await goOnTo(past, at);
      await play(past).catch((err: unknown) => tellRefused(deps, err));
      await sender.sendDue();
    }
  } catch (err) {
    deps.log.warn({ err }, "the demo merchant's history is missing or incomplete");
  }
  for (const end of ends) await end();
  await endPast(deps);
}

/** Skips a step that this gateway's settings do not allow; the history continues. */
function tellRefused({ log }: Deps, err: unknown): void {
  if (!(err instanceof Refusal)) throw err;
  log.warn({ err }, "a part of the demo merchant's history is not allowed here");
}

async function openShop(past: Past, { merchantId, pin }: Cast): Promise<Shop> {
  await replacePin(past, merchantId, pin);
  const links: StoredPaymentLink[] = [];
  for (const { name, description, cents, most } of linkGoods)
    links.push(
      await createLink(past, merchantId, {
        title: name,
        description,
        amount: cents / 100,
        active: true,
        ...(most !== undefined && { max_payments: most }),
      }),
    );
  const counters: StoredCounterCode[] = [];
  for (const name of codeNames) counters.push(await createCode(past, merchantId, { name, amount: null }));
  return { merchantId, links, counters, unpaid: [] };
}

/** Everything except the sales; `sold`: the sales paid up to that moment. */
function storyOf(cast: Cast, sold: Sold[], since: Date, present: Date): Happening[] {
  const on = momentsBefore(present);
  return [
    ...withdrawalsOf(cast, since, present),
    ...refundsOf(cast, sold, on),
    ...disputesOf(cast, sold, on),
    ...people.flatMap((person) => accountOf(person, cast, on, since)),
    ...studioOf(on, since, present),
    {
      at: on(19, 10.2),
      play: (past: Past) => playDestination(past, cast.merchantId, ownEmail, 'Conta da loja'),
    },
    { at: on(5, 14.3), play: receiveStray },
    { at: new Date(present.getTime() - 20 * minuteMs), play: (past) => compareDays(past, since, present) },
    // Marks earlier notifications as read, so that they are not new on the first visit.
    {
      at: on(1, 9),
      play: async (past: Past) => void (await readNotifications(past, cast.merchantId, undefined)),
    },
  ];
}

function momentsBefore(present: Date): On {
  return (daysAgo, hour) => {
    const at = startOfDay(daysAfter(calendarDayOf(present), -daysAgo)).getTime() + hour * hourMs;
    return new Date(at < present.getTime() ? at : present.getTime() - 50 * minuteMs);
  };
}

/** The activity of the shop's systems. In a short history the endpoint exists from the beginning. */
function systemsOf(shop: Shop, sender: WebhookSender, since: Date, present: Date): Happening[] {
  const { merchantId } = shop;
  const onDay = momentsBefore(present);
  const order = {
    at: onDay(2, 16.3),
    amountCents: 12_000,
    description: 'Xilogravura de cordel 30 × 42',
    way: 'api',
    expiresInSeconds: 3600,
    paid: { afterSeconds: 70, payer: { name: 'Elias Queiroz Rabelo', document: madeUpCpf(startChance(9)) } },
  } as const;
  const soon = new Date(since.getTime() + minuteMs);
  const opened = onDay(20, 9.3);
  return [
    ...keysOf(merchantId, onDay),
    endpointOf(merchantId, opened > soon ? opened : soon),
    outageOf(order.at, sender, (past) => playLot(past, shop, [order])),
  ];
}

/** Withdrawals on Tuesday and Friday mornings. The bank refuses one, which then succeeds with another key. */
function withdrawalsOf({ merchantId }: Cast, since: Date, present: Date): Happening[] {
  const mornings: Date[] = [];
  for (let day = daysAfter(calendarDayOf(since), 4); day < calendarDayOf(present); day = daysAfter(day, 1)) {
    const morning = new Date(startOfDay(day).getTime() + 9.4 * hourMs);
    if ([2, 5].includes(morning.getUTCDay())) mornings.push(morning);
  }
  const withdrawal = (at: Date) => ({
    at,
    play: (past: Past) => playWithdrawal(past, merchantId, ownEmail),
  });
  const refused = mornings.at(-4);
  return mornings.flatMap((at) =>
    at === refused
      ? [
          { at, play: (past: Past) => playWithdrawal(past, merchantId, ownDocument, 'refused') },
          withdrawal(new Date(at.getTime() + 25 * minuteMs)),
        ]
      : [withdrawal(at)],
  );
}

const ownDocument = { keyType: 'cpf', pixKey: '70816492549' } as const;

function refundsOf({ merchantId }: Cast, sold: Sold[], on: On): Happening[] {
  const refund = (at: Date, part: number, reason: string) => ({
    at,
    play: async (past: Past) => {
      const last = takeOrder(sold, 6000);
      if (last === undefined) return;
      const amountCents = Math.round((last.sale.amountCents * part) / 10) * 10;
      await playRefund(past, merchantId, last, { reason, ...(part < 1 && { amountCents }) });
    },
  });
  return [
    refund(on(41, 11.3), 1, 'Compra em duplicidade'),
    refund(on(23, 15.8), 0.5, 'Um dos produtos em falta'),
    refund(on(9, 10.6), 1, 'Desistência em até 7 dias'),
    refund(on(2, 17.4), 0.25, 'Embalagem amassada: desconto combinado'),
  ];
}

function disputesOf({ merchantId }: Cast, sold: Sold[], on: On): Happening[] {
  let won: string | undefined;
  const contest = async (past: Past, comment: string) => {
    const order = takeOrder(sold, 10_000);
    return order && openDispute(past, order, comment);
  };
  const defence =
    'O pedido foi retirado na loja pelo próprio comprador, que assinou o recibo e mostrou o documento com o mesmo CPF do Pix.';
  return [
    {
      at: on(36, 13.2),
      play: async (past) => {
        won = await contest(past, 'Não reconheço esta compra.');
      },
    },
    { at: on(35, 9.7), play: (past) => defendDisputes(past, merchantId, defence) },
    { at: on(32, 14.5), play: async (past) => void (won && (await winDispute(past, won))) },
    {
      at: on(1, 16.2),
      play: async (past) => void (await contest(past, 'Fiz o Pix achando que era outra loja.')),
    },
  ];
}

/**
 * Reconciles the last days with the bank's lists, like the nightly job, which skips days before the gateway was set up.
 */
async function compareDays(past: Past, since: Date, present: Date): Promise<void> {
  for (let daysAgo = comparedDays; daysAgo > 0; daysAgo -= 1) {
    const day = daysAfter(calendarDayOf(present), -daysAgo);
    if (startOfDay(day) > since) await reconcileDay(past, day);
  }
}
const comparedDays = 7;

/** Takes the newest sale with a charge of at least this amount; each sale is used only once. */
function takeOrder(sold: Sold[], leastCents: number): Sold | undefined {
  const at = sold.findLastIndex(
    ({ sale, chargeId }) => chargeId !== undefined && sale.amountCents >= leastCents,
  );
  return at < 0 ? undefined : sold.splice(at, 1)[0];
}

/** A Pix that matches no charge. */
async function receiveStray(past: Past): Promise<void> {
  const payer = { name: 'Lauro Dantas Pimentel', document: madeUpCpf(startChance(7)) };
  const message = 'Sinal da encomenda';
  await book(past, [await pay(past, { key: past.config.pixKey, amount: 150, payer, message })]);
}

/** The steps of one person's account. */
function accountOf(person: DemoPerson, { administratorId }: Cast, on: On, since: Date): Happening[] {
  const arrival = on(person.daysAgo, 10.2);
  if (arrival <= since) return [];
  let id = 0;
  const { documents, frozenDaysAgo } = person;
  const step = (at: Date, play: (past: Past) => Promise<void>) => [{ at, play }];
  return [
    ...step(arrival, async (past) => {
      id = await openAccount(past, person);
    }),
    ...(documents ? step(on(person.daysAgo, 11.1), (past) => showDocuments(past, id, person)) : []),
    ...(documents === 'rejected'
      ? step(on(person.daysAgo - 1, 9.5), (past) => rejectDocuments(past, id, administratorId))
      : []),
    ...(frozenDaysAgo ? step(on(frozenDaysAgo, 16.6), (past) => freeze(past, id, administratorId)) : []),
  ];
}

/**
 * A second merchant, whose withdrawal is in progress. In a short history the steps before it follow in quick
 * succession.
 */
function studioOf(onDay: On, since: Date, present: Date): Happening[] {
  let soon = since.getTime();
  const on: On = (daysAgo, hour) => {
    soon += 10 * minuteMs;
    return new Date(Math.max(onDay(daysAgo, hour).getTime(), soon));
  };
  const chance = startChance(77);
  const known = customers(chance, 6);
  let merchantId = 0;
  const sale = (at: Date, amountCents: number, description: string): Happening => {
    const paid = { afterSeconds: 90, payer: chance.of(known) };
    const order = { at, amountCents, description, way: 'panel', expiresInSeconds: 3600, paid } as const;
    return { at, play: async (past) => void (await playLot(past, { merchantId, unpaid: [] }, [order])) };
  };
  const payee = { keyType: 'email', pixKey: 'financeiro.cajueiro@example.com' } as const;
  return [
    {
      at: on(45, 10),
      play: async (past) => {
        merchantId = await openAccount(past, studio);
      },
    },
    sale(on(40, 15.2), 68_000, 'Painel em mosaico'),
    sale(on(26, 11.4), 24_500, 'Oficina de cerâmica, duas vagas'),
    sale(on(12, 16.1), 41_900, 'Jogo de pratos, 6 peças'),
    sale(on(4, 10.7), 98_000, 'Luminária sob encomenda'),
    {
      at: new Date(present.getTime() - 25 * minuteMs),
      play: (past) => playWithdrawal(past, merchantId, payee, { slowSeconds: 12 * 3600 }),
    },
  ];
}
