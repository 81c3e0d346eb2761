import { centsToPixAmount } from './amount.ts';
import { BR_CODE_LIMITS, PIX_GUI } from './br-code.ts';
import { crc16 } from './crc16.ts';
import { foldToAscii } from './fold-to-ascii.ts';
import { isStaticTxid } from './identifiers.ts';
import { isCanonicalPixKey } from './pix-key.ts';
import { PixRefusal } from './pix-refusal.ts';
import { writeTlv } from './tlv.ts';

/** The fields of the payee, common to every kind of code. */
interface Merchant {
  /** Folded to ASCII and cut to 25 characters. */
  readonly merchantName: string;
  /** Folded to ASCII and cut to 15 characters. */
  readonly merchantCity: string;
  /** Eight digits, with or without the hyphen. */
  readonly postalCode?: string | undefined;
}

export interface StaticBrCodeInput extends Merchant {
  /** The key in the form in which DICT, BACEN's directory of Pix keys, stores it. `parsePixKey` returns this form. */
  readonly key: string;
  /** Integer cents, at least 1; without it the payer types the amount. */
  readonly amountCents?: number | undefined;
  /** 1 to 25 letters and digits. */
  readonly txid?: string | undefined;
  /** Free text for the payer, folded to ASCII and cut to the space that the key leaves. */
  readonly info?: string | undefined;
  /** Adds field 01 to state that the code may be paid many times. Without it, a static code is reusable anyway. */
  readonly reusable?: boolean | undefined;
}

export interface DynamicBrCodeInput extends Merchant {
  /** The location of the charge: host and path without scheme, at most 77 characters. */
  readonly url: string;
  /** Integer cents, at least 1. The payer pays the amount of the charge, even if it differs from this one. */
  readonly amountCents?: number | undefined;
  /** The location of a recurrence that the payer may authorise at the same time (Pix Automático). */
  readonly recurrenceUrl?: string | undefined;
  /** Omits field 01, which would say that the code is for a single payment. */
  readonly reusable?: boolean | undefined;
}

export interface RecurrenceBrCodeInput extends Merchant {
  /** The location of the recurrence: host and path without scheme, at most 77 characters. */
  readonly recurrenceUrl: string;
}

/** Encodes a code that pays to a key. Throws `PixRefusal`, rather than truncate a key or txid. */
export function encodeStaticBrCode(input: StaticBrCodeInput): string {
  if (!isCanonicalPixKey(input.key)) {
    throw new PixRefusal('KEY_FORMAT', 'The key is not in the canonical form of DICT', 'key');
  }
  if (input.txid !== undefined && !isStaticTxid(input.txid)) {
    throw new PixRefusal('TXID_FORMAT', 'A static txid is 1 to 25 letters and digits', 'txid');
  }
  const account = pixTemplate('26', writeTlv('01', input.key) + encodeInfo(input));
  return assemble({ ...input, account, pointOfInitiation: input.reusable ? '11' : undefined });
}

/** Encodes a code that pays the charge at a location. Throws `PixRefusal`, rather than truncate a location. */
export function encodeDynamicBrCode(input: DynamicBrCodeInput): string {
  return assemble({
    ...input,
    txid: undefined,
    account: pixTemplate('26', encodeLocation(input.url, 'url')),
    pointOfInitiation: input.reusable ? undefined : '12',
  });
}

/** Encodes a code that only asks to authorise a recurrence (Pix Automático, journey 2). Throws `PixRefusal`. */
export function encodeRecurrenceBrCode(input: RecurrenceBrCodeInput): string {
  return assemble({
    ...input,
    amountCents: undefined,
    txid: undefined,
    account: pixTemplate('26', ''),
    pointOfInitiation: undefined,
  });
}

interface CodeParts extends Merchant {
  /** The encoded Pix template. */
  readonly account: string;
  /** The location of the recurrence. */
  readonly recurrenceUrl?: string | undefined;
  readonly pointOfInitiation: '11' | '12' | undefined;
  readonly amountCents?: number | undefined;
  readonly txid?: string | undefined;
}

/**
 * Composes a code from the fields of EMV QRCPS-MPM: 00 format, 01 point of initiation, 26 Pix account, 52 merchant
 * category (0000: not stated), 53 currency (986: the real), 54 amount, 58 country, 59 name, 60 city, 61 postal code,
 * 62 reference (***: none), 80 recurrence, 63 CRC.
 */
function assemble(parts: CodeParts): string {
  const payload = [
    writeTlv('00', '01'),
    encodeOptional('01', parts.pointOfInitiation),
    parts.account,
    writeTlv('52', '0000'),
    writeTlv('53', '986'),
    encodeOptional('54', encodeAmount(parts.amountCents)),
    writeTlv('58', 'BR'),
    writeTlv('59', foldToAscii(parts.merchantName, BR_CODE_LIMITS.name, 'merchantName')),
    writeTlv('60', foldToAscii(parts.merchantCity, BR_CODE_LIMITS.city, 'merchantCity')),
    encodeOptional('61', encodePostalCode(parts.postalCode)),
    writeTlv('62', writeTlv('05', parts.txid ?? '***')),
    parts.recurrenceUrl === undefined
      ? ''
      : pixTemplate('80', encodeLocation(parts.recurrenceUrl, 'recurrenceUrl')),
    '6304',
  ].join('');
  return payload + crc16(payload);
}

function pixTemplate(id: string, content: string): string {
  return writeTlv(id, writeTlv('00', PIX_GUI) + content);
}

function encodeOptional(id: string, value: string | undefined): string {
  return value === undefined ? '' : writeTlv(id, value);
}

function encodeInfo({ key, info }: StaticBrCodeInput): string {
  if (info === undefined) return '';
  const usedLength = writeTlv('00', PIX_GUI).length + writeTlv('01', key).length + '0200'.length;
  const freeLength = BR_CODE_LIMITS.template - usedLength;
  if (freeLength < 1) throw new PixRefusal('INFO_NO_ROOM', 'The key leaves no room for the text', 'info');
  return writeTlv('02', foldToAscii(info, freeLength, 'info'));
}

function encodeLocation(url: string, field: string): string {
  if (url.length > BR_CODE_LIMITS.url || !/^[\dA-Za-z.-]+(?::\d{1,5})?\/[\x21-\x7e]+$/.test(url)) {
    throw new PixRefusal('URL_FORMAT', 'A location is host/path, without scheme, up to 77 characters', field);
  }
  return writeTlv('25', url);
}

function encodeAmount(cents: number | undefined): string | undefined {
  if (cents === 0) throw new PixRefusal('AMOUNT_RANGE', 'A code does not ask for zero', 'amountCents');
  return cents === undefined ? undefined : centsToPixAmount(cents);
}

function encodePostalCode(postalCode: string | undefined): string | undefined {
  if (postalCode !== undefined && !/^\d{5}-?\d{3}$/.test(postalCode)) {
    throw new PixRefusal('POSTAL_CODE_FORMAT', 'A CEP has eight digits', 'postalCode');
  }
  return postalCode?.replace('-', '');
}
