import type { Deps } from '../deps.ts';
import { deleteChallenges, deleteStepUps } from './factor-store.ts';
import { SESSION_IDLE_MS } from './session.ts';
import { ENDED_SESSIONS_CHANNEL } from './sign-out.ts';
import { deleteEndedSessions, deleteThrottles, deleteTickets, pruneKnownDevices } from './store.ts';

const DEVICE_KEPT_MS = 180 * 24 * 3_600_000;

/** Removes expired rows and closes the sockets of expired sessions. Meant to run every minute. */
export async function pruneIdentity({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  await deleteEndedSessions(db, now, before(SESSION_IDLE_MS), ENDED_SESSIONS_CHANNEL);
  await deleteTickets(db, now);
  await deleteChallenges(db, now);
  await deleteStepUps(db, now);
  await deleteThrottles(db, now);
  await pruneKnownDevices(db, before(DEVICE_KEPT_MS));
}
