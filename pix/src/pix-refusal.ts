/** The reason why an input was refused. Codes do not change, so callers may base decisions on them. */
export type PixRefusalCode =
  | 'ILL_FORMED_TEXT'
  | 'TLV'
  | 'NESTED_TLV'
  | 'DUPLICATE_ID'
  | 'CRC_MISSING'
  | 'CRC_NOT_LAST'
  | 'CRC_MISMATCH'
  | 'FORMAT_INDICATOR_NOT_FIRST'
  | 'FORMAT_INDICATOR_VALUE'
  | 'NO_PIX_TEMPLATE'
  | 'DUPLICATE_PIX_TEMPLATE'
  | 'NO_KEY_OR_URL'
  | 'KEY_AND_URL'
  | 'MISSING_MCC'
  | 'MISSING_CURRENCY'
  | 'MISSING_COUNTRY'
  | 'MISSING_NAME'
  | 'MISSING_CITY'
  | 'CURRENCY_NOT_986'
  | 'COUNTRY_NOT_BR'
  | 'KEY_FORMAT'
  | 'URL_FORMAT'
  | 'TXID_FORMAT'
  | 'INFO_NO_ROOM'
  | 'POSTAL_CODE_FORMAT'
  | 'EMPTY_TEXT'
  | 'AMOUNT_FORMAT'
  | 'AMOUNT_RANGE'
  | 'CPF_INVALID'
  | 'CNPJ_INVALID'
  | 'EMAIL_INVALID'
  | 'PHONE_INVALID'
  | 'RANDOM_KEY_INVALID'
  | 'END_TO_END_ID_FORMAT'
  | 'RETURN_ID_FORMAT';

/**
 * The only error that this package throws for bad input. The message is safe to log, because it never repeats the
 * input, which may be personal data.
 */
export class PixRefusal extends Error {
  override readonly name = 'PixRefusal';
  readonly code: PixRefusalCode;
  /** The refused part: a BR Code id such as `59` or `26-01`, or an argument's name such as `key`. */
  readonly field?: string;

  constructor(code: PixRefusalCode, message: string, field?: string) {
    super(message);
    this.code = code;
    if (field !== undefined) this.field = field;
  }
}
