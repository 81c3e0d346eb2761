import type { ChangedReminders, ReminderSettings } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { initialReminderTexts } from './reminder-mail.ts';
import { findReminders, saveReminders } from './store.ts';

const initialDays = [-3, 0, 3];

/** Reads when and with which words an account reminds its customers; off until its members decide otherwise. */
export async function readReminders({ db }: Pick<Deps, 'db'>, merchantId: number): Promise<ReminderSettings> {
  const stored = await findReminders(db, merchantId);
  if (stored === undefined) return { active: false, days: initialDays, ...initialReminderTexts, version: 0 };
  return { ...stored, days: [...stored.days] };
}

/** Replaces the settings of an account. Refused with STALE_VERSION if the caller saw another version. */
export async function changeReminders(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  { accountId, userId }: Caller,
  change: ChangedReminders,
): Promise<ReminderSettings> {
  return inTransaction(deps, async (tx) => {
    const before = await findReminders(tx.db, accountId);
    const days = change.days.toSorted((left, right) => left - right);
    const saved = await saveReminders(tx, accountId, { ...change, days, version: change.version + 1 });
    if (saved === undefined || saved.version !== (before?.version ?? 0) + 1) {
      const message = 'Os lembretes foram alterados enquanto isso. Recarregue e tente de novo.';
      throw new Refusal('STALE_VERSION', { message });
    }
    await insertAuditEntry(tx, {
      actor_id: userId,
      action: 'reminders changed',
      subject_id: accountId,
      reason: null,
      before: { active: before?.active ?? false, days: before?.days ?? [] },
      after: { active: saved.active, days: saved.days },
    });
    return { ...saved, days: [...saved.days] };
  });
}
