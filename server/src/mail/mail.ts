import { tellMoment } from '../calendar-day.ts';
import type { Config } from '../config.ts';

/** What mails tell of: what somebody asked for, what somebody else may have done in an owner's name, or other news. */
const mailKinds = {
  'password-recovery': 'asked for',
  'email-confirmation': 'asked for',
  'new-device': 'alarm',
  password: 'alarm',
  email: 'alarm',
  pin: 'alarm',
  factor: 'alarm',
  'api-key': 'alarm',
  withdrawal: 'alarm',
  closing: 'alarm',
  kyc: 'news',
  account: 'news',
} as const satisfies Record<string, 'asked for' | 'alarm' | 'news'>;

export type MailKind = keyof typeof mailKinds;

const alarms = new Set(
  Object.entries(mailKinds).flatMap(([kind, sense]) => (sense === 'alarm' ? [kind] : [])),
);

/**
 * Kinds of which whoever is signed in may cause as many as they like. Of the others an administrator causes each, or
 * there is an allowance where they are asked for.
 */
export const cappedKinds: readonly string[] = [...alarms].filter((kind) => kind !== 'email');

/** Whether there is somewhere for mail to go. */
export function isMailOn({ mail }: Pick<Config, 'mail'>): boolean {
  return mail.goes !== 'nowhere';
}

type Written = { readonly kind: string; readonly body: string; readonly createdAt: Date };

/** The whole text of a mail as it is read. `link`: what it opens, if anything. */
export function textOf(
  { kind, body, createdAt }: Written,
  publicUrl: string,
  link: string | undefined,
): string {
  const isAlarm = alarms.has(kind);
  const parts = [
    body,
    link,
    isAlarm ? `Quando: ${tellMoment(createdAt)} (horário de Brasília).` : undefined,
    isAlarm
      ? `Se não foi você, troque a senha em ${publicUrl}/recuperar-senha e fale com o suporte.`
      : undefined,
    `Jangada — ${publicUrl}\nMensagem automática: não é preciso responder.`,
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}
