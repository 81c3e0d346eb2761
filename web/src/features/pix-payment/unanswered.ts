import { session } from '../../session/session.ts';

const KEY = 'unanswered-charge';

/** Keeps, in this tab, that a charge was asked for: a reload may come before its answer. */
export function noteAsked(): void {
  keep(owner());
}

/** It is known what came of it, or somebody went to look. */
export function noteAnswered(): void {
  keep(null);
}

/** Whether a charge of this account was asked for, and nobody knows what came of it. */
export function wasUnanswered(): boolean {
  try {
    const kept = sessionStorage.getItem(KEY);
    return kept !== null && kept === owner();
  } catch {
    return false;
  }
}

function owner(): string | null {
  return session.getState().user?.id ?? null;
}

function keep(text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, text);
  } catch {
    // Nothing to keep it in.
  }
}
