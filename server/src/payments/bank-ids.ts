import { randomText } from '../random-text.ts';
import { newTimeId } from '../time-id.ts';

/*
 * Our identifiers at the bank. Each begins with the merchant's number, in eight characters of base 36, which routes what
 * the bank tells to its merchant without asking every shard.
 */
const merchantDigits = 8;

function withMerchant(merchantId: number, rest: string): string {
  return merchantId.toString(36).padStart(merchantDigits, '0') + rest;
}

/** The merchant's number at the beginning of an identifier of this length; undefined if we cannot have issued it. */
function merchantOf(text: string, length: number): number | undefined {
  if (text.length !== length || !/^[0-9a-z]{8}[0-9A-Za-z]*$/.test(text)) return undefined;
  const merchantId = Number.parseInt(text.slice(0, merchantDigits), 36);
  return merchantId > 0 ? merchantId : undefined;
}

const idDigits = 22;
const secretDigits = 5;
const txidLength = merchantDigits + idDigits + secretDigits;

/** What a new charge is called: its id, and its txid, the identifier at the bank and in the address of its payment page. */
export type ChargeNames = { readonly id: string; readonly txid: string };

/**
 * Names a new charge. The id begins with the time of creation. The txid is the merchant's number, the id in base 62 and
 * five random characters of its own: 35 in all, of which 102 bits are random, and 29 that the id does not tell.
 */
export function newChargeNames(merchantId: number, createdAt: Date): ChargeNames {
  const id = newTimeId(createdAt);
  return { id, txid: withMerchant(merchantId, toBase62(id) + randomText(secretDigits)) };
}

/** The key of the charge that a txid belongs to, if the whole txid is the charge's. */
export type ChargeKeyOfTxid = { readonly merchantId: number; readonly id: string; readonly txid: string };

/** Reads the charge's key out of a txid; undefined for a txid that we cannot have issued. */
export function chargeKeyOf(txid: string): ChargeKeyOfTxid | undefined {
  const merchantId = merchantOf(txid, txidLength);
  if (merchantId === undefined) return undefined;
  const id = fromBase62(txid.slice(merchantDigits, merchantDigits + idDigits));
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
 * Creates the txid of a counter code (a static, printed QR Code): 25 letters and digits, the maximum of a static
 * code; 17 of them (101 bits) are random.
 */
export function newStaticTxid(merchantId: number): string {
  return withMerchant(merchantId, randomText(staticTxidLength - merchantDigits));
}

/** The merchant's number in a counter code's txid; undefined for a txid that we cannot have issued. */
export function merchantOfStaticTxid(txid: string): number | undefined {
  return merchantOf(txid, staticTxidLength);
}

const idEnvioLength = 32;

/** Creates an idEnvio, a payout's identifier at the bank: 32 letters and digits, of which 24 (142 bits) are random. */
export function newIdEnvio(merchantId: number): string {
  return withMerchant(merchantId, randomText(idEnvioLength - merchantDigits));
}

/** The merchant's number in an idEnvio; undefined for one that we cannot have issued. */
export function merchantOfIdEnvio(idEnvio: string): number | undefined {
  return merchantOf(idEnvio, idEnvioLength);
}
