import { decodeBrCode, encodeDynamicBrCode, PixRefusal, pixAmountToCents } from '@jangada/pix';
import type { CobPayload } from './payloads.ts';

export type Receiver = { readonly name: string; readonly city: string };

/**
 * The code of a charge, or undefined when the bank tells none that asks for this charge: no payer is shown a code that
 * nobody read. A bank may leave pixCopiaECola out: then the code is built from the location.
 */
export function brCodeOf(cob: CobPayload, receiver: Receiver): string | undefined {
  try {
    const code = cob.pixCopiaECola?.trim();
    if (!code) return codeFrom(cob, receiver);
    return asksFor(code, cob) ? code : undefined;
  } catch (error) {
    if (error instanceof PixRefusal) return undefined;
    throw error;
  }
}

/** Amount and txid need not stand in a code of a location, and many banks write only the beginning of the txid. */
function asksFor(text: string, { txid, valor, location }: CobPayload): boolean {
  const code = decodeBrCode(text);
  return (
    code.kind === 'dynamic' &&
    code.recurrenceUrl === undefined &&
    (!location || withoutScheme(code.url) === withoutScheme(location)) &&
    (code.amountCents ?? pixAmountToCents(valor.original)) === pixAmountToCents(valor.original) &&
    txid.startsWith(code.txid ?? '')
  );
}

function codeFrom({ location, valor }: CobPayload, { name, city }: Receiver): string {
  return encodeDynamicBrCode({
    url: withoutScheme(location ?? ''),
    merchantName: name,
    merchantCity: city,
    amountCents: pixAmountToCents(valor.original),
  });
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, '');
}
