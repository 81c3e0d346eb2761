/** The PostgreSQL channel on which messages to open screens are announced. */
export const ANNOUNCEMENTS_CHANNEL = 'jangada_live';

// PostgreSQL refuses NOTIFY payloads of 8000 bytes or more. A row of the outbox must also fit on a page of the table,
// which has 8160 bytes, of which 76 are overhead.
const maxRowBytes = 8000;
/** A row also stores the id of each merchant that it concerns. */
const merchantIdBytes = 8;

/** An announced message to the open screens of a merchant, as JSON on one line. */
export type AnnouncedMessage = { readonly merchantId: number; readonly message: string };

/** The payload of one NOTIFY, and the merchants it concerns. The payload is null if its only message is too long. */
export type NotifyPayload = { readonly payload: string | null; readonly merchantIds: readonly number[] };

/** Packs messages, in their order, into as few payloads as possible. */
export function packMessages(
  messages: readonly { readonly merchantId: number; readonly message: object }[],
): NotifyPayload[] {
  const payloads: NotifyPayload[] = [];
  let lines: string[] = [];
  let merchantIds = new Set<number>();
  let bytes = 0;
  const finishPayload = () => {
    if (lines.length > 0) payloads.push({ payload: lines.join('\n'), merchantIds: [...merchantIds] });
    [lines, merchantIds, bytes] = [[], new Set(), 0];
  };
  for (const { merchantId, message } of messages) {
    const line = `${merchantId} ${JSON.stringify(message)}`;
    const lineBytes = Buffer.byteLength(line) + 1;
    if (lineBytes + merchantIdBytes > maxRowBytes) {
      payloads.push({ payload: null, merchantIds: [merchantId] });
      continue;
    }
    const addedBytes = () => lineBytes + (merchantIds.has(merchantId) ? 0 : merchantIdBytes);
    if (bytes + addedBytes() > maxRowBytes) finishPayload();
    bytes += addedBytes();
    merchantIds.add(merchantId);
    lines.push(line);
  }
  finishPayload();
  return payloads;
}

/**
 * Reads one payload: a line for each message, prefixed with its merchant. The messages are not parsed. A message that
 * was too long is announced as an empty payload.
 */
export function readAnnouncement(payload: string): AnnouncedMessage[] {
  if (payload === '') return [];
  return payload.split('\n').map((line) => {
    const space = line.indexOf(' ');
    const merchantId = Number(line.slice(0, space));
    if (space < 1 || !Number.isSafeInteger(merchantId)) throw new Error('This is not an announcement.');
    return { merchantId, message: line.slice(space + 1) };
  });
}
