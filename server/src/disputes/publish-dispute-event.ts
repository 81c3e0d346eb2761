import { formatMomentForSentence } from '../calendar-day.ts';
import type { Tx } from '../db/transaction.ts';
import { PLATFORM } from '../ledger/index.ts';
import { type NotificationText, saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { formatBrl } from '../payments/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { emitDisputeEvent } from '../webhooks/index.ts';
import type { StoredDispute } from './dispute.ts';

export type PublishedDispute = Pick<
  StoredDispute,
  | 'merchantId'
  | 'connectionId'
  | 'id'
  | 'chargeId'
  | 'endToEndId'
  | 'status'
  | 'disputedCents'
  | 'blockedCents'
  | 'shortfallCents'
  | 'returnedCents'
  | 'deadlineAt'
  | 'openedAt'
> & {
  /** The amount that the bank has just taken. */
  readonly takenCents?: number;
  /** The part of the taken amount that was not blocked and becomes a debt. */
  readonly owedCents?: number;
  /** The part of the released amount that went back to reserves. */
  readonly toReservedCents?: number;
};

/**
 * Notification texts for the merchant. If the dispute has released its money, `blockedCents` is the released amount.
 */
const texts = {
  opened: ({
    connectionId,
    disputedCents,
    blockedCents,
    shortfallCents,
    deadlineAt,
    status,
  }: PublishedDispute): NotificationText => ({
    title: 'Pagamento contestado',
    body: [
      `O pagador contestou ${formatBrl(disputedCents)} no banco dele.`,
      blockedCents > 0 ? `${formatBrl(blockedCents)} ${blockedWhere[placeOf(connectionId)]}.` : '',
      shortfallCents > 0 ? `Faltam ${formatBrl(shortfallCents)}, que serão retidos do que você receber.` : '',
      status === 'open' ? `Envie sua defesa até ${formatMomentForSentence(deadlineAt)}.` : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  }),
  lost: (dispute: PublishedDispute): NotificationText => ({
    title: 'Disputa perdida',
    body: `O banco deu razão ao pagador na disputa de ${formatBrl(dispute.disputedCents)}.${takenSentences(dispute)}`,
  }),
  returned: (dispute: PublishedDispute): NotificationText => ({
    title: 'Valor devolvido ao pagador',
    body: `Disputa de ${formatBrl(dispute.disputedCents)}.${takenSentences(dispute)}`,
  }),
  won: ({ disputedCents, ...released }: PublishedDispute): NotificationText => ({
    title: 'Disputa ganha',
    body: `O banco deu razão a você na disputa de ${formatBrl(disputedCents)}.${releasedSentence(released)}`,
  }),
  cancelled: ({ disputedCents, ...released }: PublishedDispute): NotificationText => ({
    title: 'Disputa cancelada',
    body: `A disputa de ${formatBrl(disputedCents)} foi cancelada.${releasedSentence(released)}`,
  }),
  released: ({ disputedCents, ...released }: PublishedDispute): NotificationText => ({
    title: 'Valor desbloqueado',
    body: `O prazo da disputa de ${formatBrl(disputedCents)} terminou.${releasedSentence(released)}`,
  }),
  'defence-refused': ({ disputedCents }: PublishedDispute): NotificationText => ({
    title: 'Defesa recusada pelo banco',
    body: `O banco não aceitou a defesa da disputa de ${formatBrl(disputedCents)}. Fale com o suporte.`,
  }),
};

const placeOf = (connectionId: number) => (connectionId === HOUSE_CONNECTION ? 'house' : 'own');
const blockedWhere = {
  house: 'do seu saldo estão bloqueados',
  own: 'estão bloqueados na sua conta bancária',
} as const;

function takenSentences({ connectionId, takenCents = 0, owedCents = 0 }: PublishedDispute): string {
  const taken = takenCents > 0 ? ` O banco devolveu ${formatBrl(takenCents)} ao pagador.` : '';
  // At an account of the merchant's own, the bank took the merchant's money, and nobody is owed any.
  const owed =
    owedCents > 0 && placeOf(connectionId) === 'house'
      ? ` ${formatBrl(owedCents)} são descontados do seu saldo ou do que você receber.`
      : '';
  return taken + owed;
}

function releasedSentence({
  blockedCents,
  toReservedCents = 0,
}: Pick<PublishedDispute, 'blockedCents' | 'toReservedCents'>): string {
  if (blockedCents === 0) return '';
  const reserved = toReservedCents > 0 ? `, dos quais ${formatBrl(toReservedCents)} voltaram à reserva` : '';
  return ` ${formatBrl(blockedCents)} foram desbloqueados${reserved}.`;
}

function deadlineWarning({ disputedCents, deadlineAt }: PublishedDispute, hours: number): NotificationText {
  return {
    title: 'O prazo de defesa está terminando',
    body: `Faltam menos de ${hours} horas para defender a disputa de ${formatBrl(disputedCents)}: até ${formatMomentForSentence(deadlineAt)}.`,
  };
}

/** The events that end a dispute. */
const closingEvents: ReadonlySet<string | number> = new Set(['lost', 'won', 'cancelled']);

/**
 * A key of `texts`; or a warning, as the number of hours before the deadline; or `changed`, which only updates open
 * screens.
 */
type DisputeEvent = keyof typeof texts | 'changed' | number;

/**
 * Publishes a change of a dispute to its merchant's notifications, webhooks and open screens. Does nothing for a
 * dispute without an owner.
 */
export async function publishDisputeEvent(
  tx: Tx,
  dispute: PublishedDispute,
  event: DisputeEvent,
): Promise<void> {
  const { merchantId, id, status } = dispute;
  if (merchantId === PLATFORM) return;
  await emitWebhookEvents(tx, dispute, event);
  const text = textOf(dispute, event);
  const data = { type: `dispute.${typeof event === 'number' ? 'deadline' : event}`, id, status };
  const notifications = await saveNotifications(
    tx,
    text === undefined ? [] : [{ merchantId, ...text, data }],
  );
  await writeMessages(tx, [
    ...notifications,
    { merchantId, message: { type: 'dispute', dispute: { id, status } } },
  ]);
}

/**
 * Emits the webhook events of a dispute: one when it is opened and one when it ends. If the bank reports a dispute only
 * after deciding it, both are emitted together.
 */
async function emitWebhookEvents(tx: Tx, dispute: PublishedDispute, event: DisputeEvent): Promise<void> {
  if (event === 'opened') await emitDisputeEvent(tx, { ...dispute, type: 'dispute.opened' });
  const isClosed = event === 'opened' ? dispute.status !== 'open' : closingEvents.has(event);
  // Only a lost dispute still blocks money after its end; for others `blockedCents` is the released amount.
  const blockedCents = dispute.status === 'lost' ? dispute.blockedCents : 0;
  if (isClosed) await emitDisputeEvent(tx, { ...dispute, blockedCents, type: 'dispute.closed' });
}

function textOf(dispute: PublishedDispute, event: DisputeEvent): NotificationText | undefined {
  if (typeof event === 'number') return deadlineWarning(dispute, event);
  return event === 'changed' ? undefined : texts[event](dispute);
}
