import pg from 'pg';

/**
 * Thrown if the database could not be reached or did not answer. It may have executed the statement nevertheless: the
 * outcome is unknown, and must never be treated as a failure.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

// SQLSTATE classes: connection failure (08), not authorised (28), no such database (3D), insufficient resources (53:
// out of connections, disk or memory), operator intervention (57: shutdown, still starting, time-out), and system error
// (58).
const outageClasses = new Set(['08', '28', '3D', '53', '57', '58']);
const outageCodes = new Set([
  // A write to a standby, or to a server that was made read-only.
  '25006',
  // Time-outs of a transaction, and of the wait for a lock.
  '25P03',
  '25P04',
  '55P03',
]);

/** Whether an error comes from the database (unreachable, read-only, full, too slow) and not from a wrong statement. */
export function isDatabaseOutage(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return false;
  return outageClasses.has(error.code.slice(0, 2)) || outageCodes.has(error.code);
}

/**
 * Converts an error of the driver to DatabaseUnavailable, unless it is PostgreSQL's own answer: any other error means
 * that no answer came.
 */
export function asUnavailable(error: unknown): Error {
  if (error instanceof pg.DatabaseError || error instanceof DatabaseUnavailable) return error;
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return new DatabaseUnavailable(reason, { cause: error });
}
