import { v7 } from 'uuid';

/**
 * Creates an id that begins with its time: a UUID of version 7 (RFC 9562, 5.7), of which 73 bits are random. In the order
 * of their ids, rows stand in the order of their milliseconds.
 */
export function newTimeId(at: Date): string {
  return v7({ msecs: at.getTime() });
}

/** Returns the lowest id of a millisecond: ids from then on are not below it, and earlier ones are. */
export function firstTimeIdAt(at: Date): string {
  const time = Math.max(at.getTime(), 0).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
