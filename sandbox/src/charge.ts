import { centsToPixAmount, encodeDynamicBrCode } from '@jangada/pix';
import { type Bank, publicHost } from './bank.ts';
import { formatMoment } from './clock.ts';
import { formatPix } from './pix.ts';
import type { Location, SandboxCharge, Terms } from './records.ts';

/** Whether a charge has expired. The API Pix has no status for expiry, so it is computed from the time. */
export function isExpired(charge: SandboxCharge, now: number): boolean {
  return now >= charge.createdAt + charge.terms.expirySeconds * 1000;
}

/** Returns the URL of a location's payload, without a scheme. That of a charge with a due date has `cobv` in its path. */
export function locationUrl(bank: Bank, { kind, token }: Location): string {
  return `${publicHost(bank.site)}/qr/v2/${kind === 'cobv' ? 'cobv/' : ''}${token}`;
}

/**
 * Returns the "Pix copia e cola" of a charge, in the name of the account's holder; undefined if the charge has no
 * location.
 */
export function chargeBrCode(bank: Bank, charge: SandboxCharge): string | undefined {
  const location = chargeLocation(bank, charge);
  if (location === undefined) return undefined;
  return encodeDynamicBrCode({
    url: locationUrl(bank, location),
    amountCents: charge.terms.amountCents === 0 ? undefined : charge.terms.amountCents,
    merchantName: bank.account.name,
    merchantCity: bank.account.city,
  });
}

/** Formats the current or an earlier revision of a charge as BACEN's CobGerada. */
export function formatCharge(bank: Bank, charge: SandboxCharge, revision = charge.earlier.length): object {
  const terms = charge.earlier[revision] ?? charge.terms;
  const location = chargeLocation(bank, charge);
  return {
    calendario: { criacao: formatMoment(charge.createdAt), expiracao: terms.expirySeconds },
    txid: charge.txid,
    revisao: revision,
    ...(location !== undefined && {
      loc: formatLocation(bank, location),
      location: locationUrl(bank, location),
      pixCopiaECola: chargeBrCode(bank, charge),
    }),
    status: charge.status,
    ...formatTerms(terms),
    chave: charge.key,
  };
}

/** Formats a charge with the Pix that paid it, as BACEN's CobCompleta. */
export function formatCompleteCharge(bank: Bank, charge: SandboxCharge, revision?: number): object {
  const paidBy = bank.books.pixByTxid.get(charge.txid);
  return {
    ...formatCharge(bank, charge, revision),
    ...(paidBy !== undefined && { pix: paidBy.map((pix) => formatPix(bank.books, pix)) }),
  };
}

/** Formats the terms of a charge, which have the same form in a cob and in a payload. */
export function formatTerms(terms: Terms): object {
  return {
    ...(terms.debtor !== undefined && { devedor: terms.debtor }),
    valor: { original: centsToPixAmount(terms.amountCents), modalidadeAlteracao: terms.alterable ? 1 : 0 },
    ...(terms.payerRequest !== undefined && { solicitacaoPagador: terms.payerRequest }),
    ...(terms.additionalInfo !== undefined && { infoAdicionais: terms.additionalInfo }),
  };
}

/** Formats a location as BACEN's PayloadLocationCompleta. */
export function formatLocation(bank: Bank, location: Location): object {
  return {
    id: location.id,
    ...(location.txid !== undefined && { txid: location.txid }),
    location: locationUrl(bank, location),
    tipoCob: location.kind,
    criacao: formatMoment(location.createdAt),
  };
}

/** Returns the location that shows a charge, if one does. */
export function chargeLocation(
  bank: Bank,
  { locationId }: Pick<SandboxCharge, 'locationId'>,
): Location | undefined {
  return locationId === undefined ? undefined : bank.books.locations.get(locationId);
}
