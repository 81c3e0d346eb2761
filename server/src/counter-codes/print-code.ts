import type { Payee } from '@jangada/contract';
import { encodeStaticBrCode } from '@jangada/pix';
import type { Config } from '../config.ts';
import type { StoredCounterCode } from './counter-code.ts';

/**
 * The BR code to be printed: it leads to the gateway's own key, by a txid that leads to the merchant. It says what the
 * merchant is called now; one that was printed under another name pays the same.
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
    // A payer's bank names the holder of the key, who is the operator.
    info: `Pagamento a ${merchantName}`,
    merchantCity,
    amountCents: amountCents ?? undefined,
    txid,
    reusable: true,
  });
}

/** Names may be of letters that a code cannot hold. */
function isPrintable(name: string): boolean {
  return /[\dA-Za-z]/.test(name.normalize('NFKD'));
}
