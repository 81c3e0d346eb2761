import { formatMomentForSentence } from '../calendar-day.ts';
import type { Config } from '../config.ts';

/**
 * The kinds of mail, each with its category: the recipient asked for a `requested` mail, an `alarm` reports an act that
 * somebody other than the account's owner may have done, and `news` are all other mails.
 */
const mailKinds = {
  'password-recovery': 'requested',
  'email-confirmation': 'requested',
  invitation: 'news',
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
  bank: 'alarm',
  closing: 'alarm',
  members: 'alarm',
  approval: 'alarm',
  kyc: 'news',
  account: 'news',
  fees: 'news',
  webhook: 'news',
} as const satisfies Record<string, 'requested' | 'alarm' | 'news'>;

export type MailKind = keyof typeof mailKinds;

/** The kinds that tell what happens to an account, rather than to the person who signs in. */
const accountKinds: readonly MailKind[] = [
  'pin',
  'api-key',
  'api-withdrawals',
  'webhook-access',
  'webhook-address',
  'webhook-secret',
  'withdrawal',
  'bank',
  'fees',
  'webhook',
];

/** Whether mails of this kind go to whoever holds the account. */
export function isAboutAccount(kind: MailKind): boolean {
  return accountKinds.includes(kind);
}

const alarmKinds = new Set(
  Object.entries(mailKinds).flatMap(([kind, category]) => (category === 'alarm' ? [kind] : [])),
);

/** The kinds of mail that the holder of an API key can cause repeatedly. */
const kindsTriggeredByKeys: readonly string[] = [
  'withdrawal',
  'approval',
  'webhook-address',
  'webhook-secret',
];
/** The other alarms. `email` is left out, because the call that changes the e-mail address is limited already. */
const otherAlarmKinds = [...alarmKinds].filter(
  (kind) => !kindsTriggeredByKeys.includes(kind) && kind !== 'email',
);

/**
 * Returns the kinds of mail that share an hourly limit with this kind, itself included. An empty list means that the
 * kind has no limit, because an administrator causes each mail or the call that causes it is limited. Each kind that a
 * key can cause has a limit of its own, so that neither a busy day of withdrawals nor a stolen key hides the mail about
 * a new key or a stranger's sign-in.
 */
export function kindsSharingLimitWith(kind: MailKind): readonly string[] {
  if (kindsTriggeredByKeys.includes(kind)) return [kind];
  return otherAlarmKinds.includes(kind) ? otherAlarmKinds : [];
}

/** Returns whether the operator enabled mail. */
export function isMailEnabled({ mail }: Pick<Config, 'mail'>): boolean {
  return mail.goes !== 'nowhere';
}

type MailContent = { readonly kind: string; readonly body: string; readonly createdAt: Date };

/** Returns the complete text of a mail, with the URL of its link, if it has one. */
export function composeMailText(
  { kind, body, createdAt }: MailContent,
  publicUrl: string,
  link: string | undefined,
): string {
  const isAlarm = alarmKinds.has(kind);
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
