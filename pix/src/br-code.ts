/** A nonconformity that a reader tolerates and our writers never produce. */
export type BrCodeIssue =
  | 'SURROUNDING_WHITESPACE'
  | 'PAYLOAD_TOO_LONG'
  | 'CRC_LOWERCASE'
  | 'POI_VALUE'
  | 'KEY_SPACE_FOR_AT'
  | 'INFO_NOT_ASCII'
  | 'URL_HAS_SCHEME'
  | 'MCC_FORMAT'
  | 'AMOUNT_FORMAT'
  | 'NAME_TOO_LONG'
  | 'NAME_NOT_ASCII'
  | 'CITY_TOO_LONG'
  | 'CITY_NOT_ASCII'
  | 'CEP_FORMAT'
  | 'MISSING_62'
  | 'MISSING_62_05'
  | 'TXID_CHARSET'
  | 'TXID_TOO_LONG';

/** What every kind of code says. */
export interface BrCodeFields {
  readonly merchantName: string;
  readonly merchantCity: string;
  /** Integer cents; absent when the payer types the amount. */
  readonly amountCents?: number;
  readonly postalCode?: string;
  /** The reference label (62-05), absent for `***`. In a dynamic code it is decoration: the charge names its txid. */
  readonly txid?: string;
  /** `11` reusable, `12` use once. */
  readonly pointOfInitiation?: '11' | '12';
  readonly issues: readonly BrCodeIssue[];
}

/** Pays to a key. */
export interface StaticBrCode extends BrCodeFields {
  readonly kind: 'static';
  /** As written in the code, but for the `@` of an old e-mail key; not proven to be a key of DICT. */
  readonly key: string;
  /** Free text for the payer. */
  readonly info?: string;
  readonly recurrenceUrl?: string;
}

/** Pays the charge behind a location. */
export interface DynamicBrCode extends BrCodeFields {
  readonly kind: 'dynamic';
  /** The location as written, usually without scheme. Never fetch it from an untrusted code. */
  readonly url: string;
  readonly recurrenceUrl?: string;
}

/** Asks only to authorise a recurrence (Pix Automático). */
export interface RecurrenceBrCode extends BrCodeFields {
  readonly kind: 'recurrence';
  readonly recurrenceUrl: string;
}

export type BrCode = StaticBrCode | DynamicBrCode | RecurrenceBrCode;

/** The arrangement's name (GUI) in every Pix template; readers ignore its case. */
export const PIX_GUI = 'br.gov.bcb.pix';

/** The limits of the format, in characters. */
export const BR_CODE_LIMITS = { template: 99, url: 77, name: 25, city: 15, payload: 512 } as const;
