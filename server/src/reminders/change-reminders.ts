import type { ChangedReminders, ReminderSettings } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { initialAuthorizationRequests } from './authorization-mail.ts';
import { initialFailedDebitMails } from './failed-debit-mail.ts';
import { initialReminderTexts } from './reminder-mail.ts';
import { findReminders, type StoredReminders, saveReminders } from './store.ts';

const initialDays = [-3, 0, 3];

/** Reads when and with which words an account reminds its customers; off until its members decide otherwise. */
export async function readReminders({ db }: Pick<Deps, 'db'>, merchantId: number): Promise<ReminderSettings> {
  const stored = await findReminders(db, merchantId);
  return toSettings(
    stored ?? {
      active: false,
      days: initialDays,
      ...initialReminderTexts,
      failedDebits: null,
      authorizationRequests: null,
      version: 0,
    },
  );
}

function toSettings({
  failedDebits,
  authorizationRequests,
  days,
  ...settings
}: StoredReminders): ReminderSettings {
  return {
    ...settings,
    days: [...days],
    failed_debits: failedDebits ?? initialFailedDebitMails,
    authorization_requests: authorizationRequests ?? initialAuthorizationRequests,
  };
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
    const {
      failed_debits: failedDebits = before?.failedDebits ?? null,
      authorization_requests: authorizationRequests = before?.authorizationRequests ?? null,
      ...texts
    } = change;
    const next = { ...texts, days, failedDebits, authorizationRequests, version: change.version + 1 };
    const saved = await saveReminders(tx, accountId, next);
    if (saved === undefined || saved.version !== (before?.version ?? 0) + 1) {
      const message = 'Os lembretes foram alterados enquanto isso. Recarregue e tente de novo.';
      throw new Refusal('STALE_VERSION', { message });
    }
    await insertAuditEntry(tx, {
      actor_id: userId,
      action: 'reminders changed',
      subject_id: accountId,
      reason: null,
      before: auditOf(before),
      after: auditOf(saved),
    });
    return toSettings(saved);
  });
}

function auditOf(settings: StoredReminders | undefined) {
  const { active = false, days = [], failedDebits, authorizationRequests } = settings ?? {};
  return {
    active,
    days,
    failedDebits: failedDebits?.active ?? false,
    warnsOfDebits: failedDebits?.warns ?? false,
    authorizationRequests: authorizationRequests?.active ?? false,
  };
}
