import { brlFromCents, type StatementAccount, type StatementLine } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import { invariant } from '../invariant.ts';
import { formatBrl } from '../payments/index.ts';
import { type LeadsTo, movementsOf, type StatementMovement } from './movement.ts';
import {
  findChargesOfPix,
  findChargesOfRefunds,
  findChargesOfReturns,
  findWithdrawals,
  keyOf,
  readSplits,
  type Split,
  type StatementEntry,
  type WithdrawalFacts,
} from './store.ts';

/** An entry and the balance after it; undefined if no running balance is requested. */
export type EntryWithBalance = StatementEntry & { readonly balanceCents: number | undefined };

type Told = EntryWithBalance & { readonly movement: StatementMovement };
type Subjects = ReadonlyMap<string, Pick<StatementLine, 'subject_id' | 'subject_type'>>;

/** Converts entries of a balance to statement lines, in the same order. */
export async function toStatementLines(
  db: Db,
  merchantId: number,
  account: StatementAccount,
  entries: readonly EntryWithBalance[],
): Promise<StatementLine[]> {
  const told = entries.map((entry) => ({ ...entry, movement: movementOf(account, entry) }));
  const [splits, subjects] = [await splitsOf(db, merchantId, told), await subjectsOf(db, merchantId, told)];
  const withdrawals = await withdrawalsOf(db, merchantId, told);
  return told.map((one) => ({
    ...lineFrom(one, splits.get(keyOf(one)), subjects),
    description: describe(one, withdrawals.get(idIn(one.reference))),
  }));
}

function movementOf(account: StatementAccount, { event, changeCents }: StatementEntry): StatementMovement {
  const movement = movementsOf[account].find(
    (one) => one.event === event && (one.to === account) === changeCents > 0,
  );
  invariant(movement !== undefined, `${event} moves ${account} and has no line of its own`);
  return movement;
}

/** For a withdrawal, adds the destination key and the fee. */
function describe({ movement: { text } }: Told, withdrawal: WithdrawalFacts | undefined): string {
  if (withdrawal === undefined) return text;
  const { pixKey, feeCents } = withdrawal;
  return `${text}: ${pixKey}${feeCents === 0 ? '' : `, tarifa de ${formatBrl(feeCents)}`}`;
}

function lineFrom(
  { movement, ...entry }: Told,
  split: Split | undefined,
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
    ...(subjects.get(keyOf(entry)) ?? { subject_id: null, subject_type: null }),
  };
}

async function splitsOf(db: Db, merchantId: number, told: readonly Told[]): Promise<Map<string, Split>> {
  const payments = told.filter(({ movement }) => movement.kind === 'payment');
  return payments.length === 0 ? new Map() : readSplits(db, merchantId, payments);
}

function withdrawalsOf(
  db: Db,
  merchantId: number,
  told: readonly Told[],
): Promise<Map<string, WithdrawalFacts>> {
  const ids = told.flatMap(({ movement, reference }) =>
    movement.leadsTo === 'withdrawal' ? [idIn(reference)] : [],
  );
  return ifAny(ids.filter(isUuid), (wanted) => findWithdrawals(db, merchantId, wanted));
}

/** The object that each entry links to; for a Pix, a reserve or a refund it is the payment. */
async function subjectsOf(db: Db, merchantId: number, told: readonly Told[]): Promise<Subjects> {
  const idsOf = (leadsTo: LeadsTo) =>
    told.flatMap(({ movement, reference }) => (movement.leadsTo === leadsTo ? [idIn(reference)] : []));
  // The reference of a return made by the bank is its rtrId, or starts with the endToEndId if it has none.
  const [pix, refunds, returns] = [idsOf('pix'), idsOf('refund'), idsOf('return')];
  const charges = new Map([
    ...(await ifAny([...pix, ...returns], (ids) => findChargesOfPix(db, merchantId, ids))),
    ...(await ifAny(refunds.filter(isUuid), (ids) => findChargesOfRefunds(db, merchantId, ids))),
    ...(await ifAny(returns, (ids) => findChargesOfReturns(db, merchantId, ids))),
  ]);
  return new Map(
    told.flatMap(({ movement: { leadsTo }, ...entry }) => {
      const id = idIn(entry.reference);
      const subject = leadsTo && subjectOf(leadsTo, id, charges);
      return subject === undefined ? [] : [[keyOf(entry), subject]];
    }),
  );
}

function subjectOf(
  leadsTo: LeadsTo,
  id: string,
  charges: ReadonlyMap<string, string>,
): Pick<StatementLine, 'subject_id' | 'subject_type'> | undefined {
  if (leadsTo === 'withdrawal' || leadsTo === 'dispute') return { subject_type: leadsTo, subject_id: id };
  const charge = leadsTo === 'charge' ? id : charges.get(id);
  return charge === undefined ? undefined : { subject_type: 'payment', subject_id: charge };
}

function idIn(reference: string): string {
  return reference.split(' ', 1)[0] ?? '';
}

async function ifAny<T>(
  ids: readonly string[],
  find: (ids: readonly string[]) => Promise<Map<string, T>>,
): Promise<Map<string, T>> {
  return ids.length === 0 ? new Map() : find(ids);
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
