import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { movements } from './index.ts';
import { knownChanges } from './known-changes.ts';

const cents = fc.integer({ min: 0, max: 1_500_000 });

describe('movements', () => {
  test('a payment is split to the cent between available, fees and reserved', () => {
    fc.assert(
      fc.property(cents, cents, cents, (net, feeCents, reserveCents) => {
        const amountCents = net + feeCents + reserveCents;
        const entries = movements.paymentReceived({
          merchantId: 1,
          reference: 'E1',
          amountCents,
          feeCents,
          reserveCents,
        });
        if (amountCents === 0) return expect(entries).toEqual([]);
        const changes = Object.entries({
          available: net,
          fees: feeCents,
          reserved: reserveCents,
          psp: -amountCents,
        });
        const expected = { changes: Object.fromEntries(changes.filter(([, change]) => change !== 0)) };
        expect(entries).toEqual([expect.objectContaining(expected)]);
      }),
    );
  });

  test('a payment at an account of the merchant’s own is all the merchant’s, in the books of that account', () => {
    expect(
      movements.ownPaymentReceived({ merchantId: 7, connectionId: 3, reference: 'E1', amountCents: 500 }),
    ).toEqual([
      {
        merchantId: 7,
        connectionId: 3,
        event: 'payment received',
        reference: 'E1',
        changes: { psp: -500, available: 500 },
      },
    ]);
  });

  test('nothing at an account of the merchant’s own is kept back or owed there; its fees fall due at the operator’s', () => {
    const cause = { merchantId: 7, connectionId: 3, reference: 'w1', amountCents: 1000 };
    expect(movements.withdrawalCompleted({ ...cause, feeCents: 150 })).toMatchObject([
      { connectionId: 3, changes: { in_transit: -1000, psp: 1000 } },
      { connectionId: HOUSE_CONNECTION, event: 'fee accrued', changes: { fees_due: -150, fees: 150 } },
    ]);
    expect(movements.disputeLost({ ...cause, blockedCents: 40, uncoveredCents: 60 })).toMatchObject([
      { connectionId: 3, changes: { blocked: -40, available: -60, psp: 100 } },
    ]);
  });

  test('an amount that is not a whole, non-negative number of cents throws', () => {
    for (const amountCents of [0.5, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => movements.refundRequested({ merchantId: 1, reference: 'r', amountCents })).toThrow(
        /no amount/,
      );
    }
    expect(() =>
      movements.paymentReceived({
        merchantId: 1,
        reference: 'E1',
        amountCents: 100,
        feeCents: 60,
        reserveCents: 60,
      }),
    ).toThrow(/no amount/);
  });

  test('an assigned suspense Pix leaves the platform in full and reaches the merchant in full', () => {
    const entries = movements.unmatchedAssigned({
      merchantId: 7,
      reference: 'E9',
      amountCents: 1000,
      feeCents: 10,
      reserveCents: 99,
    });
    expect(entries.map(({ merchantId, changes }) => ({ merchantId, changes }))).toEqual([
      { merchantId: 0, changes: { suspense: -1000, psp: 1000 } },
      { merchantId: 7, changes: { psp: -1000, available: 891, fees: 10, reserved: 99 } },
    ]);
  });

  test('are exactly those that the audit knows, each with its accounts', () => {
    const cause = { merchantId: 7, reference: 'r', amountCents: 100 };
    const bothAccounts = (move: (at: typeof cause & { connectionId: number }) => movements.LedgerEntry[]) =>
      [HOUSE_CONNECTION, 2].flatMap((connectionId) => move({ ...cause, connectionId }));
    const split = { ...cause, feeCents: 10, reserveCents: 10 };
    const entriesByMovement: Record<keyof typeof movements, movements.LedgerEntry[]> = {
      paymentReceived: movements.paymentReceived(split),
      // The same event as at the operator's own account, with nothing kept back.
      ownPaymentReceived: [],
      feeAccrued: movements.feeAccrued({ ...cause, feeCents: 10 }),
      feesPaid: movements.feesPaid(cause),
      feesPaidElsewhere: movements.feesPaidElsewhere(cause),
      reserveReleased: movements.reserveReleased(cause),
      unmatchedReceived: movements.unmatchedReceived(cause),
      unmatchedAssigned: movements.unmatchedAssigned(split),
      unmatchedReturnRequested: movements.unmatchedReturnRequested(cause),
      unmatchedReturned: movements.unmatchedReturned(cause),
      unmatchedReturnRefused: movements.unmatchedReturnRefused(cause),
      withdrawalRequested: movements.withdrawalRequested(cause),
      withdrawalCompleted: bothAccounts((at) => movements.withdrawalCompleted({ ...at, feeCents: 10 })),
      withdrawalRefused: movements.withdrawalRefused(cause),
      withdrawalReturned: movements.withdrawalReturned({ ...cause, returnedCents: 90 }),
      refundRequested: movements.refundRequested(cause),
      refundCompleted: movements.refundCompleted(cause),
      refundRefused: movements.refundRefused(cause),
      disputeOpened: movements.disputeOpened({ ...cause, fromAvailableCents: 1, fromReservedCents: 1 }),
      shortfallCovered: movements.shortfallCovered({ ...cause, fromAvailableCents: 1, fromReservedCents: 1 }),
      disputeLost: bothAccounts((at) => movements.disputeLost({ ...at, blockedCents: 1, uncoveredCents: 1 })),
      debtRepaid: movements.debtRepaid(cause),
      disputeReleased: movements.disputeReleased({ ...cause, toAvailableCents: 1, toReservedCents: 1 }),
      balanceAdjusted: [1, -1].flatMap((differenceCents) =>
        movements.balanceAdjusted({ ...cause, differenceCents }),
      ),
      bankTariffCharged: movements.bankTariffCharged(cause),
      feesTaken: movements.feesTaken(cause),
      toppedUp: movements.toppedUp(cause),
    };
    const changes = Object.values(entriesByMovement)
      .flat()
      .flatMap(({ event, changes }) =>
        Object.entries(changes).map(([kind, change]) => `${event}: ${kind} ${Math.sign(change)}`),
      );
    const known = knownChanges.map(({ event, kind, sign }) => `${event}: ${kind} ${sign}`);
    expect([...new Set(changes)].toSorted()).toEqual(known.toSorted());
  });
});
