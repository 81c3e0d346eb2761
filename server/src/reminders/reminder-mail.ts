import { formatBrl } from '../format-brl.ts';
import type { NewMail } from '../mail/index.ts';

/** The words of a reminder. */
export type ReminderTexts = { readonly subject: string; readonly text: string };

/** The words with which every account begins. */
export const initialReminderTexts: ReminderTexts = {
  subject: 'Lembrete: {valor} com vencimento em {vencimento}',
  text: [
    'Olá, {nome}!',
    'Há uma cobrança de {valor} com vencimento em {vencimento}. Para pagar com Pix:',
    '{link}',
    'Se você já pagou, desconsidere esta mensagem.',
  ].join('\n\n'),
};

/** What the words of a reminder are about. */
export type ReminderFacts = {
  readonly customerName: string;
  readonly payeeName: string;
  /** The amount owed today; null if it varies. */
  readonly amountCents: number | null;
  readonly dueDate: string;
  readonly chargeUrl: string;
  readonly pageUrl: string;
  readonly stopUrl: string;
};

/** Writes a reminder in the merchant's words, and says below them who sends it and how to stop it. `more`: other values. */
export function composeReminder(
  texts: ReminderTexts,
  facts: ReminderFacts,
  more: Readonly<Record<string, string>> = {},
): Pick<NewMail, 'subject' | 'paragraphs'> {
  const values: Readonly<Record<string, string>> = {
    nome: withoutAddresses(facts.customerName),
    valor: facts.amountCents === null ? 'valor variável' : formatBrl(facts.amountCents),
    vencimento: facts.dueDate.split('-').reverse().join('/'),
    link: facts.chargeUrl,
    ...more,
  };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
  return {
    subject: fill(texts.subject),
    paragraphs: [
      fill(texts.text),
      `Este lembrete vem de ${facts.payeeName}.\nTudo o que está em aberto: ${facts.pageUrl}`,
      `Para não receber mais lembretes de ${facts.payeeName}: ${facts.stopUrl}`,
    ],
  };
}

/** The merchant writes the name too, and mail programs make a link of words with a dot between them. */
export function withoutAddresses(name: string): string {
  return name
    .replace(/[.。．｡:/\\@]+(?=\S|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
