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
  handover: 'alarm',
  support: 'alarm',
  recovery: 'alarm',
  policy: 'alarm',
  'former-email': 'alarm',
  approval: 'alarm',
  kyc: 'news',
  account: 'news',
  person: 'news',
  fees: 'news',
  webhook: 'news',
  reminder: 'news',
} as const satisfies Record<string, 'requested' | 'alarm' | 'news'>;

export type MailKind = keyof typeof mailKinds;

/** The kinds that tell what happens to an account, rather than to the person who signs in. */
const accountKinds: readonly MailKind[] = [
  'account',
  'closing',
  'kyc',
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

/**
 * The alarms that are always sent. The calls that cause them are limited, or need more than one person, or are an
 * administrator's.
 */
const unlimitedAlarmKinds: readonly MailKind[] = [
  'email',
  'former-email',
  'factor',
  'handover',
  'support',
  'recovery',
  'policy',
];

/**
 * Whether one person gets only so many mails of this kind in an hour. Each kind is counted by itself: otherwise whoever
 * holds a session could cause many mails of one kind, such as invitations, and so silence the mail about another act.
 */
export function isLimited(kind: MailKind): boolean {
  return alarmKinds.has(kind) && !unlimitedAlarmKinds.includes(kind);
}

/** Returns whether the operator enabled mail. */
export function isMailEnabled({ mail }: Pick<Config, 'mail'>): boolean {
  return mail.goes !== 'nowhere';
}

type MailContent = { readonly kind: string; readonly body: string; readonly createdAt: Date };

/** Whether who gets a mail of this kind can change the password: an address that was replaced opens no user any more. */
function canChangePassword(kind: string): boolean {
  return kind !== 'former-email';
}

/** Returns the complete text of a mail, with the URL of its link, if it has one. */
export function composeMailText(
  { kind, body, createdAt }: MailContent,
  publicUrl: string,
  link: string | undefined,
): string {
  const isAlarm = alarmKinds.has(kind);
  const support = canChangePassword(kind) ? `troque a senha em ${publicUrl}/recuperar-senha e ` : '';
  const parts = [
    body,
    link,
    isAlarm ? `Quando: ${formatMomentForSentence(createdAt)} (horário de Brasília).` : undefined,
    isAlarm && kind !== 'recovery' ? `Se não foi você, ${support}fale com o suporte.` : undefined,
    `Jangada — ${publicUrl}\nMensagem automática: não é preciso responder.`,
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}
