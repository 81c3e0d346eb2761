import type { AuthorizationRequestMails } from '@jangada/contract';
import { composeReminder, type ReminderFacts, withoutAddresses } from './reminder-mail.ts';

/** The words with which every account begins. */
export const initialAuthorizationRequests: AuthorizationRequestMails = {
  active: false,
  subject: 'Falta autorizar o Pix Automático de {assinatura}',
  text: [
    'Olá, {nome}!',
    'O pagamento de {assinatura} ({valor}, a partir de {vencimento}) pode ser debitado da sua conta por Pix Automático. Falta só você autorizar, uma única vez, no app do seu banco:',
    '{link}',
    'Você pode cancelar quando quiser, no próprio app do banco. Se você já autorizou, desconsidere esta mensagem.',
  ].join('\n\n'),
};

/** The mail that asks a customer to authorise the debits of a subscription. */
export function composeAuthorizationRequest(
  mails: AuthorizationRequestMails,
  facts: ReminderFacts & { readonly description: string },
) {
  return composeReminder(mails, facts, { assinatura: withoutAddresses(facts.description) });
}
