import * as z from 'zod/mini';
import { withoutMisleadingCharacters } from './misleading-characters.ts';
import { brl, chargeBrl } from './money.ts';
import { moment } from './user.ts';

export const COUNTER_CODE_LIMITS = { nameMaxLength: 40 } as const;

/** A printed code that can be paid repeatedly: each Pix that arrives through it is a payment. Amounts in BRL. */
export const counterCode = z.object({
  id: z.string(),
  name: z.string(),
  /** Null if the payer chooses the amount. */
  amount: z.nullable(brl),
  /**
   * Whether the owner has the code in use. If false, the page of the code says so, but payments with a printed copy are
   * still credited.
   */
  active: z.boolean(),
  /** The code that a payer pastes or scans (Pix copia e cola). */
  text: z.string(),
  /** The page to print. */
  print_url: z.string(),
  /** The number of payments through this code, refunded ones included. */
  payments: z.int(),
  /** The gross sum of those payments. Refunds do not reduce it. */
  received: brl,
  created_at: moment,
  updated_at: moment,
  /** A change must name the version that its author read, and is refused if another change came first. */
  version: z.int(),
});
export type CounterCode = z.infer<typeof counterCode>;

const sharedFields = z.object({
  name: z
    .string({ error: 'Informe um nome.' })
    .check(
      z.trim(),
      z.minLength(1, 'Informe um nome.'),
      z.maxLength(COUNTER_CODE_LIMITS.nameMaxLength, 'O nome tem no máximo 40 caracteres.'),
      withoutMisleadingCharacters(),
    ),
});

/** The amount is part of the printed code and cannot be changed later: another amount needs another code. */
export const newCounterCode = z.extend(sharedFields, { amount: z.nullish(chargeBrl) });
export type NewCounterCode = z.infer<typeof newCounterCode>;

export const changedCounterCode = z.extend(sharedFields, {
  active: z.boolean({ error: 'O campo active deve ser true ou false.' }),
  /** The version that the caller last read. */
  version: z.int({ error: 'Informe a versão (version) que você leu.' }),
});
export type ChangedCounterCode = z.infer<typeof changedCounterCode>;
