import type { FailedDebitMails } from '@jangada/contract';
import { composeReminder, type ReminderFacts, withoutAddresses } from './reminder-mail.ts';

/** The mails with which every account begins. */
export const initialFailedDebitMails: FailedDebitMails = {
  active: false,
  subject: 'Não conseguimos debitar {valor} de {assinatura}',
  text: [
    'Olá, {nome}!',
    'O débito de {valor} de {assinatura}, de {vencimento}, não foi feito pelo seu banco. Para pagar com Pix:',
    '{link}',
    'Se você já pagou, desconsidere esta mensagem.',
  ].join('\n\n'),
  warns: false,
  warning_subject: 'O banco vai tentar de novo debitar {valor} de {assinatura}',
  warning_text: [
    'Olá, {nome}!',
    'O débito de {valor} de {assinatura}, de {vencimento}, ainda não foi feito. O banco tenta de novo em {tentativa}: deixe saldo na conta até lá. Como está:',
    '{link}',
  ].join('\n\n'),
};

/** The mail about a debit that failed. `nextTryDay`: of a warning, because the bank tries again. */
export function composeFailedDebit(
  { subject, text, warning_subject, warning_text }: FailedDebitMails,
  facts: ReminderFacts & { readonly description: string },
  nextTryDay?: string,
) {
  const assinatura = withoutAddresses(facts.description);
  if (nextTryDay === undefined) return composeReminder({ subject, text }, facts, { assinatura });
  const tentativa = nextTryDay.split('-').reverse().join('/');
  const warning = { subject: warning_subject, text: warning_text };
  return composeReminder(warning, facts, { assinatura, tentativa });
}
