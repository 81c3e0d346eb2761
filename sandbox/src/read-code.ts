import { type BrCode, decodeBrCode, PixRefusal } from '@jangada/pix';
import type { Accounts } from './accounts.ts';
import { type Bank, publicHost } from './bank.ts';
import { dayAt } from './bank-days.ts';
import { isExpired } from './charge.ts';
import { lastPayableDay } from './cobv-amount.ts';
import type { SandboxCharge, SandboxCobv } from './records.ts';
import { SandboxRefusal } from './refusal.ts';

/** The target of a code, with the account that is paid: a charge, or the account's key. */
export type Payable =
  | { readonly kind: 'charge'; readonly bank: Bank; readonly charge: SandboxCharge }
  | { readonly kind: 'cobv'; readonly bank: Bank; readonly charge: SandboxCobv }
  | {
      readonly kind: 'key';
      readonly bank: Bank;
      readonly key: string;
      readonly amountCents?: number;
      readonly txid?: string;
      readonly info?: string;
    };

/** Parses a pasted BR Code, without fetching anything. Throws `SandboxRefusal`. */
export function readCode(accounts: Accounts, text: string): Payable {
  const code = decode(text);
  if (code.kind === 'recurrence') {
    throw new SandboxRefusal(
      'UNSUPPORTED_CODE',
      'Este código só pede uma autorização do Pix Automático: não há nada a pagar.',
    );
  }
  if (code.kind === 'dynamic') return findChargeByUrl(accounts, code.url);
  return {
    kind: 'key',
    bank: findByKey(accounts, code.key),
    key: code.key,
    ...(code.amountCents !== undefined && code.amountCents > 0 && { amountCents: code.amountCents }),
    ...(code.txid !== undefined && { txid: code.txid }),
    ...(code.info !== undefined && { info: code.info }),
  };
}

/** Returns the account that has a key. Refuses a key of no account of this bank: no other bank can be paid. */
export function findByKey(accounts: Accounts, key: string): Bank {
  const bank = accounts.ofKey(key);
  if (bank === undefined) {
    throw new SandboxRefusal(
      'KEY_NOT_FOUND',
      'A chave Pix não foi encontrada. O Banco Sandbox só conhece as suas próprias contas.',
    );
  }
  return bank;
}

/** Refuses a charge that cannot be paid. */
export function checkPayable(payable: Payable, now: number): void {
  if (payable.kind === 'key') return;
  const { charge } = payable;
  if (charge.status === 'CONCLUIDA')
    throw new SandboxRefusal('CHARGE_PAID', 'Esta cobrança já foi paga. Nada foi cobrado de novo.');
  if (charge.status !== 'ATIVA')
    throw new SandboxRefusal('CHARGE_REMOVED', 'Esta cobrança foi cancelada por quem recebe.');
  const isOver =
    payable.kind === 'cobv'
      ? dayAt(now) > lastPayableDay(payable.charge.terms)
      : isExpired(payable.charge, now);
  if (isOver) throw new SandboxRefusal('CHARGE_EXPIRED', 'Esta cobrança expirou. Peça um código novo.');
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

function findChargeByUrl(accounts: Accounts, url: string): Payable {
  const [host, ...path] = url.replace(/^https?:\/\//i, '').split('/');
  const [, kind = 'cob', token = ''] = /^qr\/v2\/(?:(cobv)\/)?([^/]+)$/.exec(path.join('/')) ?? [];
  const bank = findByLocation(accounts, token);
  if (bank !== undefined && kind === 'cobv') {
    const charge = cobvAtLocation(bank, token);
    if (charge !== undefined) return { kind, bank, charge };
  }
  if (bank !== undefined && kind === 'cob') {
    const charge = chargeAtLocation(bank, token);
    if (charge !== undefined) return { kind: 'charge', bank, charge };
  }
  if (bank === undefined && host !== publicHost(accounts.first.site)) {
    throw new SandboxRefusal(
      'FOREIGN_CODE',
      'Este código é de outra instituição. O Banco Sandbox só paga os seus próprios códigos.',
    );
  }
  throw new SandboxRefusal('CHARGE_NOT_FOUND', 'Não há cobrança para este código.');
}

/** Returns the account that has the location with this token. */
export function findByLocation(accounts: Accounts, token: string): Bank | undefined {
  return accounts.all.find(({ books }) => books.locationIdByToken.has(token));
}

/** Returns the charge that an account shows at a location, if it shows one there. */
export function chargeAtLocation(bank: Bank, token: string): SandboxCharge | undefined {
  return bank.books.charges.get(txidAtLocation(bank, token));
}

/** Returns the charge with a due date that an account shows at a location, if it shows one there. */
export function cobvAtLocation(bank: Bank, token: string): SandboxCobv | undefined {
  return bank.books.cobvs.get(txidAtLocation(bank, token));
}

function txidAtLocation({ books }: Bank, token: string): string {
  const location = books.locations.get(books.locationIdByToken.get(token) ?? -1);
  return location?.txid ?? '';
}
