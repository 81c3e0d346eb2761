// The holds after a security-relevant change: for a while no money leaves, which gives people time to notice a change
// that somebody else made. An account is held altogether, or what one person asks for, in whatever account they act.
// Holds are written by `withdrawals/hold-withdrawals.ts`; the calls that open a way for money to leave read them here.
import { formatMomentForSentence } from './calendar-day.ts';
import type { Db } from './db/pool.ts';
import type { Tx } from './db/transaction.ts';
import { Refusal } from './refusal.ts';

/** A security-relevant change of a person or of an account. */
export type HoldCause =
  | 'pin-changed'
  | 'email-changed'
  | 'password-reset'
  | 'factor-reset'
  | 'handed-over'
  | 'recovered'
  | 'approvals-reset';

const hourMs = 3_600_000;

/**
 * How long the hold after each change lasts: a day, and three after the operator gave an account back to a person, or
 * took its approval policy off.
 */
export function holdDurationMs(cause: HoldCause): number {
  return cause === 'recovered' || cause === 'approvals-reset' ? 72 * hourMs : 24 * hourMs;
}

const causeTexts: Readonly<Record<HoldCause, string>> = {
  'pin-changed': 'o PIN de saque foi alterado',
  'email-changed': 'o e-mail da conta foi alterado',
  'password-reset': 'a senha da conta foi redefinida',
  'factor-reset': 'o segundo fator da conta foi removido pelo suporte',
  'handed-over': 'a conta passou para outra pessoa',
  recovered: 'o acesso de um dono foi recuperado pelo suporte',
  'approvals-reset': 'a política de aprovação da conta foi desligada pelo operador',
};

const personCauseTexts: Readonly<Record<HoldCause, string>> = {
  ...causeTexts,
  'email-changed': 'o seu e-mail foi alterado',
  'password-reset': 'a sua senha foi redefinida',
  'factor-reset': 'o seu segundo fator foi removido pelo suporte',
  recovered: 'o seu acesso foi recuperado pelo suporte',
};

/**
 * A hold in force: of an account, or of what a person asks for. `cause` is undefined if the database holds a cause that
 * this version does not know.
 */
export type Hold = {
  readonly of: 'account' | 'person';
  readonly until: Date;
  readonly cause: HoldCause | undefined;
};

type StoredHold = { readonly held_until: Date | null; readonly held_because: string | null };

/** Returns a stored hold, if it is in force at `now`. */
export function activeHold(of: Hold['of'], stored: StoredHold | undefined, now: Date): Hold | undefined {
  if (stored === undefined || stored.held_until === null || stored.held_until <= now) return undefined;
  const { held_until: until, held_because } = stored;
  return { of, until, cause: held_because !== null && isCause(held_because) ? held_because : undefined };
}

function isCause(text: string): text is HoldCause {
  return Object.hasOwn(causeTexts, text);
}

/** Returns the hold that ends last. */
export function longerHold(left: Hold | undefined, right: Hold | undefined): Hold | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left.until >= right.until ? left : right;
}

/** Finds the hold of what a person asks for; undefined for orders that no person gave in the dashboard. */
export async function findPersonHold(
  db: Db | Tx['db'],
  userId: number | null | undefined,
  now: Date,
): Promise<Hold | undefined> {
  if (userId === null || userId === undefined) return undefined;
  const stored = await db
    .selectFrom('person_holds')
    .select(['held_until', 'held_because'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return activeHold('person', stored, now);
}

/** Returns the refusal of money that would leave, or of a way for it to leave, while a hold is in force. */
export function moneyHeldRefusal({ of, until, cause }: Hold, held = 'os saques estão suspensos'): Refusal {
  const texts = of === 'person' ? personCauseTexts : causeTexts;
  const reason = cause === undefined ? '' : `: ${texts[cause]}`;
  return new Refusal('WITHDRAWALS_HELD', {
    message: `Por segurança, ${held} até ${formatMomentForSentence(until)}${reason}.`,
    details: { until: until.toISOString() },
  });
}

/**
 * Refuses with WITHDRAWALS_HELD what opens a way for money to leave (a new destination, a new key that moves money),
 * while the account or the person is held. `what` begins a sentence, such as "destinos novos estão suspensos".
 */
export async function refuseWhileHeld(
  { db, now }: Pick<Tx, 'db' | 'now'>,
  { merchantId, userId }: { readonly merchantId: number; readonly userId: number },
  what: string,
): Promise<void> {
  const ofAccount = await db
    .selectFrom('withdrawal_controls')
    .select(['held_until', 'held_because'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  const hold = longerHold(activeHold('account', ofAccount, now), await findPersonHold(db, userId, now));
  if (hold !== undefined) throw moneyHeldRefusal(hold, what);
}
