import { brlFromCents, type StatementAccount, type StatementLine } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import { invariant } from '../invariant.ts';
import { formatBrl } from '../payments/index.ts';
import { movementsByAccount, type ReferencedObject, type StatementMovement } from './movement.ts';
import {
  entryKeyOf,
  findChargeIdsOfPix,
  findChargeIdsOfRefunds,
  findChargeIdsOfReturns,
  findWithdrawals,
  type PaymentSplit,
  readSplits,
  type StatementEntry,
  type WithdrawalDetails,
} from './store.ts';

/** A ledger entry and the balance after it; the balance is undefined in a list that shows none. */
export type EntryWithBalance = StatementEntry & { readonly balanceCents: number | undefined };

/** An entry and its movement, which determines the text and the link of its statement line. */
type ClassifiedEntry = EntryWithBalance & { readonly movement: StatementMovement };
/** The object that each entry links to, found under the entry's `keyOf`. */
type Subjects = ReadonlyMap<string, Pick<StatementLine, 'subject_id' | 'subject_type'>>;

/** Converts entries of a balance to statement lines, in the same order. */
export async function toStatementLines(
  db: Db,
  merchantId: number,
  account: StatementAccount,
  entries: readonly EntryWithBalance[],
): Promise<StatementLine[]> {
  const classified = entries.map((entry) => ({ ...entry, movement: movementOf(account, entry) }));
  const splits = await splitsOf(db, merchantId, account, classified);
  const subjects = await subjectsOf(db, merchantId, account, classified);
  const withdrawals = await withdrawalsOf(db, merchantId, classified);
  return classified.map((entry) => ({
    ...lineFrom(entry, splits.get(entryKeyOf(entry)), subjects),
    description: describe(entry, withdrawals.get(referencedIdOf(entry.reference))),
  }));
}

function movementOf(account: StatementAccount, { event, changeCents }: StatementEntry): StatementMovement {
  const movement = movementsByAccount[account].find(
    (candidate) => candidate.event === event && candidate.isCredit === changeCents > 0,
  );
  invariant(movement !== undefined, `${event} moves ${account} and has no line of its own`);
  return movement;
}

/** The text of an entry. For a withdrawal, adds the payee's key and the fee. */
function describe(
  { movement: { text } }: ClassifiedEntry,
  withdrawal: WithdrawalDetails | undefined,
): string {
  if (withdrawal === undefined) return text;
  const { pixKey, feeCents } = withdrawal;
  const feeText = feeCents === 0 ? '' : `, tarifa de ${formatBrl(feeCents)}`;
  return `${text}: ${pixKey}${feeText}`;
}

function lineFrom(
  { movement, ...entry }: ClassifiedEntry,
  split: PaymentSplit | undefined,
  subjects: Subjects,
): Omit<StatementLine, 'description'> {
  return {
    id: `${entry.event.replaceAll(' ', '-')}-${entry.reference.replaceAll(' ', '-')}`,
    at: entry.at.toISOString(),
    kind: movement.kind,
    amount: brlFromCents(entry.changeCents),
    gross: split === undefined ? null : brlFromCents(split.grossCents),
    fee: split === undefined ? null : brlFromCents(split.feeCents),
    reserved: split === undefined ? null : brlFromCents(split.reservedCents),
    balance: entry.balanceCents === undefined ? null : brlFromCents(entry.balanceCents),
    ...(subjects.get(entryKeyOf(entry)) ?? { subject_id: null, subject_type: null }),
  };
}

async function splitsOf(
  db: Db,
  merchantId: number,
  account: StatementAccount,
  entries: readonly ClassifiedEntry[],
): Promise<Map<string, PaymentSplit>> {
  const payments = entries.filter(({ movement }) => movement.kind === 'payment');
  return payments.length === 0 ? new Map() : readSplits(db, merchantId, account, payments);
}

function withdrawalsOf(
  db: Db,
  merchantId: number,
  entries: readonly ClassifiedEntry[],
): Promise<Map<string, WithdrawalDetails>> {
  const ids = entries.flatMap(({ movement, reference }) =>
    movement.referencedObject === 'withdrawal' ? [referencedIdOf(reference)] : [],
  );
  return findIfAny(ids.filter(isUuid), (uuids) => findWithdrawals(db, merchantId, uuids));
}

/** Finds the object that each entry links to. A Pix, a reserve, a refund and a return link to their payment. */
async function subjectsOf(
  db: Db,
  merchantId: number,
  account: StatementAccount,
  entries: readonly ClassifiedEntry[],
): Promise<Subjects> {
  const idsOf = (referencedObject: ReferencedObject) =>
    entries.flatMap(({ movement, reference }) =>
      movement.referencedObject === referencedObject ? [referencedIdOf(reference)] : [],
    );
  // The reference of a return made by the bank is its rtrId, the nationwide id of a return. If the return has none, the
  // reference begins with the endToEndId, the nationwide id of the returned Pix. So both are looked up.
  const [pix, refunds, returns] = [idsOf('pix'), idsOf('refund'), idsOf('return')];
  const chargeIds = new Map([
    ...(await findIfAny([...pix, ...returns], (ids) => findChargeIdsOfPix(db, merchantId, account, ids))),
    ...(await findIfAny(refunds.filter(isUuid), (ids) => findChargeIdsOfRefunds(db, merchantId, ids))),
    ...(await findIfAny(returns, (ids) => findChargeIdsOfReturns(db, merchantId, ids))),
  ]);
  return new Map(
    entries.flatMap(({ movement: { referencedObject }, ...entry }) => {
      const id = referencedIdOf(entry.reference);
      const subject = referencedObject && subjectOf(referencedObject, id, chargeIds);
      return subject === undefined ? [] : [[entryKeyOf(entry), subject]];
    }),
  );
}

function subjectOf(
  referencedObject: ReferencedObject,
  id: string,
  chargeIds: ReadonlyMap<string, string>,
): Pick<StatementLine, 'subject_id' | 'subject_type'> | undefined {
  if (referencedObject === 'withdrawal' || referencedObject === 'dispute')
    return { subject_type: referencedObject, subject_id: id };
  const chargeId = referencedObject === 'charge' ? id : chargeIds.get(id);
  return chargeId === undefined ? undefined : { subject_type: 'payment', subject_id: chargeId };
}

/** The id of the object that a reference identifies: the whole reference, or its part before the first space. */
function referencedIdOf(reference: string): string {
  return reference.split(' ', 1)[0] ?? '';
}

/** Calls `find` with the ids; without ids, returns an empty map and runs no query. */
async function findIfAny<T>(
  ids: readonly string[],
  find: (ids: readonly string[]) => Promise<Map<string, T>>,
): Promise<Map<string, T>> {
  return ids.length === 0 ? new Map() : find(ids);
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
