import { formatMomentForSentence } from '../calendar-day.ts';
import type { Config } from '../config.ts';

/**
 * The categories of mail: `asked for` was requested, `alarm` reports an act that may not be the owner's, `news` is the
 * rest.
 */
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

/** Kinds that an API key can trigger repeatedly. */
const byKey: readonly string[] = ['withdrawal', 'webhook-address', 'webhook-secret'];
const doings = [...alarms].filter((kind) => !byKey.includes(kind) && kind !== 'email');

/**
 * Returns the kinds that share an hourly limit with this one; none if an administrator causes each mail or the request
 * itself is limited. Each kind that a key can trigger has its own limit, so that neither a busy day of withdrawals nor
 * a stolen key hides the mail about a new key or a stranger's sign-in.
 */
export function kindsCappedWith(kind: MailKind): readonly string[] {
  if (byKey.includes(kind)) return [kind];
  return doings.includes(kind) ? doings : [];
}

/** True unless mail is off. */
export function isMailOn({ mail }: Pick<Config, 'mail'>): boolean {
  return mail.goes !== 'nowhere';
}

type Written = { readonly kind: string; readonly body: string; readonly createdAt: Date };

/** Returns the complete text of a mail. `link`: its URL, if it has one. */
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
