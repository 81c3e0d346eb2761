import { expect, test } from 'vitest';
import { notificationUrl } from './notification-url.ts';

test.each([
  ['payment.paid', 'a b', '/transactions?id=a%20b'],
  ['payment.refunded', 'x', '/transactions?id=x'],
  ['pix.held', 'x', '/cobrancas?tab=held'],
  ['withdrawal.paid', 'x', '/withdrawal-history?id=x'],
  ['dispute.deadline', 'x', '/disputes?id=x'],
  ['fee_statement.closed', 'x', '/fees?id=x'],
  ['withdrawals.destination', undefined, '/api-withdrawals'],
  ['withdrawals.locked', undefined, '/withdrawals'],
  ['security.passkey-added', undefined, '/profile/security'],
  ['webhook.off', 'x', '/webhooks?id=x'],
  ['webhook.failing', null, '/webhooks'],
  ['security.api-key', undefined, '/api-keys'],
  ['operation.closing', '12', '/admin/user-management?id=12'],
  ['operation.documents', undefined, '/admin/kyc-management'],
  ['operation.payouts-stopped', undefined, '/admin/withdrawals'],
  ['operation.refund-in-doubt', undefined, '/admin/reconciliation'],
  ['connection.broken', '7', '/bank?id=7'],
  ['approval.requested', 'x', '/aprovacoes?id=x'],
  ['cycle.given_up', 'x', '/assinaturas?id=x'],
  ['reminders.limit', undefined, '/clientes/lembretes'],
  ['kyc.rejected', undefined, '/kyc-verification'],
  ['something.new', 'x', undefined],
  [undefined, { hostile: true }, undefined],
])('%s of %s leads to %s', (type, id, target) => {
  expect(notificationUrl({ type, id })).toBe(target);
});

test('an approval of the operator’s own acts leads to the page of its administrators', () => {
  expect(notificationUrl({ type: 'approval.requested', id: 'x', account_id: '0' })).toBe(
    '/admin/aprovacoes?id=x',
  );
  expect(notificationUrl({ type: 'approval.requested', id: 'x', account_id: '12' })).toBe('/aprovacoes?id=x');
});
