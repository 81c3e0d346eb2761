import { session } from '../../session/session.ts';
import { readStored, writeStored } from '../../session/storage.ts';
import type { ChosenEvidence } from './evidence.ts';

/**
 * A merchant's defence against a dispute, while it has not been sent yet. Its text survives a reload of the page. Its
 * files are kept only in memory, so they survive visits to other screens, but not a reload.
 */
export type DefenceDraft = { text: string; evidence: readonly ChosenEvidence[] };

/** The text of each draft is stored under this prefix and the id of the dispute, for the life of the browser tab. */
const KEY_PREFIX = 'defence:';
const evidenceByDispute = new Map<string, readonly ChosenEvidence[]>();

/** The draft for a dispute; an empty one if nothing is stored. */
export function readDraft(disputeId: string): DefenceDraft {
  return {
    text: readStored(KEY_PREFIX + disputeId, 'tab') ?? '',
    evidence: evidenceByDispute.get(disputeId) ?? [],
  };
}

/** Stores the draft for a dispute. Storing an empty draft deletes the stored one. */
export function storeDraft(disputeId: string, { text, evidence }: DefenceDraft): void {
  if (evidence.length === 0) evidenceByDispute.delete(disputeId);
  else evidenceByDispute.set(disputeId, evidence);
  writeStored(KEY_PREFIX + disputeId, text === '' ? null : text, 'tab');
}

// Signing out deletes all drafts. When a session ends in another way, the drafts stay, because the same user is
// expected to sign in again.
session.subscribe(({ endedBy }) => {
  if (endedBy !== 'sign-out') return;
  evidenceByDispute.clear();
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(KEY_PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // Storage is unavailable, so there are no stored drafts.
  }
});
