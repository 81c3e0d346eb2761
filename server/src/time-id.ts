import { v7 } from 'uuid';

/**
 * Creates an id that begins with its creation time: a UUID of version 7 (RFC 9562, 5.7), of which 73 bits are random.
 * Rows sorted by such ids are sorted by creation time, to the millisecond.
 */
export function newTimeId(at: Date): string {
  return v7({ msecs: at.getTime() });
}

/** Returns the lowest possible id of a millisecond: only ids of earlier milliseconds are below it. */
export function firstTimeIdAt(at: Date): string {
  const time = Math.max(at.getTime(), 0).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
