import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { type DoctorVerdict, doctorVerdicts } from '@jangada/contract';
import { expect, test } from 'vitest';
import { type DoctorCase, examineSignature } from './doctor.ts';
import type { KnownSecret } from './doctor-computed.ts';
import { findingOf } from './doctor-texts.ts';
import { signatureHeaders } from './secrets.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const now = new Date('2026-11-22T14:00:00Z');
const id = `evt_${'0b1f7a526c1d4f0e9a532f1d1c9f4a77'}_returned_D12Ab`;
const body = '{"type":"payment.paid","description":"ação 25,90","amount":25.9,"url":"https://a/b"}';
const mine = { secret: newSecret(), endpointId: randomUUID(), isExpired: false };
const other = { secret: newSecret(), endpointId: randomUUID(), isExpired: false };
const account = { secret: newSecret(), endpointId: null, isExpired: false };
const old = { secret: newSecret(), endpointId: mine.endpointId, isExpired: true };
const secrets: readonly KnownSecret[] = [mine, other, account, old];

const headersOf = (signer: KnownSecret = mine, at = now) =>
  signatureHeaders({ id, body }, [signer.secret], at) as Record<
    'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
    string
  >;
const headers = headersOf();
const timestamp = headers['webhook-timestamp'];

function look(change: Partial<DoctorCase> = {}) {
  const sending = { eventId: id, body, timestamps: [timestamp] };
  return examineSignature({
    headers,
    body,
    computed: undefined,
    endpointId: mine.endpointId,
    secrets,
    sentEvent: sending,
    now,
    ...change,
  });
}
const unknownEvent = { sending: undefined };
const at = (minutes: number) => headersOf(mine, new Date(now.getTime() + minutes * 60_000));
const hmac = (key: string | Buffer, content: string) => createHmac('sha256', key).update(content);
const key = (signer: KnownSecret = mine) => Buffer.from(signer.secret.slice(6), 'base64');
const content = `${id}.${timestamp}.${body}`;
const base64 = (text: string, signer?: KnownSecret) => hmac(key(signer), text).digest('base64');
const renamed = (from: string, to: string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name === from ? to : name, value]));
const parsed = JSON.parse(body);

/** Inputs for each verdict; inputs with several causes include it. */
const cases: Readonly<Record<Exclude<DoctorVerdict, 'valid'>, readonly Partial<DoctorCase>[]>> = {
  'header-missing': [
    { headers: {} },
    { headers: '' },
    { headers: { 'webhook-id': id, 'webhook-timestamp': timestamp } },
  ],
  'header-misspelt': [
    { headers: renamed('webhook-signature', 'x-webhook-signature') },
    { headers: renamed('webhook-id', 'HTTP_WEBHOOK_ID') },
    {
      headers: `webhook_id: ${id}\nwebhook_timestamp: ${timestamp}\nwebhook_signature: ${headers['webhook-signature']}`,
    },
  ],
  'id-changed': [
    { headers: { ...headers, 'webhook-id': id.toLowerCase() } },
    { headers: { ...headers, 'webhook-id': ` ${id} ` }, ...unknownEvent },
  ],
  'timestamp-not-a-number': [
    { headers: { ...headers, 'webhook-timestamp': now.toISOString() } },
    { headers: { ...headers, 'webhook-timestamp': now.toISOString() }, ...unknownEvent },
  ],
  'timestamp-in-milliseconds': [
    { headers: { ...headers, 'webhook-timestamp': `${timestamp}000` } },
    { headers: { ...headers, 'webhook-timestamp': `${timestamp}123` }, ...unknownEvent },
  ],
  'timestamp-old': [{ headers: at(-6) }],
  'timestamp-in-future': [{ headers: at(6) }],
  'timestamp-changed': [{ headers: { ...headers, 'webhook-timestamp': String(Number(timestamp) - 30) } }],
  'signature-malformed': [
    { headers: { ...headers, 'webhook-signature': '' } },
    { headers: { ...headers, 'webhook-signature': headers['webhook-signature'].slice(0, 20) } },
  ],
  'signature-without-version': [{ headers: { ...headers, 'webhook-signature': base64(content) } }],
  'signature-hex': [
    { headers: { ...headers, 'webhook-signature': `v1,${hmac(key(), content).digest('hex')}` } },
  ],
  'body-empty': [{ body: '' }, { body: '\n', ...unknownEvent }],
  'body-bom': [{ body: `\ufeff${body}` }, { body: `\ufeff${body}`, ...unknownEvent }],
  'body-trailing-newline': [{ body: `${body}\n` }, { body: ` ${body}`, ...unknownEvent }],
  'body-charset': [
    { body: Buffer.from(body).toString('latin1'), ...unknownEvent },
    { body: body.replace(/[^\x20-\x7e]/g, '?') },
  ],
  'body-line-endings': [
    (() => {
      const lines = '{\n"a":1\n}';
      return {
        body: lines.replaceAll('\n', '\r\n'),
        headers: signatureHeaders({ id, body: lines }, [mine.secret], now),
        ...unknownEvent,
      };
    })(),
  ],
  'body-reserialised': [
    { body: JSON.stringify(parsed, null, 2) },
    { body: JSON.stringify(parsed, null, 2), ...unknownEvent },
    { body: JSON.stringify(Object.fromEntries(Object.entries(parsed).toReversed())) },
    { body: body.replace('25.9,', '25.90,'), ...unknownEvent },
    { body: body.replace('ç', '\\u00e7'), ...unknownEvent },
  ],
  'body-changed': [
    { body: body.replace('25.9,', '26.9,') },
    // The signature matches nothing either, although the event is known.
    { body: body.replace('paid', 'lost'), headers: headersOf({ ...mine, secret: newSecret() }) },
  ],
  'secret-of-account': [{ headers: headersOf(account) }, { computed: base64(content, account) }],
  'secret-of-endpoint': [{ headers: headersOf(other) }, { computed: base64(content, other) }],
  'secret-rotated': [{ headers: headersOf(old) }, { computed: base64(content, old) }],
  'computed-right': [{ computed: base64(content) }, { computed: `v1,${base64(content)}` }],
  'computed-hex': [
    { computed: hmac(key(), content).digest('hex') },
    { computed: hmac(key(), content).digest('base64url') },
  ],
  'computed-secret-not-decoded': [
    { computed: hmac(mine.secret, content).digest('base64') },
    { computed: hmac(mine.secret.slice(6), content).digest('hex') },
  ],
  'computed-without-id': [{ computed: base64(`${timestamp}.${body}`) }],
  'computed-without-timestamp': [{ computed: base64(`${id}.${body}`) }],
  'computed-body-only': [{ computed: base64(body) }],
  'computed-body-parsed': [
    { computed: base64(`${id}.${timestamp}.${JSON.stringify(parsed, null, 2)}`) },
    {
      computed: base64(
        `${id}.${timestamp}.${body.replace('ç', '\\u00e7').replace('ã', '\\u00e3').replaceAll('/', '\\/')}`,
      ),
    },
    { computed: base64(`${id}.${timestamp}.${body.replaceAll('":', '": ').replaceAll(',"', ', "')}`) },
  ],
  'computed-wrong': [{ computed: 'AAAA' }, { computed: base64(content, { ...mine, secret: newSecret() }) }],
  unknown: [
    { headers: headersOf({ ...mine, secret: newSecret() }), ...unknownEvent },
    { headers: headersOf({ ...mine, secret: newSecret() }) },
  ],
};

test('an unchanged delivery is valid, whatever the case and notation of its headers', () => {
  const lines = Object.entries(headers).map(([name, value]) => `${name.toUpperCase()}: ${value}`);
  const many = { ...headers, 'webhook-signature': `v1,${base64('x')} ${headers['webhook-signature']}` };
  for (const given of [headers, lines.join('\r\n'), many])
    expect(look({ headers: given })).toEqual({ ok: true, faults: [] });
  expect(look({ ...unknownEvent, endpointId: undefined, headers: headersOf(account) }).ok).toBe(true);
});

test.each(Object.entries(cases))('%s is detected', (verdict, ways) => {
  const ofReceiver = verdict.startsWith('computed') || verdict.startsWith('secret');
  for (const way of ways) {
    const { ok, faults } = look(way);
    expect(faults).toContain(verdict);
    expect(ok).toBe(ofReceiver && way.computed !== undefined);
  }
});

test('a single cause is reported alone', () => {
  const single = Object.entries(cases).filter(
    ([verdict]) => !['signature-hex', 'signature-without-version'].includes(verdict),
  );
  for (const [verdict, [way]] of single) expect([verdict, look(way).faults]).toEqual([verdict, [verdict]]);
});

test('all of several causes are reported', () => {
  const faults = look({
    headers: { ...headersOf(other, new Date(now.getTime() - 600_000)) },
    body: `${body}\n`,
  }).faults;
  expect(new Set(faults)).toEqual(new Set(['secret-of-endpoint', 'timestamp-old', 'body-trailing-newline']));
});

test('every verdict has its own text', () => {
  const said = doctorVerdicts.map((verdict) => findingOf(verdict));
  expect(new Set(said.map(({ message }) => message)).size).toBe(doctorVerdicts.length);
  expect(Object.keys(cases).toSorted()).toEqual(doctorVerdicts.filter((one) => one !== 'valid').toSorted());
});

/** The processor time of a diagnosis without a match, with this many secrets. */
function costOf(count: number): number {
  const many = Array.from({ length: count }, () => ({ ...mine, secret: newSecret() }));
  const long = JSON.stringify({ type: 'payment.paid', text: 'ç'.repeat(4000) });
  const timestamps = Array.from({ length: 20 }, (_, at) => String(1_700_000_000 + at));
  const sending = { eventId: id, body: long, timestamps };
  const began = process.cpuUsage();
  look({ secrets: many, body: `${long}\r\n `, computed: 'AAAA', sentEvent: sending });
  const { user, system } = process.cpuUsage(began);
  return user + system;
}

test('a diagnosis with very many secrets costs hardly more', () => {
  costOf(40);
  const few = Math.min(costOf(40), costOf(40));
  expect(Math.min(costOf(1600), costOf(1600)) / few).toBeLessThan(8);
});
