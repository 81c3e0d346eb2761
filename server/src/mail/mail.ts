import { formatMomentForSentence } from '../calendar-day.ts';
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
  'api-withdrawals': 'alarm',
  'webhook-access': 'alarm',
  'webhook-address': 'alarm',
  'webhook-secret': 'alarm',
  withdrawal: 'alarm',
  closing: 'alarm',
  kyc: 'news',
  account: 'news',
  webhook: 'news',
} as const satisfies Record<string, 'asked for' | 'alarm' | 'news'>;

export type MailKind = keyof typeof mailKinds;

const alarms = new Set(
  Object.entries(mailKinds).flatMap(([kind, sense]) => (sense === 'alarm' ? [kind] : [])),
);

/** What an API key can cause again and again. */
const byKey: readonly string[] = ['withdrawal', 'webhook-address', 'webhook-secret'];
const doings = [...alarms].filter((kind) => !byKey.includes(kind) && kind !== 'email');

/**
 * The kinds that share an allowance with this one; none where an administrator causes each mail, or there is an allowance
 * where it is asked for. Each that a key can cause has one of its own: neither a busy day of withdrawals nor a key that was
 * stolen hides a new key or a stranger's sign-in.
 */
export function kindsCappedWith(kind: MailKind): readonly string[] {
  if (byKey.includes(kind)) return [kind];
  return doings.includes(kind) ? doings : [];
}

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
    isAlarm ? `Quando: ${formatMomentForSentence(createdAt)} (horário de Brasília).` : undefined,
    isAlarm
      ? `Se não foi você, troque a senha em ${publicUrl}/recuperar-senha e fale com o suporte.`
      : undefined,
    `Jangada — ${publicUrl}\nMensagem automática: não é preciso responder.`,
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}
