import {
  type BrCode,
  decodeBrCode,
  encodeDynamicBrCode,
  encodeRecurrenceBrCode,
  PixRefusal,
} from '@jangada/pix';
import type { ChargeInCode } from '../recurring.ts';
import type { RecPayload } from './recurring-payloads.ts';
import { type BrCodePayee, normalizeUrl, withoutScheme } from './verified-br-code.ts';

/**
 * Returns the BR Code by which a payer allows a mandate, and pays the `charge` with it if there is one. Returns undefined
 * if the mandate has no location, or if the bank gives a code that does not carry it: no payer may see an unchecked
 * code. If the bank omits `pixCopiaECola`, the code is built from the locations.
 */
export function readMandateCode(
  { loc, dadosQR }: Pick<RecPayload, 'loc' | 'dadosQR'>,
  payee: BrCodePayee,
  charge: ChargeInCode | undefined,
): string | undefined {
  const location = loc?.location;
  // A location that may not be compared proves nothing.
  if (!location) return undefined;
  try {
    const chargeUrl = charge && readChargeUrl(charge);
    if (charge !== undefined && chargeUrl === undefined) return undefined;
    const text = dadosQR?.pixCopiaECola?.trim();
    if (!text) return buildCode(withoutScheme(location), payee, charge, chargeUrl);
    const code = decodeBrCode(text);
    const isOfMandate =
      code.recurrenceUrl !== undefined && normalizeUrl(code.recurrenceUrl) === normalizeUrl(location);
    return isOfMandate && paysExactly(code, charge, chargeUrl) ? text : undefined;
  } catch (error) {
    if (error instanceof PixRefusal) return undefined;
    throw error;
  }
}

/** The location in the charge's own code, which was verified when the charge was created. */
function readChargeUrl({ brCode }: ChargeInCode): string | undefined {
  const code = decodeBrCode(brCode);
  return code.kind === 'dynamic' ? code.url : undefined;
}

/** Whether a code pays the charge and nothing else, or pays nothing if there is no charge. */
function paysExactly(code: BrCode, charge: ChargeInCode | undefined, chargeUrl: string | undefined): boolean {
  if (charge === undefined || chargeUrl === undefined)
    return code.kind === 'recurrence' && code.amountCents === undefined;
  return (
    code.kind === 'dynamic' &&
    normalizeUrl(code.url) === normalizeUrl(chargeUrl) &&
    (code.amountCents === undefined || code.amountCents === charge.amountCents) &&
    (code.txid === undefined || charge.txid.startsWith(code.txid))
  );
}

function buildCode(
  recurrenceUrl: string,
  { name, city }: BrCodePayee,
  charge: ChargeInCode | undefined,
  chargeUrl: string | undefined,
): string {
  const payee = { merchantName: name, merchantCity: city };
  if (charge === undefined || chargeUrl === undefined)
    return encodeRecurrenceBrCode({ ...payee, recurrenceUrl });
  return encodeDynamicBrCode({
    ...payee,
    url: withoutScheme(chargeUrl),
    amountCents: charge.amountCents,
    recurrenceUrl,
  });
}
