import { generateKeyPairSync } from 'node:crypto';
import {
  beginPasskey,
  errorEnvelope,
  getSecurity,
  login,
  passkeyLoginOptions,
  stepUp,
  stepUpOptions,
} from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { atOnce } from '../../test/at-once.ts';
import { createAuthenticator, type Lie } from '../../test/authenticator.ts';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { read } from '../../test/given.ts';
import { givenPasskey } from '../../test/given-factor.ts';
import { givenPerson, type Person } from '../../test/people.ts';
import { inTransaction } from '../db/transaction.ts';
import { userHandle } from './passkey.ts';
import { tryConsumeFactor } from './verify-factor.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ work: false });
});
afterAll(() => gateway.stop());

const newPerson = () => givenPerson(gateway.deps);
const post = (path: string, body?: unknown, token?: string) =>
  gateway.api('POST', path, body, token === undefined ? {} : { token });
function outcome(answer: ApiAnswer): string {
  const refused = errorEnvelope.safeParse(answer.body);
  return refused.success ? refused.data.error.code : String(answer.status);
}
const security = async (token: string) =>
  read(getSecurity.response, await gateway.api('GET', '/authed/security', undefined, { token }));

/** A passkey, with its owner. */
async function given() {
  const person = await newPerson();
  return { person, key: await givenPasskey(gateway, person) };
}
const askAnybody = async () => read(passkeyLoginOptions.response, await post('/login/passkey/options'));
const asked = z.object({
  challenge: z.string(),
  methods: z.array(z.string()),
  passkey: z.record(z.string(), z.unknown()),
});
/** The second factor requested with the password. */
async function askSecond({ username, password }: Person) {
  const answer = await post('/login', { username, password });
  return asked.parse(errorEnvelope.parse(answer.body).error.details);
}

describe('a passkey', () => {
  test('signs in without a password, and counts as password and second factor', async () => {
    const { person, key } = await given();
    expect(key.recoveryCodes).toHaveLength(10);
    const { challenge, options } = await askAnybody();
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options).not.toHaveProperty('allowCredentials');
    const answer = await post('/login/passkey', { challenge, credential: key.get(options) });
    const { token } = read(login.response, answer);
    const state = await security(token);
    expect(state).toMatchObject({ given: true, totp: false, recovery_codes_left: 10 });
    expect(state.passkeys).toEqual([
      {
        id: key.passkeyId,
        name: 'Chave de teste',
        created_at: expect.any(String),
        last_used_at: expect.any(String),
      },
    ]);
    expect(outcome(await post('/authed/security/recovery-codes', undefined, token))).toBe('200');
    expect((await askSecond(person)).methods).toEqual(['passkey', 'recovery-code']);
  });

  test('is a second factor after the password, even from an authenticator without user verification', async () => {
    const { person, key } = await given();
    const { challenge, passkey } = await askSecond(person);
    expect(passkey).toMatchObject({
      allowCredentials: [{ id: key.id, type: 'public-key', transports: ['usb'] }],
    });
    const credential = key.get(passkey, { verified: false, userHandle: null });
    expect(outcome(await post('/login/second-factor', { challenge, credential }))).toBe('200');
  });

  test('renews the factor in an open session', async () => {
    const { person, key } = await given();
    const { token } = person;
    const { challenge, options } = read(
      stepUpOptions.response,
      await post('/authed/step-up/options', undefined, token),
    );
    const other = read(login.response, await signInWith(key));
    const credential = key.get(options ?? {});
    const elsewhere = await post('/authed/step-up', { challenge, credential }, other.token);
    expect(outcome(elsewhere)).toBe('CHALLENGE_EXPIRED');
    read(stepUp.response, await post('/authed/step-up', { challenge, credential }, token));
    const again = await post('/authed/step-up', { challenge, credential }, token);
    expect(outcome(again)).toBe('CHALLENGE_EXPIRED');
  });

  test('identifies its user to authenticators by a random handle', async () => {
    const person = await newPerson();
    const begun = await post(
      '/authed/security/passkeys/options',
      { password: person.password },
      person.token,
    );
    const { options } = read(beginPasskey.response, begun);
    const handle = userHandle(gateway.deps, person.id);
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { id: handle.toString('base64url'), name: person.username },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    expect(handle.equals(userHandle(gateway.deps, person.id + 1))).toBe(false);
  });
});

async function signInWith(key: ReturnType<typeof createAuthenticator>, lie: Lie = {}) {
  const { challenge, options } = await askAnybody();
  return post('/login/passkey', { challenge, credential: key.get(options, lie) });
}

const { privateKey: anotherKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** Differences from an honest response of browser and authenticator. */
const lies: readonly (readonly [string, Lie])[] = [
  ['given on a page of another origin', { origin: 'https://localhost.evil.example' }],
  ['given on another port of this host', { origin: 'http://localhost:3001' }],
  ['made for another relying party', { rpId: 'evil.example' }],
  ['made for another purpose', { type: 'webauthn.create' }],
  ['to another challenge', { challenge: 'b3RoZXI' }],
  ['signed by another key', { key: anotherKey }],
  ['without user presence', { present: false }],
  ['with another user’s handle', { userHandle: 'b3RoZXI' }],
];

describe('a passkey response is refused', () => {
  let honest: Awaited<ReturnType<typeof given>>;
  beforeAll(async () => {
    honest = await given();
  });

  test.each([
    ...lies,
    ['without user verification', { verified: false }],
    ['without a user handle', { userHandle: null }],
  ] as const)('%s, instead of a password', async (_, lie) => {
    const { key } = honest;
    expect(outcome(await signInWith(key, lie))).toBe('PASSKEY_NOT_ACCEPTED');
    expect(outcome(await signInWith(key))).toBe('200');
  });

  test.each(lies)('%s, after a password', async (_, lie) => {
    const { person, key } = honest;
    const { challenge, passkey } = await askSecond(person);
    const answer = await post('/login/second-factor', { challenge, credential: key.get(passkey, lie) });
    expect(outcome(answer)).toBe('SECOND_FACTOR_WRONG');
    const credential = key.get(passkey);
    expect(outcome(await post('/login/second-factor', { challenge, credential }))).toBe('200');
  });

  test('from a passkey of another account, or to a challenge of another account', async () => {
    const [own, target] = [await given(), await given()];
    const question = await askSecond(target.person);
    const credential = own.key.get(question.passkey);
    const wrong = await post('/login/second-factor', { challenge: question.challenge, credential });
    expect(outcome(wrong)).toBe('SECOND_FACTOR_WRONG');

    const mine = await askSecond(own.person);
    const crossed = own.key.get(mine.passkey);
    const answer = await post('/login/second-factor', { challenge: question.challenge, credential: crossed });
    expect(outcome(answer)).toBe('SECOND_FACTOR_WRONG');
  });

  test('when replayed, at once or later', async () => {
    const { key } = await given();
    const { challenge, options } = await askAnybody();
    const credential = key.get(options);
    const answers = await atOnce(4, () => post('/login/passkey', { challenge, credential }));
    const outcomes = answers.map((one) => (one.status === 'fulfilled' ? outcome(one.value) : one.reason));
    expect(outcomes.toSorted()).toEqual(['200', ...Array(3).fill('CHALLENGE_EXPIRED')]);
    const fresh = await askAnybody();
    const replayed = await post('/login/passkey', { challenge: fresh.challenge, credential });
    expect(outcome(replayed)).toBe('PASSKEY_NOT_ACCEPTED');
  });

  test('when its signature counter does not increase, which means that the key was cloned', async () => {
    const { key } = await given();
    expect(outcome(await signInWith(key, { count: 7 }))).toBe('200');
    for (const count of [6, 7, 0])
      expect(outcome(await signInWith(key, { count }))).toBe('PASSKEY_NOT_ACCEPTED');
    expect(outcome(await signInWith(key, { count: 8 }))).toBe('200');
  });

  test('for a second use of one counter value, even concurrently, by a key and its clone', async () => {
    const { person, key } = await given();
    const signature = { method: 'passkey', id: key.passkeyId, signCount: 3 } as const;
    const answers = await atOnce(6, () =>
      inTransaction(gateway.deps, (tx) => tryConsumeFactor(tx, person.id, signature)),
    );
    expect(answers.filter((one) => one.status === 'fulfilled' && one.value)).toHaveLength(1);
    expect(outcome(await signInWith(key, { count: 3 }))).toBe('PASSKEY_NOT_ACCEPTED');
  });

  test('after five minutes, or after the passkey was removed', async () => {
    const { person, key } = await given();
    const { challenge, options } = await askAnybody();
    const removed = await gateway.api('DELETE', `/authed/security/passkeys/${key.passkeyId}`, undefined, {
      token: person.token,
    });
    expect(outcome(removed)).toBe('200');
    expect(outcome(await signInWith(key))).toBe('PASSKEY_NOT_ACCEPTED');
    await gateway.advance(300);
    const late = await post('/login/passkey', { challenge, credential: key.get(options) });
    expect(outcome(late)).toBe('CHALLENGE_EXPIRED');
  });

  test('when malformed', async () => {
    const { person, key } = await given();
    const answer = key.get({ challenge: 'eA' });
    const broken = [
      {},
      { id: key.id },
      { ...answer, id: 5 },
      { ...answer, type: 'password' },
      { ...answer, rawId: 'b3RoZXI' },
      { ...answer, response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' } },
      {
        ...honest,
        response: { clientDataJSON: '!', authenticatorData: '', signature: 'A'.repeat(30_000) },
      },
    ];
    for (const credential of broken) {
      const { challenge } = await askAnybody();
      expect(outcome(await post('/login/passkey', { challenge, credential }))).toBe('PASSKEY_NOT_ACCEPTED');
    }
    const { challenge } = await askSecond(person);
    for (const credential of broken.slice(0, 4))
      expect(outcome(await post('/login/second-factor', { challenge, credential }))).toBe(
        'SECOND_FACTOR_WRONG',
      );
  });
});

describe('a new passkey', () => {
  let somebody: Person;
  beforeAll(async () => {
    somebody = await newPerson();
  });

  const begin = async ({ token, password }: Person) =>
    read(beginPasskey.response, await post('/authed/security/passkeys/options', { password }, token));
  const add = (token: string, challenge: string, credential: unknown) =>
    post('/authed/security/passkeys', { challenge, credential, name: 'Chave' }, token);
  const newKey = () => createAuthenticator(gateway.deps.config.publicUrl);

  test.each([
    ...lies
      .filter(([, lie]) => lie.key === undefined && lie.userHandle === undefined)
      .map(([name, lie]) => [name, lie.type ? { type: 'webauthn.get' } : lie] as const),
    ['with an unrequested certificate', { certificate: Buffer.from('http://evil.example/crl') }],
  ] as const)('is refused %s', async (_, lie) => {
    const { token } = somebody;
    const { challenge, options } = await begin(somebody);
    const key = newKey();
    expect(outcome(await add(token, challenge, key.create(options, lie)))).toBe('PASSKEY_NOT_ACCEPTED');
    expect(outcome(await add(token, challenge, key.create(options)))).toBe('201');
  });

  test('is accepted once, from the requesting session, and within five minutes', async () => {
    const [person, thief] = [await newPerson(), await newPerson()];
    const { challenge, options } = await begin(person);
    const credential = newKey().create(options);
    expect(outcome(await add(thief.token, challenge, credential))).toBe('CHALLENGE_EXPIRED');
    const answers = await atOnce(3, () => add(person.token, challenge, credential));
    const outcomes = answers.map((one) => (one.status === 'fulfilled' ? outcome(one.value) : one.reason));
    expect(outcomes.toSorted()).toEqual(['201', 'CHALLENGE_EXPIRED', 'CHALLENGE_EXPIRED']);
    const late = await begin(thief);
    await gateway.advance(300);
    const answer = await add(thief.token, late.challenge, newKey().create(late.options));
    expect(outcome(answer)).toBe('CHALLENGE_EXPIRED');
  });

  test('belongs to one account only', async () => {
    const { key } = await given();
    const person = await newPerson();
    const { token } = person;
    const { challenge, options } = await begin(person);
    expect(outcome(await add(token, challenge, key.create(options)))).toBe('PASSKEY_NOT_ACCEPTED');
    expect((await security(token)).passkeys).toEqual([]);
  });

  test('is the tenth at most, even under concurrent creation', async () => {
    const person = await newPerson();
    const { token } = person;
    for (let count = 0; count < 9; count += 1) await givenPasskey(gateway, person);
    const begun = [await begin(person), await begin(person), await begin(person)];
    const answers = await atOnce(3, (at) => {
      const { challenge = '', options = {} } = begun[at] ?? {};
      return add(token, challenge, newKey().create(options));
    });
    const outcomes = answers.map((one) => (one.status === 'fulfilled' ? outcome(one.value) : one.reason));
    expect(outcomes.toSorted()).toEqual(['201', 'PASSKEY_LIMIT', 'PASSKEY_LIMIT']);
    expect(outcome(await post('/authed/security/passkeys/options', undefined, token))).toBe('PASSKEY_LIMIT');
    expect((await security(token)).recovery_codes_left).toBe(10);
  });

  test('requires the password, unless it was given a moment ago', async () => {
    const { token, password } = await newPerson();
    await gateway.advance(300);
    const options = (body?: unknown) => post('/authed/security/passkeys/options', body, token);
    expect(outcome(await options())).toBe('PASSWORD_REQUIRED');
    expect(outcome(await options({ password: 'errada' }))).toBe('PASSWORD_WRONG');
    expect(outcome(await options({ password }))).toBe('200');
  });
});
