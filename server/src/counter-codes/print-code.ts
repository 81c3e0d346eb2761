import type { Payee } from '@jangada/contract';
import { encodeStaticBrCode } from '@jangada/pix';
import type { Config } from '../config.ts';
import type { StoredCounterCode } from './counter-code.ts';

/**
 * The BR code to print: it pays to the gateway's own key, with a txid that identifies the merchant. It contains the
 * merchant's current name; a code printed under an earlier name still works.
 */
export function printCode(
  { pixKey, merchantCity }: Pick<Config, 'pixKey' | 'merchantCity'>,
  { txid, amountCents }: Pick<StoredCounterCode, 'txid' | 'amountCents'>,
  { name, legalName }: Payee,
): string {
  const merchantName = [name, legalName].find(isPrintable) ?? 'Recebedor';
  return encodeStaticBrCode({
    key: pixKey,
    merchantName,
    // A payer's bank shows the key's owner, who is the operator.
    info: `Pagamento a ${merchantName}`,
    merchantCity,
    amountCents: amountCents ?? undefined,
    txid,
    reusable: true,
  });
}

/** A name may consist of characters that a code cannot contain. */
function isPrintable(name: string): boolean {
  return /[\dA-Za-z]/.test(name.normalize('NFKD'));
}
