import { pixKeyType } from '@jangada/contract';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { noKey, type TypedKey } from '../../panel/pix-key/pix-key-fields.tsx';
import { type SessionState, session, useSession } from '../../session/session.ts';
import { keepStored, readStored } from '../../session/storage.ts';

/** The typed fields of a withdrawal; its PIN is never part of it. */
export type WithdrawalDraft = { readonly cents: number | null; readonly key: TypedKey };

const KEY = 'withdrawal-draft';
const nothing: WithdrawalDraft = { cents: null, key: noKey };
const keptDraft = z.object({
  owner: z.string(),
  cents: z.nullable(z.int()),
  key: z.object({ type: pixKeyType, text: z.string() }),
});

/** The withdrawal being typed. A session that ends meanwhile, but by its own wish, leaves it to whoever signs in again to the same account. */
export function useWithdrawalDraft() {
  const owner = useSession(({ user }) => user?.id ?? '');
  const [draft, setDraft] = useState(() => readDraft(owner));
  const newest = useRef({ owner, draft });
  useEffect(() => {
    if (owner !== '') newest.current = { owner, draft };
  });
  useEffect(() => {
    keepStored(KEY, null, 'tab');
    return session.subscribe(({ endedBy }: SessionState) => {
      const typed = newest.current;
      if (endedBy === null || endedBy === 'sign-out') return;
      keepStored(KEY, JSON.stringify({ owner: typed.owner, ...typed.draft }), 'tab');
    });
  }, []);
  return [draft, setDraft] as const;
}

function readDraft(owner: string): WithdrawalDraft {
  try {
    const kept = keptDraft.parse(JSON.parse(readStored(KEY, 'tab') ?? 'null'));
    return kept.owner === owner ? { cents: kept.cents, key: kept.key } : nothing;
  } catch {
    return nothing;
  }
}

// Whoever signs out leaves nothing written behind.
session.subscribe(({ endedBy }) => {
  if (endedBy === 'sign-out') keepStored(KEY, null, 'tab');
});
