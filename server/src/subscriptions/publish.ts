import { brlFromCents, type CycleStatus, type SubscriptionEvent } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { formatBrl } from '../format-brl.ts';
import { type NotificationText, saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { emitSubscriptionEvent } from '../webhooks/index.ts';
import type { StoredCycle, StoredMandate, StoredSubscription } from './subscription.ts';

type Change = {
  readonly subscription: StoredSubscription;
  readonly mandate: Pick<StoredMandate, 'status' | 'endCode'>;
};

/**
 * Publishes a change of a mandate or a subscription to webhooks, open screens and, with `text`, to the merchant's
 * notifications. `occurrence` tells it from other changes of the same type.
 */
export async function publishSubscription(
  tx: Tx,
  type: SubscriptionEvent['type'],
  { subscription, mandate }: Change,
  { occurrence = '', text }: { readonly occurrence?: string; readonly text?: NotificationText } = {},
): Promise<void> {
  await publish(tx, { type, subscription, mandate, cycle: undefined, occurrence, text });
}

/**
 * The same for a change of a cycle. A cycle may be retried several times, each on another `day`. `paidBy`: the charge that
 * paid it.
 */
export async function publishCycle(
  tx: Tx,
  type: SubscriptionEvent['type'],
  change: Change & {
    readonly cycle: StoredCycle;
    readonly day?: string;
    readonly paidBy?: string | undefined;
  },
  text?: NotificationText,
): Promise<void> {
  const { subscription, mandate, cycle, day = '', paidBy } = change;
  const occurrence = `${cycle.number}${day.replaceAll('-', '')}`;
  await publish(tx, { type, subscription, mandate, cycle, paidBy, occurrence, text });
}

type Published = Change & {
  readonly type: SubscriptionEvent['type'];
  readonly cycle: StoredCycle | undefined;
  readonly paidBy?: string | undefined;
  readonly occurrence: string;
  readonly text: NotificationText | undefined;
};

async function publish(
  tx: Tx,
  { type, subscription, mandate, cycle, paidBy, occurrence, text }: Published,
): Promise<void> {
  const { merchantId, id, externalId, metadata } = subscription;
  const body: SubscriptionEvent = {
    type,
    id,
    subscriptionId: id,
    status: subscription.status,
    mandate_status: mandate.status,
    ...(externalId !== null && { external_id: externalId }),
    ...(metadata !== null && { metadata: { ...metadata } }),
    cycle: cycle === undefined ? null : cycleBody(cycle, paidBy),
    code: cycle === undefined ? mandate.endCode : cycle.code,
    created_at: subscription.createdAt.toISOString(),
    updated_at: tx.now.toISOString(),
  };
  await emitSubscriptionEvent(tx, { merchantId, occurrence, body });
  const data = { type, id, status: subscription.status };
  const messages = await saveNotifications(tx, text === undefined ? [] : [{ merchantId, ...text, data }]);
  await writeMessages(tx, [...messages, { merchantId, message: { type: 'change', of: 'subscriptions' } }]);
}

/** Tells the merchant something that is no event. */
export async function publishNotification(
  tx: Tx,
  { merchantId, id, status }: StoredSubscription,
  text: NotificationText,
): Promise<void> {
  const data = { type: 'subscription', id, status };
  await writeMessages(tx, await saveNotifications(tx, [{ merchantId, ...text, data }]));
}

function cycleBody(cycle: StoredCycle, paidBy: string | undefined): SubscriptionEvent['cycle'] {
  const { number, status, debitDay, amountCents, reason, code } = cycle;
  return {
    number,
    status,
    debit_day: debitDay,
    amount: amountCents === null ? null : brlFromCents(amountCents),
    reason,
    code,
    payment_id: paidBy ?? cycle.chargeId,
  };
}

const whoPays = ({ payer, description }: StoredSubscription) => `${payer.name} (${description})`;

/** What the merchant is told. Events that need nothing of a person are in webhooks and on screens only. */
export const notificationTexts = {
  approved: (subscription: StoredSubscription): NotificationText => ({
    title: 'Débitos autorizados',
    body: `${whoPays(subscription)} autorizou os débitos no banco.`,
  }),
  ended: (subscription: StoredSubscription): NotificationText => ({
    title: 'Assinatura terminada',
    body: `A assinatura de ${whoPays(subscription)} terminou: o pagador ou o banco não permite mais débitos.`,
  }),
  amountNeeded: (subscription: StoredSubscription, day: string): NotificationText => ({
    title: 'Diga o valor da próxima cobrança',
    body: `A cobrança de ${whoPays(subscription)} vence em ${brazilianDay(day)} e ainda não tem valor.`,
  }),
  givenUp: (subscription: StoredSubscription, { amountCents, debitDay }: StoredCycle): NotificationText => ({
    title: 'Cobrança não paga',
    body: `O débito${amountCents === null ? '' : ` de ${formatBrl(amountCents)}`} de ${whoPays(subscription)}, de ${brazilianDay(debitDay)}, não foi feito. Cobre de outro modo em Assinaturas.`,
  }),
  paidTwice: (subscription: StoredSubscription, { debitDay }: StoredCycle): NotificationText => ({
    title: 'Cobrança paga duas vezes',
    body: `${whoPays(subscription)} pagou a cobrança de ${brazilianDay(debitDay)} duas vezes: pelo código e pelo débito. Pedimos o estorno do débito; acompanhe-o em Transações.`,
  }),
  notGivenBack: (
    subscription: StoredSubscription,
    { debitDay }: StoredCycle,
    why: string,
  ): NotificationText => ({
    title: 'Devolva um pagamento em dobro',
    body: `${whoPays(subscription)} pagou a cobrança de ${brazilianDay(debitDay)} duas vezes: pelo código e pelo débito. O estorno automático não foi possível: ${why} Devolva um dos dois em Transações.`,
  }),
  notSent: (subscription: StoredSubscription, { debitDay }: StoredCycle, why: string): NotificationText => ({
    title: 'Débito ainda não enviado ao banco',
    body: `O débito de ${whoPays(subscription)}, de ${brazilianDay(debitDay)}, ainda não foi enviado: ${why} Tentamos de novo enquanto houver prazo.`,
  }),
} as const;

/** A day as people write it: 22/11/2026. */
function brazilianDay(day: string): string {
  return day.split('-').toReversed().join('/');
}

/** The event of a cycle that ended or changed, by its new status. */
export const eventOfCycle: Readonly<Partial<Record<CycleStatus, SubscriptionEvent['type']>>> = {
  scheduled: 'cycle.scheduled',
  paid: 'cycle.paid',
  given_up: 'cycle.given_up',
  cancelled: 'cycle.cancelled',
};
