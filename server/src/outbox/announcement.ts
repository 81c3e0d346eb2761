/** PostgreSQL channel for messages to open screens. */
export const ANNOUNCEMENTS_CHANNEL = 'jangada_live';

// PostgreSQL refuses a payload of 8000 bytes, and a row that fits no page: 8160 bytes, of which 76 are not contents.
const rowBytes = 8000;
const merchantBytes = 8;

/** A message to the open screens of a merchant, as JSON on one line. */
export type Announced = { readonly merchantId: number; readonly message: string };

/** The payload of one NOTIFY and the merchants it concerns; the payload is null for a message too long for any. */
export type NotifyPayload = { readonly payload: string | null; readonly merchantIds: readonly number[] };

/** Packs messages, in their order, into as few payloads as hold them. */
export function packMessages(
  messages: readonly { readonly merchantId: number; readonly message: object }[],
): NotifyPayload[] {
  const parcels: NotifyPayload[] = [];
  let lines: string[] = [];
  let merchantIds = new Set<number>();
  let bytes = 0;
  const finish = () => {
    if (lines.length > 0) parcels.push({ payload: lines.join('\n'), merchantIds: [...merchantIds] });
    [lines, merchantIds, bytes] = [[], new Set(), 0];
  };
  for (const { merchantId, message } of messages) {
    const line = `${merchantId} ${JSON.stringify(message)}`;
    const size = Buffer.byteLength(line) + 1;
    if (size + merchantBytes > rowBytes) {
      parcels.push({ payload: null, merchantIds: [merchantId] });
      continue;
    }
    if (bytes + size + (merchantIds.has(merchantId) ? 0 : merchantBytes) > rowBytes) finish();
    bytes += size + (merchantIds.has(merchantId) ? 0 : merchantBytes);
    merchantIds.add(merchantId);
    lines.push(line);
  }
  finish();
  return parcels;
}

/** Reads one payload: a line for each message, prefixed with its merchant. The messages are not parsed. */
export function readAnnouncement(payload: string): Announced[] {
  if (payload === '') return [];
  return payload.split('\n').map((line) => {
    const space = line.indexOf(' ');
    const merchantId = Number(line.slice(0, space));
    if (space < 1 || !Number.isSafeInteger(merchantId)) throw new Error('This is not an announcement.');
    return { merchantId, message: line.slice(space + 1) };
  });
}
