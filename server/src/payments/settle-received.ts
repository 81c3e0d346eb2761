import type { Tx } from '../db/transaction.ts';
import { movements, PLATFORM, post } from '../ledger/index.ts';
import type { BankReceivedPix } from '../psp/index.ts';
import { insertReserves } from '../reserves/index.ts';
import { countCounterPayments, countLinkPayments } from './count-payments.ts';
import { type CounterCharge, chargesByCounters, insertCounterCharges } from './credit-counters.ts';
import { mayBecome, merchantOfTxid, type PayableCharge } from './payment.ts';
import { publishChargeEvents } from './publish-charge-events.ts';
import { insertReceivedPix, type NewReceivedPix } from './received-store.ts';
import { type LockedCharge, lockChargesByTxid, markChargesPaid } from './store.ts';

const dayMs = 86_400_000;

export type Settled = { readonly credited: number; readonly suspense: number; readonly known: number };

/** `made`: paid by a counter code, so its charge is created now. */
type Credit = {
  readonly charge: PayableCharge & { readonly ofLink?: boolean };
  readonly pix: BankReceivedPix;
  readonly made?: CounterCharge | undefined;
};

/**
 * Books one or many Pix that our bank confirmed: each new one is credited to its charge, or goes to suspense if no
 * charge of ours takes it. All consequences (webhook, notification, reserve, open screens) are written in the same
 * transaction. Idempotent by endToEndId.
 */
export async function settleReceived(
  tx: Tx,
  received: readonly BankReceivedPix[],
  ownPixKey: string,
): Promise<Settled> {
  const facts = [...new Map(received.map((pix) => [pix.endToEndId, pix])).values()];
  if (facts.length === 0) return { credited: 0, suspense: 0, known: 0 };

  const charges = await lockChargesByTxid(tx, facts.flatMap(namedCharge));
  const counters = await chargesByCounters(tx, facts);
  const decided = decide(facts, charges, counters, ownPixKey);
  const fresh = await insertReceivedPix(tx, decided);

  const chargeById = new Map(charges.map((charge) => [charge.id, charge]));
  const credits: Credit[] = [];
  const strays: NewReceivedPix[] = [];
  for (const pix of decided) {
    if (!fresh.has(pix.endToEndId)) continue;
    const made = pix.chargeId === null ? undefined : counters.get(pix.endToEndId);
    const charge = made?.charge ?? (pix.chargeId === null ? undefined : chargeById.get(pix.chargeId));
    if (charge !== undefined) credits.push({ charge, pix, made });
    else strays.push(pix);
  }
  await writeWhatFollows(tx, credits);
  await countWithOffers(tx, credits);
  // Last: these lock the merchants' balances and counters, on which other settlements and charge creation wait.
  await post(tx, [...credits.flatMap(creditTransfers), ...strays.flatMap(strayTransfers)]);
  await storeMade(tx, credits);
  await markChargesPaid(
    tx,
    credits.map(({ charge, pix }) => ({ charge, endToEndId: pix.endToEndId, paidAt: pix.paidAt })),
  );
  return { credited: credits.length, suspense: strays.length, known: facts.length - fresh.size };
}

function namedCharge({ txid }: BankReceivedPix): { merchantId: number; txid: string }[] {
  const merchantId = txid === undefined ? undefined : merchantOfTxid(txid);
  return txid === undefined || merchantId === undefined ? [] : [{ merchantId, txid }];
}

/** Decides the outcome of each Pix, by the charges as locked. */
function decide(
  facts: readonly BankReceivedPix[],
  charges: readonly LockedCharge[],
  counters: ReadonlyMap<string, CounterCharge>,
  ownPixKey: string,
): NewReceivedPix[] {
  const byTxid = new Map(charges.map((charge) => [charge.txid, charge]));
  const taken = new Set<string>();
  return facts.map((pix) => {
    const made = counters.get(pix.endToEndId);
    if (made !== undefined) return decideMade(pix, made, ownPixKey);
    const charge = pix.txid === undefined ? undefined : byTxid.get(pix.txid);
    const reason = whyStray(pix, charge, ownPixKey, taken);
    if (charge === undefined || reason !== undefined) {
      return { ...pix, merchantId: PLATFORM, chargeId: null, outcome: 'suspense', reason: reason ?? null };
    }
    taken.add(charge.txid);
    return { ...pix, merchantId: charge.merchantId, chargeId: charge.id, outcome: 'credited', reason: null };
  });
}

/** A Pix paid by a counter code: it gets its own charge, whatever its amount. */
function decideMade(pix: BankReceivedPix, { charge }: CounterCharge, ownPixKey: string): NewReceivedPix {
  const isForeign = pix.pixKey !== undefined && pix.pixKey !== ownPixKey;
  const reason = isForeign ? 'wrong-key' : charge.feeCents >= charge.amountCents ? 'below-fee' : null;
  if (reason !== null) return { ...pix, merchantId: PLATFORM, chargeId: null, outcome: 'suspense', reason };
  return { ...pix, merchantId: charge.merchantId, chargeId: charge.id, outcome: 'credited', reason };
}

function whyStray(
  pix: BankReceivedPix,
  charge: PayableCharge | undefined,
  ownPixKey: string,
  taken: ReadonlySet<string>,
): string | undefined {
  if (pix.txid === undefined) return 'no-txid';
  if (charge === undefined) return 'unknown-txid';
  if (pix.pixKey !== undefined && pix.pixKey !== ownPixKey) return 'wrong-key';
  if (pix.amountCents !== charge.amountCents) return 'wrong-amount';
  if (taken.has(charge.txid) || !mayBecome(charge.status, 'paid')) return 'second-payment';
  return undefined;
}

function creditTransfers({ charge, pix }: Credit) {
  return movements.paymentReceived({
    merchantId: charge.merchantId,
    reference: pix.endToEndId,
    amountCents: pix.amountCents,
    feeCents: charge.feeCents,
    reserveCents: charge.reserveCents,
  });
}

function strayTransfers(pix: NewReceivedPix) {
  return movements.unmatchedReceived({ reference: pix.endToEndId, amountCents: pix.amountCents });
}

async function writeWhatFollows(tx: Tx, credits: readonly Credit[]): Promise<void> {
  if (credits.length === 0) return;
  await keepReserves(
    tx,
    credits.filter(({ made }) => made === undefined),
  );
  await publishChargeEvents(
    tx,
    'paid',
    credits.map(({ charge, pix }) => ({ charge, paidAt: pix.paidAt })),
  );
}

async function keepReserves(tx: Tx, credits: readonly Credit[]): Promise<void> {
  await insertReserves(
    tx,
    credits.flatMap(({ charge }) =>
      charge.reserveCents === 0
        ? []
        : [
            {
              merchantId: charge.merchantId,
              chargeId: charge.id,
              amountCents: charge.reserveCents,
              dueAt: new Date(tx.now.getTime() + charge.reserveDays * dayMs),
            },
          ],
    ),
  );
}

/** Updates the payment counters of links and counter codes. */
async function countWithOffers(tx: Tx, credits: readonly Credit[]): Promise<void> {
  const ofLinks = credits.filter(({ charge }) => charge.ofLink === true);
  await countLinkPayments(
    tx,
    ofLinks.map(({ charge }) => charge),
  );
  await countCounterPayments(
    tx,
    credits.flatMap(({ charge, made }) =>
      made === undefined
        ? []
        : [{ merchantId: charge.merchantId, id: made.counterId, amountCents: charge.amountCents }],
    ),
  );
}

async function storeMade(tx: Tx, credits: readonly Credit[]): Promise<void> {
  const made = credits.filter((credit) => credit.made !== undefined);
  if (made.length === 0) return;
  const paid = credits.map(({ charge }) => charge.merchantId);
  await insertCounterCharges(
    tx,
    made.flatMap((credit) => credit.made ?? []),
    paid,
  );
  await keepReserves(tx, made);
}
