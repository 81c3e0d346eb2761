import { type BrCode, decodeBrCode, PixRefusal } from '@jangada/pix';
import { type Bank, publicHost } from './bank.ts';
import { isExpired } from './charge.ts';
import type { SandboxCharge } from './records.ts';
import { SandboxRefusal } from './refusal.ts';

/** The target of a code: a charge of this bank, or the account's key. */
export type Payable =
  | { readonly kind: 'charge'; readonly charge: SandboxCharge }
  | {
      readonly kind: 'key';
      readonly key: string;
      readonly amountCents?: number;
      readonly txid?: string;
      readonly info?: string;
    };

/** Parses a pasted BR Code, without fetching anything. Throws `SandboxRefusal`. */
export function readCode(bank: Bank, text: string): Payable {
  const code = decode(text);
  if (code.kind === 'recurrence') {
    throw new SandboxRefusal(
      'UNSUPPORTED_CODE',
      'Este código autoriza uma recorrência, e este banco ainda não faz isso.',
    );
  }
  if (code.kind === 'dynamic') return { kind: 'charge', charge: findChargeByUrl(bank, code.url) };
  checkKey(bank, code.key);
  return {
    kind: 'key',
    key: code.key,
    ...(code.amountCents !== undefined && code.amountCents > 0 && { amountCents: code.amountCents }),
    ...(code.txid !== undefined && { txid: code.txid }),
    ...(code.info !== undefined && { info: code.info }),
  };
}

/** Refuses a key that is not the account's: the sandbox knows no other account that receives. */
export function checkKey(bank: Bank, key: string): void {
  if (key !== bank.account.key) {
    throw new SandboxRefusal(
      'KEY_NOT_FOUND',
      'A chave Pix não foi encontrada. O Banco Sandbox só conhece as suas próprias contas.',
    );
  }
}

/** Refuses a charge that cannot be paid. */
export function checkPayable(charge: SandboxCharge, now: number): void {
  if (charge.status === 'CONCLUIDA')
    throw new SandboxRefusal('CHARGE_PAID', 'Esta cobrança já foi paga. Nada foi cobrado de novo.');
  if (charge.status !== 'ATIVA')
    throw new SandboxRefusal('CHARGE_REMOVED', 'Esta cobrança foi cancelada por quem recebe.');
  if (isExpired(charge, now))
    throw new SandboxRefusal('CHARGE_EXPIRED', 'Esta cobrança expirou. Peça um código novo.');
}

function decode(text: string): BrCode {
  try {
    return decodeBrCode(text);
  } catch (error) {
    if (!(error instanceof PixRefusal)) throw error;
    const message =
      error.code === 'CRC_MISMATCH'
        ? 'O código está incompleto ou foi alterado. Copie-o de novo, inteiro.'
        : 'Este texto não é um código Pix válido.';
    throw new SandboxRefusal('INVALID_CODE', message);
  }
}

function findChargeByUrl(bank: Bank, url: string): SandboxCharge {
  const [host, ...path] = url.replace(/^https?:\/\//i, '').split('/');
  const token = path[0] === 'qr' && path[1] === 'v2' && path.length === 3 ? path[2] : undefined;
  const location = bank.books.locations.get(bank.books.locationIdByToken.get(token ?? '') ?? -1);
  const charge = bank.books.charges.get(location?.txid ?? '');
  if (charge !== undefined) return charge;
  if (location === undefined && host !== publicHost(bank.site)) {
    throw new SandboxRefusal(
      'FOREIGN_CODE',
      'Este código é de outra instituição. O Banco Sandbox só paga os seus próprios códigos.',
    );
  }
  throw new SandboxRefusal('CHARGE_NOT_FOUND', 'Não há cobrança para este código.');
}
