import { readAmount } from '../move-money.ts';
import { SandboxRefusal } from '../refusal.ts';
import type { SandboxRec } from './automatic-records.ts';

/** Reads the payer's maximum in BRL. By BACEN's rule it may not be below the receiver's floor. */
export function readMaximum({ terms }: SandboxRec, maximum: number | undefined): number | undefined {
  if (maximum === undefined) return undefined;
  const maxCents = readAmount(maximum);
  if (terms.fixedCents !== undefined) {
    throw new SandboxRefusal('INVALID_AMOUNT', 'O valor desta autorização é fixo e não tem um máximo.');
  }
  if (terms.floorCents !== undefined && maxCents < terms.floorCents) {
    throw new SandboxRefusal('INVALID_AMOUNT', 'O máximo não pode ser menor que o mínimo de quem recebe.');
  }
  return maxCents;
}
