import { session } from '../../session/session.ts';
import { readStored, writeStored } from '../../session/storage.ts';
import type { ChosenEvidence } from './evidence.ts';

/** An unsent defence. Its text survives a reload of the page; its files survive only visits to other screens. */
export type DefenceDraft = { text: string; evidence: readonly ChosenEvidence[] };

const PREFIX = 'defence:';
const evidenceByDispute = new Map<string, readonly ChosenEvidence[]>();

export function readDraft(disputeId: string): DefenceDraft {
  return {
    text: readStored(PREFIX + disputeId, 'tab') ?? '',
    evidence: evidenceByDispute.get(disputeId) ?? [],
  };
}

/** Stores a draft; an empty one is deleted. */
export function storeDraft(disputeId: string, { text, evidence }: DefenceDraft): void {
  if (evidence.length === 0) evidenceByDispute.delete(disputeId);
  else evidenceByDispute.set(disputeId, evidence);
  writeStored(PREFIX + disputeId, text === '' ? null : text, 'tab');
}

// Signing out deletes all drafts. A session that expired keeps them, because its user signs in again.
session.subscribe(({ endedBy }) => {
  if (endedBy !== 'sign-out') return;
  evidenceByDispute.clear();
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // Storage is unavailable, so there are no stored drafts.
  }
});
