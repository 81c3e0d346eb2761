import { PixRefusal } from './pix-refusal.ts';

/**
 * The parts of an EndToEndId, which identifies one Pix nationwide, or of a return id, which identifies one return of a
 * Pix.
 */
export interface PixIdParts {
  /** The institution that created the id, by its number in Pix: eight digits or upper-case letters. */
  readonly ispb: string;
  /** The minute in UTC that the id states. It may be hours away from the settlement. */
  readonly at: Date;
  /** Eleven ASCII letters and digits. */
  readonly suffix: string;
}

const PIX_ID = /^[ED]([\dA-Z]{8})(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})([\dA-Za-z]{11})$/;

/** Whether a text is a valid txid of a charge (cob, cobv, cobr): 26 to 35 letters and digits. */
export function isChargeTxid(text: string): boolean {
  return /^[\dA-Za-z]{26,35}$/.test(text);
}

/** Whether a text is a valid txid of any received Pix: 1 to 35 letters and digits. */
export function isTxid(text: string): boolean {
  return /^[\dA-Za-z]{1,35}$/.test(text);
}

/** Whether a text is a valid txid of a static BR Code: 1 to 25 letters and digits. */
export function isStaticTxid(text: string): boolean {
  return /^[\dA-Za-z]{1,25}$/.test(text);
}

/**
 * Whether a text follows the formation rule of a recurrence id (`RR` or `RN`, ISPB, day, 11 letters and digits).
 */
export function isRecurrenceId(text: string): boolean {
  return /^R[RN][\dA-Z]{8}\d{8}[\dA-Za-z]{11}$/.test(text);
}

function readPixId(text: string, prefix: 'E' | 'D'): PixIdParts | undefined {
  const match = text.startsWith(prefix) ? PIX_ID.exec(text) : null;
  if (match === null) return undefined;
  const [, ispb = '', year, month, day, hour, minute, suffix = ''] = match;
  const minuteText = `${year}-${month}-${day}T${hour}:${minute}`;
  const at = new Date(`${minuteText}Z`);
  // The date parser reads 30 February or 24:00 as a moment of another day.
  const isRealMinute = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(minuteText);
  return isRealMinute ? { ispb, at, suffix } : undefined;
}

/** Returns undefined if the parts make no valid id. */
function writePixId(prefix: 'E' | 'D', { ispb, at, suffix }: PixIdParts): string | undefined {
  const year = at.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) return undefined;
  const id = prefix + ispb + at.toISOString().slice(0, 16).replace(/[-T:]/g, '') + suffix;
  return PIX_ID.test(id) ? id : undefined;
}

/**
 * Whether a text follows the formation rule of an EndToEndId. Banks also send ids that break the rule, and so do
 * BACEN's examples: treat a bank's ids as opaque keys, and use this function only for our own ids.
 */
export function isEndToEndId(text: string): boolean {
  return readPixId(text, 'E') !== undefined;
}

/** Whether a text follows the formation rule of a return id (rtrId). */
export function isReturnId(text: string): boolean {
  return readPixId(text, 'D') !== undefined;
}

/** Parses an EndToEndId. Throws `PixRefusal` END_TO_END_ID_FORMAT. */
export function parseEndToEndId(text: string): PixIdParts {
  const parts = readPixId(text, 'E');
  if (parts === undefined) throw new PixRefusal('END_TO_END_ID_FORMAT', 'Not an EndToEndId');
  return parts;
}

/** Writes an EndToEndId: `E`, ISPB, UTC minute and suffix, 32 characters. Throws `PixRefusal` END_TO_END_ID_FORMAT. */
export function formatEndToEndId(parts: PixIdParts): string {
  const id = writePixId('E', parts);
  if (id === undefined) throw new PixRefusal('END_TO_END_ID_FORMAT', 'These parts make no EndToEndId');
  return id;
}

/** Writes a return id: `D`, ISPB, UTC minute and suffix, 32 characters. Throws `PixRefusal` RETURN_ID_FORMAT. */
export function formatReturnId(parts: PixIdParts): string {
  const id = writePixId('D', parts);
  if (id === undefined) throw new PixRefusal('RETURN_ID_FORMAT', 'These parts make no return id');
  return id;
}
