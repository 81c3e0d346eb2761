import { pixKeyType } from '@jangada/contract';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { emptyPixKey, type TypedKey } from '../../panel/pix-key/pix-key-fields.tsx';
import { type SessionState, session, useSession } from '../../session/session.ts';
import { readStored, writeStored } from '../../session/storage.ts';

/** The typed fields of a withdrawal; the PIN is never part of the draft. */
export type WithdrawalDraft = { readonly cents: number | null; readonly key: TypedKey };

const STORAGE_KEY = 'withdrawal-draft';
const emptyDraft: WithdrawalDraft = { cents: null, key: emptyPixKey };
const storedDraftSchema = z.object({
  owner: z.string(),
  cents: z.nullable(z.int()),
  key: z.object({ type: pixKeyType, text: z.string() }),
});

/**
 * The withdrawal being typed. If the session ends meanwhile, for example because it expired, the draft is stored in
 * this tab and restored when the same account signs in again. Signing out discards it.
 */
export function useWithdrawalDraft() {
  const owner = useSession(({ user }) => user?.id ?? '');
  const [draft, setDraft] = useState(() => readDraft(owner));
  // The subscription below is made only once, so it reads the latest owner and draft from this ref. When the session
  // ends, `owner` is already empty, so the last signed-in owner is kept.
  const latest = useRef({ owner, draft });
  useEffect(() => {
    if (owner !== '') latest.current = { owner, draft };
  });
  useEffect(() => {
    writeStored(STORAGE_KEY, null, 'tab');
    return session.subscribe(({ endedBy }: SessionState) => {
      const { owner, draft } = latest.current;
      if (endedBy === null || endedBy === 'sign-out') return;
      writeStored(STORAGE_KEY, JSON.stringify({ owner, ...draft }), 'tab');
    });
  }, []);
  return [draft, setDraft] as const;
}

function readDraft(owner: string): WithdrawalDraft {
  try {
    const stored = storedDraftSchema.parse(JSON.parse(readStored(STORAGE_KEY, 'tab') ?? 'null'));
    return stored.owner === owner ? { cents: stored.cents, key: stored.key } : emptyDraft;
  } catch {
    return emptyDraft;
  }
}

// Signing out also removes a draft that an earlier session left in this tab.
session.subscribe(({ endedBy }) => {
  if (endedBy === 'sign-out') writeStored(STORAGE_KEY, null, 'tab');
});
