import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { callerOfSession, findLiveSessions } from './authenticate-session.ts';
import { hashToken, newToken, TICKET_MS } from './session.ts';
import { hasTicket, insertTicket, takeTicket } from './store.ts';

/** Issues a ticket that opens the live channel once within 30 seconds, so that no session token appears in a URL. */
export async function issueLiveTicket(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { sessionHash }: Caller,
): Promise<string> {
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  const ticket = newToken();
  await insertTicket(db, {
    ticket_hash: hashToken(ticket),
    session_hash: sessionHash,
    expires_at: new Date(clock.now().getTime() + TICKET_MS),
  });
  return ticket;
}

/** True for a valid ticket or the token of a live session. Consumes nothing. */
export async function isLiveToken(deps: Pick<Deps, 'db' | 'clock'>, token: string): Promise<boolean> {
  const hash = hashToken(token);
  if (await hasTicket(deps.db, hash)) return true;
  return (await findLiveSessions(deps, [hash])).length > 0;
}

/** Returns the caller behind a ticket, which is consumed, or behind a session token. Refused with UNAUTHENTICATED. */
export async function redeemLiveTicket(deps: Pick<Deps, 'db' | 'clock'>, token: string): Promise<Caller> {
  const hash = hashToken(token);
  const ticket = await takeTicket(deps.db, hash);
  if (ticket === undefined) return callerOfSession(deps, hash);
  if (ticket.expires_at <= deps.clock.now()) throw new Refusal('UNAUTHENTICATED');
  return callerOfSession(deps, ticket.session_hash);
}
