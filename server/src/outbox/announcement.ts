import { z } from 'zod';

/** PostgreSQL channel of what open screens are to be told. */
export const ANNOUNCEMENTS_CHANNEL = 'jangada_live';

// PostgreSQL refuses a payload of 8000 bytes.
const payloadBytes = 7999;

export type Announced = { readonly merchantId: number; readonly message: { readonly type: string } };

/** Writes messages, in their order, into as few payloads of NOTIFY as hold them; one too long for any is left out. */
export function packAnnouncements(messages: readonly Announced[]): { payloads: string[]; tooLong: number } {
  const payloads: string[] = [];
  let tooLong = 0;
  let parts: string[] = [];
  let bytes = 1;
  for (const { merchantId, message } of messages) {
    const part = JSON.stringify([merchantId, message]);
    const size = Buffer.byteLength(part) + 1;
    if (size + 1 > payloadBytes) {
      tooLong += 1;
      continue;
    }
    if (bytes + size > payloadBytes) {
      payloads.push(`[${parts.join()}]`);
      parts = [];
      bytes = 1;
    }
    parts.push(part);
    bytes += size;
  }
  if (parts.length > 0) payloads.push(`[${parts.join()}]`);
  return { payloads, tooLong };
}

// A newer process may announce types that this one does not know: they are passed on.
const announcement = z.array(z.tuple([z.int(), z.looseObject({ type: z.string() })]));

/** Reads one payload. Throws ZodError or SyntaxError for what is none. */
export function readAnnouncement(payload: string): Announced[] {
  return announcement.parse(JSON.parse(payload)).map(([merchantId, message]) => ({ merchantId, message }));
}
