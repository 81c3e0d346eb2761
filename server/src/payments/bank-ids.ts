import { MERCHANT_DIGITS, merchantIdFromPrefix, prefixWithMerchant } from '../merchant-prefix.ts';
import { randomText } from '../random-text.ts';
import { newTimeId } from '../time-id.ts';

/** The length of a charge's id, a UUID, in base 62. */
const idDigits = 22;
/** The random characters at the end of a txid. */
const secretDigits = 5;
const txidLength = MERCHANT_DIGITS + idDigits + secretDigits;

/** A new charge's id, and its txid: the identifier used at the bank and in the address of the payment page. */
export type ChargeIds = { readonly id: string; readonly txid: string };

/**
 * Creates the id and the txid of a new charge. The id begins with the time of creation. The txid has 35 characters: the
 * merchant's number, the id in base 62, and five more random characters. Of its 102 random bits, 29 are in those five,
 * so that the txid cannot be derived from the id.
 */
export function newChargeIds(merchantId: number, createdAt: Date): ChargeIds {
  const id = newTimeId(createdAt);
  return { id, txid: newTxid({ merchantId, id }) };
}

/** A txid of a charge: each has other random characters. */
export function newTxid({ merchantId, id }: { readonly merchantId: number; readonly id: string }): string {
  return prefixWithMerchant(merchantId, toBase62(id) + randomText(secretDigits));
}

/**
 * The key of the charge that a txid names. The txid itself has to be compared too, because its last five characters are
 * not part of the key.
 */
export type ChargeKeyOfTxid = { readonly merchantId: number; readonly id: string; readonly txid: string };

/** Decodes the charge's key from a txid; undefined for a txid that we cannot have issued. */
export function chargeKeyOf(txid: string): ChargeKeyOfTxid | undefined {
  const merchantId = merchantIdFromPrefix(txid, txidLength);
  if (merchantId === undefined) return undefined;
  const id = fromBase62(txid.slice(MERCHANT_DIGITS, MERCHANT_DIGITS + idDigits));
  return id === undefined ? undefined : { merchantId, id, txid };
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function toBase62(id: string): string {
  let rest = BigInt(`0x${id.replaceAll('-', '')}`);
  let text = '';
  for (; text.length < idDigits; rest /= 62n) text = base62.charAt(Number(rest % 62n)) + text;
  return text;
}

function fromBase62(text: string): string | undefined {
  let number = 0n;
  for (const character of text) number = number * 62n + BigInt(base62.indexOf(character));
  const hex = number.toString(16).padStart(32, '0');
  // 22 characters can hold a little more than the 128 bits of an id.
  if (hex.length > 32) return undefined;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const staticTxidLength = 25;

/**
 * Creates the txid of a counter code (a static, printed QR Code): 25 letters and digits, the most that a static code
 * allows; 17 of them (101 bits) are random.
 */
export function newStaticTxid(merchantId: number): string {
  return prefixWithMerchant(merchantId, randomText(staticTxidLength - MERCHANT_DIGITS));
}

/** The merchant's number in a counter code's txid; undefined for a txid that we cannot have issued. */
export function merchantIdFromStaticTxid(txid: string): number | undefined {
  return merchantIdFromPrefix(txid, staticTxidLength);
}

const idEnvioLength = 32;

/** Creates an idEnvio, a payout's identifier at the bank: 32 letters and digits, of which 24 (142 bits) are random. */
export function newIdEnvio(merchantId: number): string {
  return prefixWithMerchant(merchantId, randomText(idEnvioLength - MERCHANT_DIGITS));
}

/** The merchant's number in an idEnvio; undefined for one that we cannot have issued. */
export function merchantIdFromIdEnvio(idEnvio: string): number | undefined {
  return merchantIdFromPrefix(idEnvio, idEnvioLength);
}
