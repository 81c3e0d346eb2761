import {
  centsFromResponse,
  type FeedModel,
  type LiveMessage,
  liveMessage,
  type PaymentStatusModel,
  parsePaymentStatus,
  type TransactionModel,
  type UserModel,
  type WithdrawalModel,
  type WithdrawalsModel,
} from '@jangada/contract';
import type { QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { addNotification, applyUnreadCount } from '../../panel/notifications/notifications-query.ts';

/** Parses a message from the live channel; undefined if the message is unknown. */
export function readLiveMessage(text: string): LiveMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return liveMessage.safeParse(message).data ?? notificationFrom(message);
  } catch {
    return undefined;
  }
}

const anyNotification = z.object({
  type: z.literal('notification'),
  notification: z.object({ title: z.string(), body: z.string(), data: z.nullish(z.unknown()) }),
});

/** Reads a notification from another provider, which must have a title and a body but may lack all other fields. */
function notificationFrom(message: unknown): LiveMessage | undefined {
  const notification = anyNotification.safeParse(message).data?.notification;
  if (notification === undefined) return undefined;
  const data = z.record(z.string(), z.unknown()).safeParse(notification.data).data ?? {};
  const { title, body } = notification;
  return {
    type: 'notification',
    notification: { id: '', title, body, timestamp: new Date().toISOString(), read: false, data },
  };
}

/** A notification in one line. If the body begins with the title, the title is not repeated. */
export function notificationLine({ title, body }: { title: string; body: string }): string {
  return body.startsWith(title) ? body : `${title} · ${body}`;
}

/** Whether an own account of the merchant at a bank may have changed, for example because somebody suspended it. */
export function isAboutOwnAccounts(message: LiveMessage): boolean {
  if (message.type !== 'notification') return message.type === 'account';
  return String(message.notification.data['type']).startsWith('connection.');
}

/** Writes a message into the cache immediately, before any refetch. */
export function applyLiveMessage(cache: QueryClient, message: LiveMessage): void {
  if (message.type === 'notification') {
    addNotification(cache, message.notification);
  } else if (message.type === 'unread') {
    applyUnreadCount(cache, message.unread);
  } else if (message.type === 'balance') {
    const balanceCents = centsFromResponse(message.balance);
    if (balanceCents === undefined) return;
    cache.setQueryData<UserModel>(['profile'], (user) => user && { ...user, balanceCents });
  } else if (message.type === 'charge') {
    const { id } = message.charge;
    const change = parsePaymentStatus(message.charge);
    cache.setQueryData<PaymentStatusModel>(['charge', id], (cached) => keepCachedFields(change, cached));
    cache.setQueriesData<FeedModel>(
      { queryKey: ['feed'] },
      (feed) => feed && withChangedTransaction(feed, id, change),
    );
  } else if (message.type === 'withdrawal') {
    const { id, status } = message.withdrawal;
    cache.setQueryData<WithdrawalModel>(['withdrawal', id], (cached) => cached && { ...cached, status });
    cache.setQueriesData<WithdrawalsModel>(
      { queryKey: ['withdrawals'] },
      (list) => list && withWithdrawalStatus(list, id, status),
    );
  }
}

/** Fields that the message omits keep their cached values. */
function keepCachedFields(
  change: PaymentStatusModel,
  cached: PaymentStatusModel | undefined,
): PaymentStatusModel {
  if (cached === undefined) return change;
  return {
    ...change,
    creditedCents: change.creditedCents ?? cached.creditedCents,
    reservedCents: change.reservedCents ?? cached.reservedCents,
    refundedCents: change.refundedCents ?? cached.refundedCents,
    paidAt: change.paidAt ?? cached.paidAt,
    receiptUrl: change.receiptUrl ?? cached.receiptUrl,
  };
}

function withWithdrawalStatus(list: WithdrawalsModel, id: string, status: string): WithdrawalsModel {
  const withdrawals = list.withdrawals.map((withdrawal) =>
    withdrawal.id === id ? { ...withdrawal, status } : withdrawal,
  );
  return { ...list, withdrawals };
}

function withChangedTransaction(feed: FeedModel, id: string, change: PaymentStatusModel): FeedModel {
  if (!feed.transactions.some((transaction) => transaction.id === id)) return feed;
  const transactions = feed.transactions.map((transaction) =>
    transaction.id === id ? withChangedFields(transaction, change) : transaction,
  );
  return { ...feed, transactions };
}

function withChangedFields(transaction: TransactionModel, change: PaymentStatusModel): TransactionModel {
  return {
    ...transaction,
    status: change.status,
    creditedCents: change.creditedCents ?? transaction.creditedCents,
    refundedCents: change.refundedCents ?? transaction.refundedCents,
    paidAt: change.paidAt ?? transaction.paidAt,
  };
}
