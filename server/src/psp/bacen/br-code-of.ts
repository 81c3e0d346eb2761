import { decodeBrCode, encodeDynamicBrCode, PixRefusal, pixAmountToCents } from '@jangada/pix';
import type { CobPayload } from './payloads.ts';

export type BrCodeReceiver = { readonly name: string; readonly city: string };

/**
 * The code of a charge, or undefined when the bank tells none that asks for this charge: no payer is shown a code that
 * nobody read. A bank may leave pixCopiaECola out: then the code is built from the location.
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
 * Amount and txid need not stand in a code of a location, many banks write only the beginning of the txid, and some tell
 * no location beside the code. None of those that stand there may differ, and one at least has to agree: a code that nothing
 * ties to this charge may be another's.
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

/** Empty where the bank tells none. */
function locationOf({ location, loc }: CobPayload): string {
  return location || loc?.location || '';
}

/** The same for two addresses that lead to one place: a host's letters are all alike, a path's are not. */
function asPlace(url: string): string {
  return withoutScheme(url).replace(/^[^/]*/, (host) => host.toLowerCase());
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, '');
}
