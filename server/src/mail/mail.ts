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
  'api-withdrawals': 'alarm',
  'webhook-access': 'alarm',
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

const withdrawals = ['withdrawal'];
const doings = [...alarms].filter((kind) => kind !== 'withdrawal' && kind !== 'email');

/**
 * The kinds that share an allowance with this one; none where an administrator causes each mail, or there is an allowance
 * where it is asked for. A busy day of withdrawals hides no new key and no stranger's sign-in.
 */
export function kindsCappedWith(kind: MailKind): readonly string[] {
  return [withdrawals, doings].find((group) => group.includes(kind)) ?? [];
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
    isAlarm ? `Quando: ${tellMoment(createdAt)} (horário de Brasília).` : undefined,
    isAlarm
      ? `Se não foi você, troque a senha em ${publicUrl}/recuperar-senha e fale com o suporte.`
      : undefined,
    `Jangada — ${publicUrl}\nMensagem automática: não é preciso responder.`,
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}
