import { session } from '../../session/session.ts';
import { keepStored, readStored } from '../../session/storage.ts';

const KEY = 'unanswered-charge';

/** Keeps, in this tab, that a charge was asked for: a reload may come before its answer. */
export function markChargePending(): void {
  keepStored(KEY, owner(), 'tab');
}

/** It is known what came of it, or somebody went to look. */
export function clearChargePending(): void {
  keepStored(KEY, null, 'tab');
}

/** True when this account requested a charge whose outcome is unknown. */
export function hasPendingCharge(): boolean {
  const kept = readStored(KEY, 'tab');
  return kept !== null && kept === owner();
}

function owner(): string | null {
  return session.getState().user?.id ?? null;
}
