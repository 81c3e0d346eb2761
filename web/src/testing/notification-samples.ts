import type { Notification } from '@jangada/contract';

/** Notifications as a gateway lists them. */
export const paidNotification: Notification = {
  id: '0193f1c0-0000-7000-8000-000000000002',
  title: 'Pix recebido',
  body: 'Você recebeu R$ 412,90.',
  timestamp: '2026-11-21T16:58:00.000Z',
  read: false,
  data: { type: 'payment.paid', id: '5e92fa10-7c41-4d0e-9b3a-61f2d8c07a55' },
};

export const pinNotification: Notification = {
  id: '0193f1c0-0000-7000-8000-000000000001',
  title: 'PIN de saque',
  body: 'Seu PIN de saque foi definido.',
  timestamp: '2026-11-21T12:00:00.000Z',
  read: true,
  data: { type: 'withdrawals.pin' },
};
