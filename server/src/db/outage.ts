import pg from 'pg';

/**
 * Thrown when the database could not be reached, or did not answer. What was sent to it may have been done all the same:
 * the outcome is unknown, never a failure.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

// SQLSTATE classes: connection failure (08), not authorised (28), no such database (3D), insufficient resources (53:
// out of connections, disk or memory), operator intervention (57: shutdown, still starting, time-out), system error (58).
const outageClasses = new Set(['08', '28', '3D', '53', '57', '58']);
const outageCodes = new Set([
  // A standby or a server that was made read-only.
  '25006',
  // Time-outs of a transaction, and of the wait for a lock.
  '25P03',
  '25P04',
  '55P03',
]);

/** Whether an error says that the database is away, read-only, full or too slow, rather than that we asked wrongly. */
export function isDatabaseOutage(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return false;
  return outageClasses.has(error.code.slice(0, 2)) || outageCodes.has(error.code);
}

/** An error of the driver as ours: whatever is not PostgreSQL's own answer says that there was none. */
export function asUnavailable(error: unknown): Error {
  if (error instanceof pg.DatabaseError || error instanceof DatabaseUnavailable) return error;
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return new DatabaseUnavailable(reason, { cause: error });
}
