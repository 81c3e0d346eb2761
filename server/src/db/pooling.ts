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
  const [first, second] = await Promise.all([connectClient(url), connectClient(url)]);
  try {
    // When a connection opens, PostgreSQL sends the process id of the session; a pooler sends a number of its own.
    if ('processID' in first && first.processID === (await sessionOf(first))) return false;
    return await pTimeout(getsOtherSession(first, second), {
      milliseconds: checkTimeoutMs,
      fallback: () => false,
    });
  } finally {
    // Not awaited: a connection that still waits for a session would not end.
    for (const client of [first, second]) client.end().catch(() => {});
  }
}

/**
 * Has each connection open a transaction, which holds a session. Then ends both transactions and returns whether either
 * connection has a different session afterwards.
 */
async function getsOtherSession(first: pg.Client, second: pg.Client): Promise<boolean> {
  await first.query('begin');
  await second.query('begin');
  const [firstSession, secondSession] = [await sessionOf(first), await sessionOf(second)];
  await second.query('rollback');
  await first.query('rollback');
  return (await sessionOf(first)) !== firstSession || (await sessionOf(second)) !== secondSession;
}

async function sessionOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
