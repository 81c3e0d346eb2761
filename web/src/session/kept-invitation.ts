import * as z from 'zod/mini';
import { readStored, writeStored } from './storage.ts';

/** The invitation that the person opened, and accepts once they have signed in or registered. Kept for this tab. */
const STORAGE_KEY = 'invitation';
const invitation = z.object({ token: z.string(), email: z.string() });
type KeptInvitation = z.infer<typeof invitation>;

export function keepInvitation(kept: KeptInvitation): void {
  writeStored(STORAGE_KEY, JSON.stringify(kept), 'tab');
}

export function keptInvitation(): KeptInvitation | undefined {
  try {
    return invitation.safeParse(JSON.parse(readStored(STORAGE_KEY, 'tab') ?? 'null')).data;
  } catch {
    return undefined;
  }
}

export function forgetInvitation(): void {
  writeStored(STORAGE_KEY, null, 'tab');
}
