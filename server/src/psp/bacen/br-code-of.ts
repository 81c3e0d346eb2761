import { decodeBrCode, encodeDynamicBrCode, PixRefusal, pixAmountToCents } from '@jangada/pix';
import type { CobPayload } from './payloads.ts';

export type BrCodeReceiver = { readonly name: string; readonly city: string };

/**
 * The BR Code of a charge, or undefined if the bank gives none that demonstrably belongs to it: no payer sees an
 * unchecked code. If the bank omits pixCopiaECola, the code is built from the location.
 */
export function brCodeOf(cob: CobPayload, receiver: BrCodeReceiver): string | undefined {
  try {
    const code = cob.pixCopiaECola?.trim();
    if (!code) return codeFrom(cob, receiver);
    return asksFor(code, cob) ? code : undefined;
  } catch (error) {
    if (error instanceof PixRefusal) return undefined;
    throw error;
  }
}

/**
 * A code with a location may lack amount and txid, many banks include only a prefix of the txid, and some return no
 * location beside the code. Every value present must match the charge, and at least one must be present: a code that
 * nothing ties to this charge may belong to another.
 */
function asksFor(text: string, cob: CobPayload): boolean {
  const code = decodeBrCode(text);
  if (code.kind !== 'dynamic' || code.recurrenceUrl !== undefined) return false;
  const location = locationOf(cob);
  const agreements = [
    location === '' ? undefined : asPlace(code.url) === asPlace(location),
    code.amountCents === undefined ? undefined : code.amountCents === pixAmountToCents(cob.valor.original),
    code.txid === undefined ? undefined : cob.txid.startsWith(code.txid),
  ];
  return agreements.includes(true) && !agreements.includes(false);
}

function codeFrom(cob: CobPayload, { name, city }: BrCodeReceiver): string {
  return encodeDynamicBrCode({
    url: withoutScheme(locationOf(cob)),
    merchantName: name,
    merchantCity: city,
    amountCents: pixAmountToCents(cob.valor.original),
  });
}

/** Empty if the bank returns none. */
function locationOf({ location, loc }: CobPayload): string {
  return location || loc?.location || '';
}

/** Normalises an address for comparison: the scheme is dropped and only the host is case-insensitive. */
function asPlace(url: string): string {
  return withoutScheme(url).replace(/^[^/]*/, (host) => host.toLowerCase());
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, '');
}
