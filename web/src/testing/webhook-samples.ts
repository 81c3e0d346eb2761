// Sample responses of a gateway about webhooks, for tests of screens.
import type { WebhookDelivery, WebhookDeliveryDetail, WebhookEndpoint } from '@jangada/contract';

export const webhookEndpoint: WebhookEndpoint = {
  id: '0d1c7a52-6b1e-4a8f-9f0e-2c5b7d9e1f30',
  url: 'https://loja.example/webhooks/jangada',
  description: 'Loja online',
  events: ['payment.paid', 'payment.refunded', 'dispute.opened'],
  state: 'on',
  off_reason: null,
  off_at: null,
  failing_since: null,
  failures: 0,
  last_delivered_at: '2026-11-22T14:00:00.000Z',
  created_at: '2026-11-01T15:00:00.000Z',
};

/** A delivery that failed twice. */
export const webhookDelivery: WebhookDelivery = {
  id: 'evt_7f3a9c1e5b2d4860.0d1c7a52',
  event_id: 'evt_7f3a9c1e5b2d4860',
  type: 'payment.paid',
  subject_id: '5e92fa10-7c41-4d0e-9b3a-61f2d8c07a55',
  endpoint_id: webhookEndpoint.id,
  url: webhookEndpoint.url,
  state: 'failed',
  attempts: 2,
  last_status: 500,
  last_error: null,
  next_attempt_at: null,
  resent: false,
  created_at: '2026-11-22T13:00:00.000Z',
  finished_at: '2026-11-22T13:00:06.000Z',
};

export const webhookDeliveryDetail: WebhookDeliveryDetail = {
  ...webhookDelivery,
  body: '{"type":"payment.paid","id":"5e92fa10-7c41-4d0e-9b3a-61f2d8c07a55","status":"paid","amount":412.9}',
  log: [
    {
      number: 1,
      at: '2026-11-22T13:00:00.200Z',
      duration_ms: 15_000,
      status: null,
      error: 'timed-out',
      error_text: 'O servidor não respondeu a tempo',
      headers: { 'webhook-id': webhookDelivery.event_id, 'webhook-timestamp': '1795352400' },
      answer: null,
    },
    {
      number: 2,
      at: '2026-11-22T13:00:05.900Z',
      duration_ms: 132,
      status: 500,
      error: null,
      error_text: null,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Jangada-Webhook/1',
        'webhook-id': webhookDelivery.event_id,
        'webhook-timestamp': '1795352405',
        'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      },
      answer: 'TypeError: order is undefined',
    },
  ],
};
