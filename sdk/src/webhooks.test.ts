import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import {
  signWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  WebhookVerificationError,
} from './webhooks.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const id = 'evt_0b1f7a526c1d4f0e9a532f1d1c9f4a77_paid';
const payload = JSON.stringify({
  type: 'payment.paid',
  id: 'p1',
  paymentId: 'p1',
  status: 'paid',
  amount: 25.9,
});
const now = Date.UTC(2026, 10, 22, 14);
/** The headers of the payload, signed by an independent library. */
const headers = headersOf(payload);

function headersOf(body: string, signingSecret = secret, signedAt = now): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(signedAt / 1000),
    'webhook-signature': new Webhook(signingSecret).sign(id, new Date(signedAt), body),
  };
}

const verify = (change: Partial<VerifyWebhookOptions> = {}) =>
  verifyWebhook({ payload, headers, secret, now, ...change });

const genuineInputs: Record<string, Partial<VerifyWebhookOptions>> = {
  'text and an object': {},
  'bytes and Headers': { payload: new TextEncoder().encode(payload), headers: new Headers(headers) },
  'a Buffer and the headers of node:http': {
    payload: Buffer.from(payload),
    headers: { ...headers, host: 'loja' },
  },
  'an ArrayBuffer and names in capitals': {
    payload: new TextEncoder().encode(payload).buffer,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  },
  'a part of a larger buffer': { payload: Buffer.from(`xx${payload}yy`).subarray(2, -2) },
  'one of two secrets': { secret: [otherSecret, secret] },
  'a secret without its prefix': { secret: secret.replace('whsec_', '') },
  'a clock that is four minutes off': { now: now - 240_000 },
};

test.each(Object.keys(genuineInputs))('a genuine webhook is accepted: %s', async (name) => {
  const event = await verify(genuineInputs[name]);
  expect(event).toEqual({ id, type: 'payment.paid', data: JSON.parse(payload) });
});

test('during a secret rotation either signature is accepted, and unknown versions are ignored', async () => {
  const both = `v1a,AAAA ${headersOf(payload, otherSecret)['webhook-signature']} ${headers['webhook-signature']}`;
  await expect(verify({ headers: { ...headers, 'webhook-signature': both } })).resolves.toMatchObject({ id });
});

test('checking an event’s type narrows its body', async () => {
  const event = await verify();
  if (event.type !== 'payment.paid') throw new Error('It is a payment.');
  const amount: number = event.data.amount;
  const paymentId: string = event.data.paymentId;
  expect([amount, paymentId]).toEqual([25.9, 'p1']);
});

test('webhooks signed by the client verify with it and with another library', async () => {
  const signed = await signWebhook({ payload, secret, id, now: Date.now() });
  expect(new Webhook(secret).verify(payload, signed)).toEqual(JSON.parse(payload));
  await expect(verifyWebhook({ payload, headers: signed, secret })).resolves.toMatchObject({ id });
});

describe('a webhook is refused', () => {
  const refusedInputs: Record<string, [Partial<VerifyWebhookOptions>, string]> = {
    'changed body': [{ payload: payload.replace('25.9', '2590') }, 'signature-mismatch'],
    'reserialised body': [{ payload: `${payload}\n` }, 'signature-mismatch'],
    'other id': [{ headers: { ...headers, 'webhook-id': 'evt_2' } }, 'signature-mismatch'],
    'other timestamp': [
      { headers: { ...headers, 'webhook-timestamp': String(now / 1000 + 1) } },
      'signature-mismatch',
    ],
    'other secret': [{ secret: otherSecret }, 'signature-mismatch'],
    'signature that is no base64': [
      { headers: { ...headers, 'webhook-signature': 'v1,***' } },
      'signature-mismatch',
    ],
    'empty signature': [{ headers: { ...headers, 'webhook-signature': 'v1,' } }, 'signature-mismatch'],
    'signature without version': [
      { headers: { ...headers, 'webhook-signature': 'AAAA' } },
      'signature-without-version',
    ],
    'no headers': [{ headers: {} }, 'header-missing'],
    'old timestamp': [{ now: now + 301_000 }, 'timestamp-old'],
    'future timestamp': [{ now: now - 301_000 }, 'timestamp-in-future'],
    'narrow tolerance': [{ now: now + 11_000, toleranceSeconds: 10 }, 'timestamp-old'],
    'timestamp that is no number': [
      { headers: { ...headers, 'webhook-timestamp': '2026-11-22' } },
      'timestamp-not-a-number',
    ],
    'no secret': [{ secret: '' }, 'secret-malformed'],
    'no secrets': [{ secret: [] }, 'secret-malformed'],
    'a text that is no secret': [{ secret: 'whsec_segredo!' }, 'secret-malformed'],
    'body that is no JSON': [{ payload: 'oi', headers: headersOf('oi') }, 'body-not-json'],
    'body that is null': [{ payload: 'null', headers: headersOf('null') }, 'body-not-json'],
  };

  test.each(Object.keys(refusedInputs))('%s', async (name) => {
    const [change, reason] = refusedInputs[name] ?? [];
    const error = await verify(change).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toMatchObject({ reason, name: 'WebhookVerificationError' });
  });

  test('an already parsed body, with a hint on what to pass instead', async () => {
    const parsed: VerifyWebhookOptions = JSON.parse(
      JSON.stringify({ headers, secret, now, payload: { type: 'x' } }),
    );
    await expect(verifyWebhook(parsed)).rejects.toMatchObject({
      reason: 'body-parsed',
      message: expect.stringContaining('como chegou'),
    });
  });
});
