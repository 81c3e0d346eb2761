/*
 * Our identifiers at the bank begin with the merchant's number, in eight characters of base 36. So the merchant can be
 * read from the identifier, without a search, even if merchants were spread over several databases.
 */
export const MERCHANT_DIGITS = 8;

export function prefixWithMerchant(merchantId: number, rest: string): string {
  return merchantId.toString(36).padStart(MERCHANT_DIGITS, '0') + rest;
}

/** The merchant's number at the beginning of an identifier of this length; undefined if we cannot have issued it. */
export function merchantIdFromPrefix(text: string, length: number): number | undefined {
  if (text.length !== length || !/^[0-9a-z]{8}[0-9A-Za-z]*$/.test(text)) return undefined;
  const merchantId = Number.parseInt(text.slice(0, MERCHANT_DIGITS), 36);
  return merchantId > 0 ? merchantId : undefined;
}
