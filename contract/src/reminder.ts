import * as z from 'zod/mini';
import { withoutMisleadingCharacters } from './misleading-characters.ts';

/*
 * A reminder (lembrete) is a mail to a customer about a charge with a due date that is open, on some days before and
 * after that date; or about a subscription, whose debits failed or are to be authorised.
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
const addressRule =
  'O texto não leva endereços de sites nem de e-mail: o endereço para pagar entra com {link}.';

/** The placeholders of a text about a subscription. */
const subscriptionPlaceholders = { ...reminderPlaceholders, assinatura: 'o que se paga' } as const;

/** The placeholders of a warning, which may name the next try. */
const tryPlaceholders = { ...subscriptionPlaceholders, tentativa: 'o dia da próxima tentativa' } as const;

/**
 * What mail programs show as a link: `://`, or a dot between two words. Each part has a fixed length, because a text that
 * is too long is checked too, and must not take longer than in proportion to its length.
 */
const address =
  /:\/\/|[a-z0-9-][.。．｡](com|br|net|org|io|app|link|me|co)\b|[\p{L}\p{N}-]{2}[.。．｡]\p{L}{2}/iu;

/** A text of the merchant's. It names no addresses, so that nobody sends strangers elsewhere in the gateway's name. */
function reminderText(field: string, maxLength: number, placeholders: Readonly<Record<string, string>>) {
  const placeholderRule = `Entre chaves, o texto aceita só ${Object.keys(placeholders)
    .map((name) => `{${name}}`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' e ')}.`;
  const lengthRule = `${field} tem de 1 a ${maxLength} caracteres.`;
  return z.string({ error: lengthRule }).check(
    z.trim(),
    z.minLength(1, lengthRule),
    z.maxLength(maxLength, lengthRule),
    withoutMisleadingCharacters(),
    z.refine(
      (text) =>
        [...text.matchAll(/\{([^{}]*)\}/g)].every(([, name = '']) => Object.hasOwn(placeholders, name)),
      placeholderRule,
    ),
    z.refine((text) => !address.test(text), addressRule),
  );
}

const subjectRule = 'O assunto fica em uma linha.';
const daySchema = z
  .int({ error: daysRule })
  .check(z.minimum(-REMINDER_LIMITS.maxDistance, daysRule), z.maximum(REMINDER_LIMITS.maxDistance, daysRule));

const oneLine = z.regex(/^[^\r\n]*$/, subjectRule);
const subjectNaming = (placeholders: Readonly<Record<string, string>>) =>
  reminderText('O assunto', REMINDER_LIMITS.subjectMaxLength, placeholders).check(oneLine);
const textNaming = (placeholders: Readonly<Record<string, string>>) =>
  reminderText('O texto', REMINDER_LIMITS.textMaxLength, placeholders);

/** The mails about debits of subscriptions that failed. */
const changedFailedDebits = z.object({
  /** Whether a customer gets a charge by mail when a debit was not made and no try follows. */
  active: z.boolean({ error: 'O campo active deve ser true ou false.' }),
  subject: subjectNaming(subscriptionPlaceholders),
  text: textNaming(subscriptionPlaceholders),
  /** Whether a customer is also told when a debit failed the first time and the bank tries again. */
  warns: z.boolean({ error: 'O campo warns deve ser true ou false.' }),
  warning_subject: subjectNaming(tryPlaceholders),
  warning_text: textNaming(tryPlaceholders),
});

/** The mails that ask customers to authorise the debits of their subscriptions. */
const changedAuthorizationRequests = z.object({
  active: z.boolean({ error: 'O campo active deve ser true ou false.' }),
  subject: subjectNaming(subscriptionPlaceholders),
  text: textNaming(subscriptionPlaceholders),
});

export const changedReminders = z.object({
  /** Whether reminders are sent. */
  active: z.boolean({ error: 'O campo active deve ser true ou false.' }),
  /** Days from the due date: below zero before it, zero on it. */
  days: z.array(daySchema, { error: daysRule }).check(
    z.minLength(1, daysRule),
    z.maxLength(REMINDER_LIMITS.days, daysRule),
    z.refine((days) => new Set(days).size === days.length, daysRule),
  ),
  subject: subjectNaming(reminderPlaceholders),
  text: textNaming(reminderPlaceholders),
  /** Left as it is if absent. */
  failed_debits: z.optional(changedFailedDebits),
  /** Left as it is if absent. */
  authorization_requests: z.optional(changedAuthorizationRequests),
  /** The version that the caller last read. */
  version: z.int({ error: 'Informe a versão (version) que você leu.' }),
});
export type ChangedReminders = z.infer<typeof changedReminders>;

const failedDebits = z.object({
  active: z.boolean(),
  subject: z.string(),
  text: z.string(),
  warns: z.boolean(),
  warning_subject: z.string(),
  warning_text: z.string(),
});
export type FailedDebitMails = z.infer<typeof failedDebits>;

const authorizationRequests = z.object({ active: z.boolean(), subject: z.string(), text: z.string() });
export type AuthorizationRequestMails = z.infer<typeof authorizationRequests>;

/** When and with which words an account reminds its customers. */
export const reminderSettings = z.object({
  active: z.boolean(),
  days: z.array(z.int()),
  subject: z.string(),
  text: z.string(),
  failed_debits: failedDebits,
  authorization_requests: authorizationRequests,
  /** 0 until the settings are saved for the first time. */
  version: z.int(),
});
export type ReminderSettings = z.infer<typeof reminderSettings>;
