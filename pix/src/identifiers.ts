import { PixRefusal } from './pix-refusal.ts';

/**
 * The parts of an EndToEndId, which identifies one Pix nationwide, or of a return id, which identifies one return of a
 * Pix.
 */
export interface PixIdParts {
  /** The institution that created the id, by its number in Pix: eight digits or upper-case letters. */
  readonly ispb: string;
  /** The minute (UTC) that the id contains. It may be hours away from the settlement of the Pix. */
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

/** Whether a text has the form of a recurrence id: `RR` or `RN`, ISPB, day, and 11 letters and digits. */
export function isRecurrenceId(text: string): boolean {
  return /^R[RN][\dA-Z]{8}\d{8}[\dA-Za-z]{11}$/.test(text);
}

function readPixId(text: string, prefix: 'E' | 'D'): PixIdParts | undefined {
  const match = text.startsWith(prefix) ? PIX_ID.exec(text) : null;
  if (match === null) return undefined;
  const [, ispb = '', year, month, day, hour, minute, suffix = ''] = match;
  const minuteText = `${year}-${month}-${day}T${hour}:${minute}`;
  const at = new Date(`${minuteText}Z`);
  // The date parser accepts 30 February and 24:00, and moves them to the following day.
  const isRealMinute = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(minuteText);
  return isRealMinute ? { ispb, at, suffix } : undefined;
}

/** Composes an id. Returns undefined if the id would be invalid. */
function writePixId(prefix: 'E' | 'D', { ispb, at, suffix }: PixIdParts): string | undefined {
  const year = at.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) return undefined;
  const id = prefix + ispb + at.toISOString().slice(0, 16).replace(/[-T:]/g, '') + suffix;
  return PIX_ID.test(id) ? id : undefined;
}

/**
 * Whether a text has the form of an EndToEndId. Apply this check only to ids of our own: banks send ids of other forms,
 * which even occur in BACEN's examples, so an id from a bank must be treated as opaque.
 */
export function isEndToEndId(text: string): boolean {
  return readPixId(text, 'E') !== undefined;
}

/** Whether a text has the form of a return id (rtrId). */
export function isReturnId(text: string): boolean {
  return readPixId(text, 'D') !== undefined;
}

/** Parses an EndToEndId. Throws `PixRefusal` END_TO_END_ID_FORMAT. */
export function parseEndToEndId(text: string): PixIdParts {
  const parts = readPixId(text, 'E');
  if (parts === undefined) throw new PixRefusal('END_TO_END_ID_FORMAT', 'Not an EndToEndId');
  return parts;
}

/** Composes an EndToEndId of 32 characters: `E`, ISPB, UTC minute, suffix. Throws `PixRefusal` END_TO_END_ID_FORMAT. */
export function formatEndToEndId(parts: PixIdParts): string {
  const id = writePixId('E', parts);
  if (id === undefined) throw new PixRefusal('END_TO_END_ID_FORMAT', 'These parts make no EndToEndId');
  return id;
}

/** Composes a return id of 32 characters: `D`, ISPB, UTC minute, suffix. Throws `PixRefusal` RETURN_ID_FORMAT. */
export function formatReturnId(parts: PixIdParts): string {
  const id = writePixId('D', parts);
  if (id === undefined) throw new PixRefusal('RETURN_ID_FORMAT', 'These parts make no return id');
  return id;
}
