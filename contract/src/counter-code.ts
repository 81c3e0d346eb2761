import * as z from 'zod/mini';
import { brl, chargeBrl } from './money.ts';
import { showsAsWritten } from './shown-text.ts';
import { moment } from './user.ts';

export const COUNTER_CODES = { nameMaxLength: 40 } as const;

/** A code to be printed, which is paid again and again: each Pix that comes with it is a payment. Amounts in BRL. */
export const counterCode = z.object({
  id: z.string(),
  name: z.string(),
  /** Null: who pays types it. */
  amount: z.nullable(brl),
  /** Off: its page says so. What is paid with the printed code is credited all the same. */
  active: z.boolean(),
  /** Pix copia e cola. */
  text: z.string(),
  /** The page to print. */
  print_url: z.string(),
  /** How many payments came with it, and their gross sum: refunds lower neither. */
  payments: z.int(),
  received: brl,
  created_at: moment,
  updated_at: moment,
  /** To be sent back with a change. */
  version: z.int(),
});
export type CounterCode = z.infer<typeof counterCode>;

const fields = {
  name: z
    .string({ error: 'Informe um nome.' })
    .check(
      z.trim(),
      z.minLength(1, 'Informe um nome.'),
      z.maxLength(COUNTER_CODES.nameMaxLength, 'O nome tem no máximo 40 caracteres.'),
      showsAsWritten(),
    ),
};

/** The amount stands in the printed code: another one is another code. */
export const newCounterCode = z.object({ ...fields, amount: z.nullish(chargeBrl) });
export type NewCounterCode = z.infer<typeof newCounterCode>;

export const changedCounterCode = z.object({
  ...fields,
  active: z.boolean({ error: 'O campo active deve ser true ou false.' }),
  /** The version that was seen. */
  version: z.int({ error: 'Informe a versão (version) que você leu.' }),
});
export type ChangedCounterCode = z.infer<typeof changedCounterCode>;
