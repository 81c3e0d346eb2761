import { session } from '../../session/session.ts';
import { keepStored, readStored } from '../../session/storage.ts';
import type { ChosenEvidence } from './evidence.ts';

/** A defence that was begun: its text outlives a reload of the page, its files a walk through other screens. */
export type DefenceDraft = { text: string; evidence: readonly ChosenEvidence[] };

const PREFIX = 'defence:';
const evidences = new Map<string, readonly ChosenEvidence[]>();

export function readDraft(disputeId: string): DefenceDraft {
  return { text: readStored(PREFIX + disputeId, 'tab') ?? '', evidence: evidences.get(disputeId) ?? [] };
}

/** Keeps a draft; an empty one is forgotten. */
export function keepDraft(disputeId: string, { text, evidence }: DefenceDraft): void {
  if (evidence.length === 0) evidences.delete(disputeId);
  else evidences.set(disputeId, evidence);
  keepStored(PREFIX + disputeId, text === '' ? null : text, 'tab');
}

// Whoever signs out leaves nothing written behind; a session that ran out is gone back to.
session.subscribe(({ endedBy }) => {
  if (endedBy !== 'sign-out') return;
  evidences.clear();
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // Nothing was kept.
  }
});
