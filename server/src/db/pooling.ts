// Detects a pooler that may run each transaction of a connection in a different session of the server. The gateway
// relies on its sessions' settings, prepared statements, locks and LISTEN, which such a pooler mixes up or loses.
import pTimeout from 'p-timeout';
import type pg from 'pg';
import { connectClient } from './client.ts';

const checkTimeoutMs = 5000;

/**
 * Whether a connection to this address may get a different session of the server in each transaction. Also false for a
 * pooler with a single session, for which the test cannot tell.
 */
export async function poolsTransactions(url: string): Promise<boolean> {
  const [one, other] = await Promise.all([connectClient(url), connectClient(url)]);
  try {
    // When a connection opens, PostgreSQL sends the process id of the session; a pooler sends a number of its own.
    if ('processID' in one && one.processID === (await sessionOf(one))) return false;
    return await pTimeout(getsOtherSession(one, other), {
      milliseconds: checkTimeoutMs,
      fallback: () => false,
    });
  } finally {
    // Not awaited: a connection that still waits for a session would not end.
    for (const client of [one, other]) client.end().catch(() => {});
  }
}

/** Lets each connection hold a session, releases both, and checks whether either has a different session afterwards. */
async function getsOtherSession(one: pg.Client, other: pg.Client): Promise<boolean> {
  await one.query('begin');
  await other.query('begin');
  const held = [await sessionOf(one), await sessionOf(other)];
  await other.query('rollback');
  await one.query('rollback');
  return (await sessionOf(one)) !== held[0] || (await sessionOf(other)) !== held[1];
}

async function sessionOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
