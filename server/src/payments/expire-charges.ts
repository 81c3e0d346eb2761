import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { mapBounded } from '../map-bounded.ts';
import { type BankCharge, type BankReceivedPix, PspRefused } from '../psp/index.ts';
import { adoptBankCharge } from './create-payment.ts';
import { endCharges } from './end-charges.ts';
import type { Charge } from './payment.ts';
import { settleReceived } from './settle-received.ts';
import { takeDueCharges } from './store.ts';

const batchSize = 100;
const questionsAtOnce = 8;
const retryMs = 60_000;
/** If the bank is unreachable for this long, a charge expires without the bank's answer. */
const silenceMs = 600_000;

type Finding = { readonly charge: Charge; readonly atBank: BankCharge | undefined | 'silent' };

/**
 * Expires overdue charges after a last look-up at the bank, and resolves charges whose creation the bank never
 * confirmed. Returns how many were examined.
 */
export async function expireCharges(deps: Deps): Promise<number> {
  const due = await inTransaction(deps, (tx) =>
    takeDueCharges(tx, new Date(tx.now.getTime() + retryMs), batchSize),
  );
  const open = due.filter((charge) => charge.status === 'pending');
  if (open.length === 0) return due.length;
  const findings = await mapBounded(open, questionsAtOnce, async (charge) => ({
    charge,
    atBank: await askBank(deps, charge),
  }));

  const now = deps.clock.now();
  const over = findings.filter((finding) => isOver(finding, now)).map(({ charge }) => charge);
  await settlePaid(deps, findings);
  await adoptUnconfirmed(deps, findings, now);
  if (over.length > 0) {
    const confirmed = over.filter((charge) => charge.brCode !== '');
    const unconfirmed = over.filter((charge) => charge.brCode === '');
    await inTransaction(deps, (tx) => endCharges(tx, confirmed, 'expired'));
    await inTransaction(deps, (tx) => endCharges(tx, unconfirmed, 'error'));
  }
  return due.length;
}

function isOver({ charge, atBank }: Finding, now: Date): boolean {
  const sinceExpiryMs = now.getTime() - charge.expiresAt.getTime();
  if (atBank === 'silent') return sinceExpiryMs >= silenceMs;
  if (atBank === undefined) return true;
  // Paid according to the bank, but not in a way that could be credited: the money is in suspense.
  if (atBank.status === 'completed') return sinceExpiryMs >= silenceMs;
  return atBank.status === 'removed' || sinceExpiryMs >= 0;
}

async function askBank(deps: Deps, charge: Charge): Promise<Finding['atBank']> {
  try {
    return await deps.psp.findCharge(charge.txid);
  } catch (error) {
    if (error instanceof PspRefused)
      deps.log.warn({ err: error, chargeId: charge.id }, 'the bank refused a question');
    return 'silent';
  }
}

/** Books payments from the bank's own answer. */
async function settlePaid(deps: Deps, findings: readonly Finding[]): Promise<void> {
  const paid: BankReceivedPix[] = findings.flatMap(({ atBank }) =>
    atBank === undefined || atBank === 'silent' ? [] : atBank.received,
  );
  if (paid.length === 0) return;
  await settle(deps, paid);
}

/** A payment that cannot be booked must not stop the others from being booked or expired. */
async function settle(deps: Deps, paid: readonly BankReceivedPix[]): Promise<void> {
  try {
    await inTransaction(deps, (tx) => settleReceived(tx, paid, deps.config.pixKey));
  } catch (err) {
    const [only, ...others] = paid;
    if (only === undefined || others.length > 0) for (const pix of paid) await settle(deps, [pix]);
    else
      deps.log.error({ err, endToEndId: only.endToEndId }, 'a Pix that the bank showed could not be booked');
  }
}

/** A charge that the bank did create although its answer was lost: gets its code and stays open. */
async function adoptUnconfirmed(deps: Deps, findings: readonly Finding[], now: Date): Promise<void> {
  for (const { charge, atBank } of findings) {
    if (charge.brCode !== '' || atBank === undefined || atBank === 'silent') continue;
    if (atBank.status !== 'active' || charge.expiresAt <= now) continue;
    await adoptBankCharge(deps, charge, atBank).catch((error: unknown) =>
      deps.log.error({ err: error, chargeId: charge.id }, 'a charge at the bank could not be taken over'),
    );
  }
}
