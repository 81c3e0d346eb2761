/** A nonconformity of a BR Code (Pix copia e cola) that our decoder tolerates and our encoders never produce. */
export type BrCodeIssue =
  | 'SURROUNDING_WHITESPACE'
  | 'PAYLOAD_TOO_LONG'
  | 'CRC_LOWERCASE'
  | 'POI_VALUE'
  | 'KEY_SPACE_FOR_AT'
  | 'INFO_NOT_ASCII'
  | 'TEMPLATE_NOT_ASCII'
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

/** The fields that every kind of BR Code has. */
export interface BrCodeFields {
  readonly merchantName: string;
  readonly merchantCity: string;
  /** Integer cents; absent if the payer types the amount. */
  readonly amountCents?: number;
  readonly postalCode?: string;
  /**
   * The reference label (field 05 in 62); absent if it is `***`. In a dynamic code the label is informational: the
   * charge itself gives the txid.
   */
  readonly txid?: string;
  /** `11` if the code is reusable, `12` if it is for a single payment. */
  readonly pointOfInitiation?: '11' | '12';
  readonly issues: readonly BrCodeIssue[];
}

/** A code that pays to a Pix key. */
export interface StaticBrCode extends BrCodeFields {
  readonly kind: 'static';
  /**
   * The key as written in the code, except that the `@` of an old e-mail key is restored. Nothing checks whether the
   * key is in DICT, BACEN's directory of Pix keys.
   */
  readonly key: string;
  /** Free text for the payer. */
  readonly info?: string;
  readonly recurrenceUrl?: string;
}

/** A code that pays a charge, which the payer's bank reads at the location in the code. */
export interface DynamicBrCode extends BrCodeFields {
  readonly kind: 'dynamic';
  /**
   * The location as written in the code, usually without a scheme. Never fetch it from an untrusted code, whose author
   * could make it point at any server, even an internal one.
   */
  readonly url: string;
  readonly recurrenceUrl?: string;
}

/** A code that charges nothing and only asks the payer to authorise a recurrence (Pix Automático). */
export interface RecurrenceBrCode extends BrCodeFields {
  readonly kind: 'recurrence';
  readonly recurrenceUrl: string;
}

export type BrCode = StaticBrCode | DynamicBrCode | RecurrenceBrCode;

/** The identifier (GUI) that marks a template as one of Pix. Decoders ignore upper and lower case in it. */
export const PIX_GUI = 'br.gov.bcb.pix';

/** The limits of the format, in characters. */
export const BR_CODE_LIMITS = { template: 99, url: 77, name: 25, city: 15, payload: 512 } as const;
