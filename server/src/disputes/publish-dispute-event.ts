import { formatMomentForSentence } from '../calendar-day.ts';
import type { Tx } from '../db/transaction.ts';
import { PLATFORM } from '../ledger/index.ts';
import { type NotificationText, saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { formatBrl } from '../payments/index.ts';
import { emitDisputeEvent } from '../webhooks/index.ts';
import type { StoredDispute } from './dispute.ts';

export type PublishedDispute = Pick<
  StoredDispute,
  | 'merchantId'
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
  /** What the bank took now, and the part of it that was not blocked. */
  readonly takenCents?: number;
  readonly owedCents?: number;
  /** The part of the released amount that went back to reserves. */
  readonly toReservedCents?: number;
};

/** Notification texts for the merchant. `blockedCents` of an ended dispute: the released amount. */
const texts = {
  opened: ({
    disputedCents,
    blockedCents,
    shortfallCents,
    deadlineAt,
    status,
  }: PublishedDispute): NotificationText => ({
    title: 'Pagamento contestado',
    body: [
      `O pagador contestou ${formatBrl(disputedCents)} no banco dele.`,
      blockedCents > 0 ? `${formatBrl(blockedCents)} do seu saldo estão bloqueados.` : '',
      shortfallCents > 0 ? `Faltam ${formatBrl(shortfallCents)}, que serão retidos do que você receber.` : '',
      status === 'open' ? `Envie sua defesa até ${formatMomentForSentence(deadlineAt)}.` : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  }),
  lost: (dispute: PublishedDispute): NotificationText => ({
    title: 'Disputa perdida',
    body: `O banco deu razão ao pagador na disputa de ${formatBrl(dispute.disputedCents)}.${wasTaken(dispute)}`,
  }),
  returned: (dispute: PublishedDispute): NotificationText => ({
    title: 'Valor devolvido ao pagador',
    body: `Disputa de ${formatBrl(dispute.disputedCents)}.${wasTaken(dispute)}`,
  }),
  won: ({ disputedCents, ...freed }: PublishedDispute): NotificationText => ({
    title: 'Disputa ganha',
    body: `O banco deu razão a você na disputa de ${formatBrl(disputedCents)}.${cameFree(freed)}`,
  }),
  cancelled: ({ disputedCents, ...freed }: PublishedDispute): NotificationText => ({
    title: 'Disputa cancelada',
    body: `A disputa de ${formatBrl(disputedCents)} foi cancelada.${cameFree(freed)}`,
  }),
  released: ({ disputedCents, ...freed }: PublishedDispute): NotificationText => ({
    title: 'Valor desbloqueado',
    body: `O prazo da disputa de ${formatBrl(disputedCents)} terminou.${cameFree(freed)}`,
  }),
  'defence-refused': ({ disputedCents }: PublishedDispute): NotificationText => ({
    title: 'Defesa recusada pelo banco',
    body: `O banco não aceitou a defesa da disputa de ${formatBrl(disputedCents)}. Fale com o suporte.`,
  }),
};

function wasTaken({ takenCents = 0, owedCents = 0 }: PublishedDispute): string {
  const taken = takenCents > 0 ? ` O banco devolveu ${formatBrl(takenCents)} ao pagador.` : '';
  const owed =
    owedCents > 0 ? ` ${formatBrl(owedCents)} são descontados do seu saldo ou do que você receber.` : '';
  return taken + owed;
}

function cameFree({
  blockedCents,
  toReservedCents = 0,
}: Pick<PublishedDispute, 'blockedCents' | 'toReservedCents'>): string {
  if (blockedCents === 0) return '';
  const reserved = toReservedCents > 0 ? `, dos quais ${formatBrl(toReservedCents)} voltaram à reserva` : '';
  return ` ${formatBrl(blockedCents)} foram desbloqueados${reserved}.`;
}

function warning({ disputedCents, deadlineAt }: PublishedDispute, hours: number): NotificationText {
  return {
    title: 'O prazo de defesa está terminando',
    body: `Faltam menos de ${hours} horas para defender a disputa de ${formatBrl(disputedCents)}: até ${formatMomentForSentence(deadlineAt)}.`,
  };
}

const endings: ReadonlySet<string | number> = new Set(['lost', 'won', 'cancelled']);

/**
 * Tells a merchant, their systems and the screens that are open what became of a dispute: something named above, or a warning so many
 * hours before the deadline. `changed` and `returned` only redraw screens: who returned it has told of the money.
 */
export async function publishDisputeEvent(
  tx: Tx,
  dispute: PublishedDispute,
  what: keyof typeof texts | 'changed' | number,
): Promise<void> {
  const { merchantId, id, status } = dispute;
  if (merchantId === PLATFORM) return;
  await tellSystems(tx, dispute, what);
  const text = textOf(dispute, what);
  const data = { type: `dispute.${typeof what === 'number' ? 'deadline' : what}`, id, status };
  const notified = await saveNotifications(tx, text === undefined ? [] : [{ merchantId, ...text, data }]);
  await writeMessages(tx, [
    ...notified,
    { merchantId, message: { type: 'dispute', dispute: { id, status } } },
  ]);
}

/** The bank may tell of one only when it has decided: it is opened and closed at once. */
async function tellSystems(
  tx: Tx,
  dispute: PublishedDispute,
  what: Parameters<typeof publishDisputeEvent>[2],
): Promise<void> {
  if (what === 'opened') await emitDisputeEvent(tx, { ...dispute, type: 'dispute.opened' });
  const isOver = what === 'opened' ? dispute.status !== 'open' : endings.has(what);
  const blockedCents = dispute.status === 'lost' ? dispute.blockedCents : 0;
  if (isOver) await emitDisputeEvent(tx, { ...dispute, blockedCents, type: 'dispute.closed' });
}

function textOf(
  dispute: PublishedDispute,
  what: Parameters<typeof publishDisputeEvent>[2],
): NotificationText | undefined {
  if (typeof what === 'number') return warning(dispute, what);
  return what === 'changed' ? undefined : texts[what](dispute);
}
