import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { movements } from './index.ts';
import { knownLegs } from './known-legs.ts';

const cents = fc.integer({ min: 0, max: 1_500_000 });

describe('movements', () => {
  test('a payment is split to the cent between available, fees and reserved', () => {
    fc.assert(
      fc.property(cents, cents, cents, (net, feeCents, reserveCents) => {
        const amountCents = net + feeCents + reserveCents;
        const transfers = movements.paymentReceived({
          merchantId: 1,
          reference: 'E1',
          amountCents,
          feeCents,
          reserveCents,
        });
        expect(transfers.every((transfer) => transfer.from === 'psp' && transfer.amountCents > 0)).toBe(true);
        expect(transfers.reduce((sum, transfer) => sum + transfer.amountCents, 0)).toBe(amountCents);
      }),
    );
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
    const transfers = movements.unmatchedAssigned({
      merchantId: 7,
      reference: 'E9',
      amountCents: 1000,
      feeCents: 10,
      reserveCents: 99,
    });
    const sumOf = (merchantId: number) =>
      transfers
        .filter((transfer) => transfer.merchantId === merchantId)
        .reduce((sum, transfer) => sum + transfer.amountCents, 0);
    expect([sumOf(0), sumOf(7)]).toEqual([1000, 1000]);
  });

  test('are exactly those that the audit knows, each with its accounts', () => {
    const cause = { merchantId: 7, reference: 'r', amountCents: 100 };
    const split = { ...cause, feeCents: 10, reserveCents: 10 };
    const transfersByMovement: Record<keyof typeof movements, movements.Transfer[]> = {
      paymentReceived: movements.paymentReceived(split),
      reserveReleased: movements.reserveReleased(cause),
      unmatchedReceived: movements.unmatchedReceived(cause),
      unmatchedAssigned: movements.unmatchedAssigned(split),
      unmatchedReturnRequested: movements.unmatchedReturnRequested(cause),
      unmatchedReturned: movements.unmatchedReturned(cause),
      unmatchedReturnRefused: movements.unmatchedReturnRefused(cause),
      withdrawalRequested: movements.withdrawalRequested(cause),
      withdrawalCompleted: movements.withdrawalCompleted({ ...cause, feeCents: 10 }),
      withdrawalRefused: movements.withdrawalRefused(cause),
      withdrawalReturned: movements.withdrawalReturned({ ...cause, returnedCents: 90 }),
      refundRequested: movements.refundRequested(cause),
      refundCompleted: movements.refundCompleted(cause),
      refundRefused: movements.refundRefused(cause),
      disputeOpened: movements.disputeOpened({ ...cause, fromAvailableCents: 1, fromReservedCents: 1 }),
      shortfallCovered: movements.shortfallCovered({ ...cause, fromAvailableCents: 1, fromReservedCents: 1 }),
      disputeLost: movements.disputeLost({ ...cause, blockedCents: 1, uncoveredCents: 1 }),
      debtRepaid: movements.debtRepaid(cause),
      disputeReleased: movements.disputeReleased({ ...cause, toAvailableCents: 1, toReservedCents: 1 }),
      balanceAdjusted: [1, -1].flatMap((differenceCents) =>
        movements.balanceAdjusted({ ...cause, differenceCents }),
      ),
      bankTariffCharged: movements.bankTariffCharged(cause),
      feesTaken: movements.feesTaken(cause),
      toppedUp: movements.toppedUp(cause),
    };
    const legs = Object.values(transfersByMovement).flatMap((transfers) =>
      transfers.map(({ event, from, to }) => [event, from, to]),
    );
    expect(legs.toSorted()).toEqual([...knownLegs].toSorted());
  });
});
