// Recognizes a pooler that gives each transaction another session of the server. The gateway's sessions have settings,
// prepared statements, locks and LISTEN of their own, which such a pooler mixes up or loses.
import pTimeout from 'p-timeout';
import type pg from 'pg';
import { connectClient } from './client.ts';

const checkTimeoutMs = 5000;

/**
 * Whether connections to this address have another session of the server in each transaction. Unknown, and false, if
 * the pooler has one session only.
 */
export async function changesSessions(url: string): Promise<boolean> {
  const [one, other] = await Promise.all([connectClient(url), connectClient(url)]);
  try {
    // A direct connection knows its session from the server's greeting; a pooler greets with a number of its own.
    if ('processID' in one && one.processID === (await sessionOf(one))) return false;
    return await pTimeout(exchangeSessions(one, other), {
      milliseconds: checkTimeoutMs,
      fallback: () => false,
    });
  } finally {
    // Not awaited, because one that waits for a session would not end.
    for (const client of [one, other]) client.end().catch(() => {});
  }
}

/** Holds a session with each connection, lets go of both, and looks whether one has the other's now. */
async function exchangeSessions(one: pg.Client, other: pg.Client): Promise<boolean> {
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
