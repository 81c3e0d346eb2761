import { decodeBrCode, encodeDynamicBrCode, PixRefusal, pixAmountToCents } from '@jangada/pix';
import type { CobPayload } from './payloads.ts';

/** The receiver's name and city, which every BR Code contains. */
export type BrCodePayee = { readonly name: string; readonly city: string };

/**
 * Returns the BR Code of a charge (the text that payers paste or scan). Returns undefined if the bank gives no code, or
 * one that does not provably belong to the charge: no payer may see an unchecked code. If the bank omits
 * `pixCopiaECola`, the code is built from the location, the URL from which the payer's bank reads the charge.
 */
export function readVerifiedBrCode(cob: CobPayload, payee: BrCodePayee): string | undefined {
  try {
    const code = cob.pixCopiaECola?.trim();
    if (!code) return buildCode(cob, payee);
    return belongsTo(code, cob) ? code : undefined;
  } catch (error) {
    if (error instanceof PixRefusal) return undefined;
    throw error;
  }
}

/**
 * Whether a code is for this charge. A code need not contain the amount or the txid, many banks include only a prefix
 * of the txid, and some return no location to compare with. So every value that is present must match the charge, and
 * at least one must be present.
 */
function belongsTo(text: string, cob: CobPayload): boolean {
  const code = decodeBrCode(text);
  if (code.kind !== 'dynamic' || code.recurrenceUrl !== undefined) return false;
  const location = locationOf(cob);
  const matches = [
    location === '' ? undefined : normalizeUrl(code.url) === normalizeUrl(location),
    code.amountCents === undefined ? undefined : code.amountCents === pixAmountToCents(cob.valor.original),
    code.txid === undefined ? undefined : cob.txid.startsWith(code.txid),
  ];
  return matches.includes(true) && !matches.includes(false);
}

function buildCode(cob: CobPayload, { name, city }: BrCodePayee): string {
  return encodeDynamicBrCode({
    url: withoutScheme(locationOf(cob)),
    merchantName: name,
    merchantCity: city,
    amountCents: pixAmountToCents(cob.valor.original),
  });
}

/** Returns the charge's location, or an empty text if the bank gives none. */
function locationOf({ location, loc }: CobPayload): string {
  return location || loc?.location || '';
}

/**
 * Normalises a URL for comparison: the scheme is dropped, and the host, which is case-insensitive, is in lower case.
 */
export function normalizeUrl(url: string): string {
  return withoutScheme(url).replace(/^[^/]*/, (host) => host.toLowerCase());
}

export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, '');
}
