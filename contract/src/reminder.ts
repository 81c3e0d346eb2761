import * as z from 'zod/mini';
import { withoutMisleadingCharacters } from './misleading-characters.ts';

/*
 * A reminder (lembrete) is a mail to a customer about a charge with a due date that is open, on some days before and
 * after that date.
 */

export const REMINDER_LIMITS = {
  days: 5,
  /** The furthest day from the due date, before or after it. */
  maxDistance: 30,
  subjectMaxLength: 120,
  textMaxLength: 2000,
  /** How many reminders an account sends in one day. */
  perDay: 1000,
} as const;

/** What a text may name; each is replaced in the mail. */
export const reminderPlaceholders = {
  nome: 'o nome do cliente',
  valor: 'o valor de hoje',
  vencimento: 'a data do vencimento',
  link: 'o endereço para pagar',
} as const;

const daysRule = `Escolha de 1 a ${REMINDER_LIMITS.days} dias diferentes, de ${REMINDER_LIMITS.maxDistance} antes a ${REMINDER_LIMITS.maxDistance} depois do vencimento.`;
const placeholderRule = 'Entre chaves, o texto aceita só {nome}, {valor}, {vencimento} e {link}.';
const addressRule =
  'O texto não leva endereços de sites nem de e-mail: o endereço para pagar entra com {link}.';

/** A text of the merchant's. It names no addresses, so that nobody sends strangers elsewhere in the gateway's name. */
function reminderText(field: string, maxLength: number) {
  const lengthRule = `${field} tem de 1 a ${maxLength} caracteres.`;
  return z.string({ error: lengthRule }).check(
    z.trim(),
    z.minLength(1, lengthRule),
    z.maxLength(maxLength, lengthRule),
    withoutMisleadingCharacters(),
    z.refine(
      (text) =>
        [...text.matchAll(/\{([^{}]*)\}/g)].every(([, name = '']) =>
          Object.hasOwn(reminderPlaceholders, name),
        ),
      placeholderRule,
    ),
    z.refine(
      (text) => !/:\/\/|\bwww\.|\b[a-z0-9-]+\.(com|br|net|org|io|app|link|me)\b/i.test(text),
      addressRule,
    ),
  );
}

const subjectRule = 'O assunto fica em uma linha.';
const daySchema = z
  .int({ error: daysRule })
  .check(z.minimum(-REMINDER_LIMITS.maxDistance, daysRule), z.maximum(REMINDER_LIMITS.maxDistance, daysRule));

export const changedReminders = z.object({
  /** Whether reminders are sent. */
  active: z.boolean({ error: 'O campo active deve ser true ou false.' }),
  /** Days from the due date: below zero before it, zero on it. */
  days: z.array(daySchema, { error: daysRule }).check(
    z.minLength(1, daysRule),
    z.maxLength(REMINDER_LIMITS.days, daysRule),
    z.refine((days) => new Set(days).size === days.length, daysRule),
  ),
  subject: reminderText('O assunto', REMINDER_LIMITS.subjectMaxLength).check(
    z.regex(/^[^\r\n]*$/, subjectRule),
  ),
  text: reminderText('O texto', REMINDER_LIMITS.textMaxLength),
  /** The version that the caller last read. */
  version: z.int({ error: 'Informe a versão (version) que você leu.' }),
});
export type ChangedReminders = z.infer<typeof changedReminders>;

/** When and with which words an account reminds its customers. */
export const reminderSettings = z.object({
  active: z.boolean(),
  days: z.array(z.int()),
  subject: z.string(),
  text: z.string(),
  /** 0 until the settings are saved for the first time. */
  version: z.int(),
});
export type ReminderSettings = z.infer<typeof reminderSettings>;
