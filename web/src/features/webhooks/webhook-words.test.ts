import { eventTypes } from '@jangada/contract';
import { expect, test } from 'vitest';
import { badgeOf, hintOf, isResendable, outcomeText } from './delivery-words.ts';
import { eventGroups, eventLabel, eventsSummary, subjectOf } from './event-words.ts';
import { deliveryFilterFrom, doctorSearchFrom } from './webhook-search.ts';

test('every type of event can be chosen once, has a name, and links to its subject if a screen shows it by its id', () => {
  expect(eventGroups.flatMap(({ types }) => types).toSorted()).toEqual(eventTypes.toSorted());
  for (const type of eventTypes) {
    expect(eventLabel(type)).not.toBe(type);
    expect(subjectOf(type) === undefined, type).toBe(/^(connection|batch|pix)\./.test(type));
  }
  expect(eventLabel('something.new')).toBe('something.new');
  expect(subjectOf('webhook.test')).toBeUndefined();
});

test('the events of an endpoint are described in one line', () => {
  expect(eventsSummary([])).toBe('Todos os eventos');
  expect(eventsSummary(['payment.paid'])).toBe('Pagamento recebido');
  expect(eventsSummary(['payment.paid', 'refund.failed'])).toBe('Pagamento recebido e Estorno recusado');
  expect(eventsSummary([...eventTypes])).toBe('Pagamento recebido, Cobrança expirada e mais 28');
});

test('the outcome of an attempt is described, with advice for each failure', () => {
  expect(outcomeText(204, null)).toBe('HTTP 204');
  expect(outcomeText(null, 'tls-failed')).toBe('Certificado recusado');
  expect(outcomeText(null, null)).toBe('—');
  expect(hintOf({ status: 204, error: null })).toBeUndefined();
  for (const status of [100, 301, 400, 403, 404, 405, 410, 418, 429, 500, 503])
    expect(hintOf({ status, error: null }), `${status}`).toMatch(/\.$/);
  for (const error of [
    'forbidden-url',
    'forbidden-address',
    'name-not-found',
    'connection-failed',
    'tls-failed',
    'timed-out',
    'bad-answer',
  ])
    expect(hintOf({ status: null, error }), error).toMatch(/\.$/);
});

test('a delivery that failed and awaits a retry is shown as retrying, and can be resent', () => {
  expect(badgeOf({ state: 'waiting', attempts: 0 }).label).toBe('A caminho');
  expect(badgeOf({ state: 'waiting', attempts: 1 }).label).toBe('Tentando');
  expect(isResendable({ state: 'waiting', attempts: 0 })).toBe(false);
  expect(isResendable({ state: 'waiting', attempts: 1 })).toBe(true);
  expect(isResendable({ state: 'held', attempts: 1 })).toBe(false);
  expect(isResendable({ state: 'delivered', attempts: 1 })).toBe(true);
});

test('invalid values in a URL are dropped', () => {
  const id = '0d1c7a52-6b1e-4a8f-9f0e-2c5b7d9e1f30';
  const whole = { endpoint: id, type: 'webhook.test', state: 'failed', subject: id, id: 'evt_a.1' };
  expect(deliveryFilterFrom(whole)).toEqual(whole);
  expect(deliveryFilterFrom({ endpoint: 'callback' })).toEqual({ endpoint: 'callback' });
  expect(deliveryFilterFrom({ endpoint: 'x', type: 'y', state: 'z', subject: 1, id: '' })).toEqual({});
  expect(doctorSearchFrom({ endpoint: 'x', delivery: 'evt_a' })).toEqual({ delivery: 'evt_a' });
});
