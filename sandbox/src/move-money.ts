import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Bank } from './bank.ts';
import { movementSchema, type SandboxMovement } from './records.ts';
import { SandboxRefusal } from './refusal.ts';

/** The largest amount that the API Pix can express. */
export const MAX_CENTS = 999_999_999_999;

const requestSchema = z.strictObject({
  kind: movementSchema.shape.kind,
  /** In BRL and positive: `kind` says whether the money enters or leaves. */
  amount: z.number(),
  description: z.string().max(140).optional(),
});

/**
 * Moves money in or out of the account other than by Pix: a bank tariff, or a deposit or withdrawal by the account's
 * holder. Resolves once the movement is on disk. Throws `SandboxRefusal`.
 */
export async function moveMoney(bank: Bank, body: unknown): Promise<SandboxMovement> {
  const { data } = requestSchema.safeParse(body);
  if (data === undefined) throw new SandboxRefusal('INVALID_REQUEST', 'O movimento não pode ser lido.');
  const { kind, amount, description } = data;
  const amountCents = readAmount(amount);
  if (kind !== 'deposit' && amountCents > bank.books.availableCents) {
    throw new SandboxRefusal('INSUFFICIENT_FUNDS', 'A conta não tem este valor livre.');
  }
  const movement: SandboxMovement = {
    id: randomUUID(),
    kind,
    amountCents,
    ...(description !== undefined && { description }),
    at: bank.books.clock.now(),
  };
  await bank.books.record({ t: 'movement', movement });
  return movement;
}

/** Converts a BRL amount with at most two decimals to cents. Throws `SandboxRefusal` INVALID_AMOUNT. */
export function readAmount(amount: number): number {
  const cents = Math.round(amount * 100);
  if (cents < 1 || cents > MAX_CENTS || cents / 100 !== amount) {
    throw new SandboxRefusal('INVALID_AMOUNT', 'O valor não é válido.');
  }
  return cents;
}
