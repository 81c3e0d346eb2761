// The demo's merchant who is paid into an account of their own. The account is opened at Banco Sandbox, connected, checked
// and put to use as on the screens, and then used for some weeks. A further account waits there for whoever wants to
// connect one.

import { z } from 'zod';
import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { closeFeeStatements, listStatements, makeStatementCharge } from '../fee-statements/index.ts';
import {
  activateConnection,
  awaitChecks,
  createConnection,
  makeChecks,
  requestCheck,
} from '../manage-connections/index.ts';
import { markNotificationsRead } from '../notifications/index.ts';
import { atBank, atHouse } from '../psp/index.ts';
import { storePin } from '../withdrawals/index.ts';
import { type Chance, seededChance } from './chance.ts';
import { callSandbox, type HistoryStep, type PastDeps } from './past.ts';
import type { Sale } from './plan-sales.ts';
import { playRefund } from './play-money.ts';
import { bookPayments, type PaidSale, payAtSandboxBank, playSales } from './play-sales.ts';
import { type DemoPayer, generateCustomers } from './shop.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Long enough that a month of fees has ended. */
const usedDays = 48;
/** Days from the closing of a statement of fees to its payment. */
const paymentDays = 3;

type Holder = { readonly name: string; readonly document: string };

const connectedHolder: Holder = { name: 'Floricultura Manacá Ltda', document: '27384915000102' };
const furtherHolder: Holder = { name: 'Conta para Experimentar Ltda', document: '40617283000130' };

/** The steps of the merchant, from the opening of the account to a check that shows its state on the first visit. */
export function ownAccountSteps(
  { merchantId, pin }: { readonly merchantId: number; readonly pin: string },
  since: Date,
  present: Date,
): HistoryStep[] {
  const firstDay = daysAfter(calendarDayOf(present), -usedDays);
  const openedAt = new Date(
    Math.max(startOfDay(firstDay).getTime() + 9 * hourMs, since.getTime() + 2 * minuteMs),
  );
  const endsAt = new Date(present.getTime() - 20 * minuteMs);
  const paidSales: PaidSale[] = [];
  let connectionId: number | undefined;
  // An operator may admit no own accounts; then nothing of this happens.
  const step = (at: Date, play: (atOwnBank: PastDeps, id: number) => Promise<unknown>): HistoryStep => ({
    at,
    play: async (past) => {
      if (connectionId !== undefined) await play(atBank(past, connectionId), connectionId);
    },
  });
  const saleSteps = planFlowerSales(openedAt, endsAt).map((sale) =>
    step(sale.at, async (atOwnBank) => {
      paidSales.push(...(await playSales(atOwnBank, { merchantId, unpaidExpiries: [] }, [sale])));
    }),
  );
  return [
    {
      at: openedAt,
      play: async (past) => {
        await storePin(past, merchantId, pin);
        connectionId = await connectAccount(past, merchantId);
      },
    },
    ...saleSteps,
    ...feeSteps(merchantId, openedAt, endsAt, step),
    step(new Date(present.getTime() - 5 * 24 * hourMs), async (atOwnBank) => {
      const paidSale = paidSales.at(-1);
      if (paidSale !== undefined)
        await playRefund(atOwnBank, merchantId, paidSale, { reason: 'Entrega desmarcada' });
    }),
    step(new Date(present.getTime() - 16 * minuteMs), async (past, id) => {
      await openAtSandbox(past, furtherHolder);
      await markNotificationsRead(past, merchantId, undefined);
      // In the first check nobody listened yet at the address for notices. This one is made as soon as somebody does.
      await requestCheck(past, { userId: merchantId, accountId: merchantId }, String(id));
    }),
  ];
}

/** Closes the fees of each month that ends in the history, and pays them by Pix some days later. */
function feeSteps(
  merchantId: number,
  openedAt: Date,
  endsAt: Date,
  step: (at: Date, play: (past: PastDeps) => Promise<unknown>) => HistoryStep,
): HistoryStep[] {
  const steps: HistoryStep[] = [];
  for (let day = calendarDayOf(openedAt); startOfDay(day) < endsAt; day = daysAfter(day, 1)) {
    if (!day.endsWith('-01') || startOfDay(day) < openedAt) continue;
    const closedAt = new Date(startOfDay(day).getTime() + 11 * minuteMs);
    const paidAt = new Date(startOfDay(daysAfter(day, paymentDays)).getTime() + 10 * hourMs);
    steps.push(step(closedAt, closeFeeStatements));
    if (paidAt < endsAt) steps.push(step(paidAt, (past) => payStatements(past, merchantId)));
  }
  return steps;
}

async function payStatements(past: PastDeps, merchantId: number): Promise<void> {
  const { statements } = await listStatements(past.db, merchantId, { limit: 10, offset: 0 });
  for (const { id } of statements.filter(({ state }) => state === 'open')) {
    const { charge } = await makeStatementCharge(past, merchantId, id);
    const payment = { brCode: charge.brCode, payer: connectedHolder };
    await bookPayments(atHouse(past), [await payAtSandboxBank(past, payment)]);
  }
}

/** Opens an account at Banco Sandbox and puts it to use. Returns its number in the gateway. */
async function connectAccount(past: PastDeps, merchantId: number): Promise<number> {
  const owner = { userId: merchantId, accountId: merchantId };
  const { key, clientId, clientSecret } = await openAtSandbox(past, connectedHolder);
  const { id } = await createConnection(past, owner, {
    bank: 'sandbox',
    name: 'Conta da loja',
    pix_key: key,
    client_id: clientId,
    client_secret: clientSecret,
  });
  await makeChecks(past);
  await awaitChecks(past);
  await activateConnection(past, owner, String(id));
  return id;
}

const openedAccount = z.object({ key: z.string(), clientId: z.string(), clientSecret: z.string() });

async function openAtSandbox(past: PastDeps, { name, document }: Holder) {
  const holder = { name, document, city: 'Recife' };
  return openedAccount.parse(await callSandbox(past, 'POST', '/sandbox/accounts', holder));
}

const flowers = [
  { name: 'Buquê de girassóis', cents: 8900 },
  { name: 'Orquídea phalaenopsis', cents: 12_500 },
  { name: 'Arranjo de mesa', cents: 18_900 },
  { name: 'Vaso de manjericão', cents: 1800 },
  { name: 'Coroa de bromélias', cents: 32_000 },
  { name: 'Dúzia de rosas', cents: 9600 },
] as const;

/** Plans about one sale a day, oldest first. */
function planFlowerSales(from: Date, until: Date): Sale[] {
  const chance = seededChance(4105);
  const payers = generateCustomers(chance, 24);
  const sales: Sale[] = [];
  for (let day = calendarDayOf(from); startOfDay(day) < until; day = daysAfter(day, 1))
    for (let count = chance.pick([0, 1, 1, 2]); count > 0; count -= 1)
      sales.push(planFlowerSale(chance, payers, startOfDay(day)));
  const earliest = new Date(from.getTime() + 5 * minuteMs);
  return sales
    .filter(({ at }) => at > earliest && at < until)
    .toSorted((left, right) => left.at.getTime() - right.at.getTime());
}

function planFlowerSale(chance: Chance, payers: readonly DemoPayer[], midnight: Date): Sale {
  const { name, cents } = chance.pick(flowers);
  return {
    at: new Date(midnight.getTime() + 8 * hourMs + chance.integerBelow(10 * 3600) * 1000),
    amountCents: cents,
    description: name,
    channel: 'panel',
    expiresInSeconds: 3600,
    payment: { afterSeconds: 30 + chance.integerBelow(150), payer: chance.pick(payers) },
  };
}
