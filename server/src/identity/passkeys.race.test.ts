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
import { createAuthenticator, type Lie } from '../../test/authenticator.ts';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { parseSuccess } from '../../test/given.ts';
import { givenPasskey } from '../../test/given-factor.ts';
import { givenPerson, type Person } from '../../test/people.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { inTransaction } from '../db/transaction.ts';
import { userHandle } from './passkey.ts';
import { tryConsumeFactor } from './verify-factor.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

const newPerson = () => givenPerson(gateway.deps);
const post = (path: string, body?: unknown, token?: string) =>
  gateway.api('POST', path, body, token === undefined ? {} : { token });
function codeOrStatus(answer: ApiAnswer): string {
  const refused = errorEnvelope.safeParse(answer.body);
  return refused.success ? refused.data.error.code : String(answer.status);
}
const readSecurity = async (token: string) =>
  parseSuccess(getSecurity.response, await gateway.api('GET', '/authed/security', undefined, { token }));

/** Creates a person with a passkey. */
async function givenPersonWithPasskey() {
  const person = await newPerson();
  return { person, key: await givenPasskey(gateway, person) };
}
const requestPasskeySignIn = async () =>
  parseSuccess(passkeyLoginOptions.response, await post('/login/passkey/options'));
const secondFactorDetails = z.object({
  challenge: z.string(),
  methods: z.array(z.string()),
  passkey: z.record(z.string(), z.unknown()),
});
/** Signs in by password, and returns the details of the refusal that requests the second factor. */
async function requestSecondFactor({ username, password }: Person) {
  const answer = await post('/login', { username, password });
  return secondFactorDetails.parse(errorEnvelope.parse(answer.body).error.details);
}

describe('a passkey', () => {
  test('signs in without a password, and counts as password and second factor', async () => {
    const { person, key } = await givenPersonWithPasskey();
    expect(key.recoveryCodes).toHaveLength(10);
    const { challenge, options } = await requestPasskeySignIn();
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options).not.toHaveProperty('allowCredentials');
    const answer = await post('/login/passkey', { challenge, credential: key.get(options) });
    const { token } = parseSuccess(login.response, answer);
    const state = await readSecurity(token);
    expect(state).toMatchObject({ given: true, totp: false, recovery_codes_left: 10 });
    expect(state.passkeys).toEqual([
      {
        id: key.passkeyId,
        name: 'Chave de teste',
        created_at: expect.any(String),
        last_used_at: expect.any(String),
      },
    ]);
    expect(codeOrStatus(await post('/authed/security/recovery-codes', undefined, token))).toBe('200');
    expect((await requestSecondFactor(person)).methods).toEqual(['passkey', 'recovery-code']);
  });

  test('is a second factor after the password, even from an authenticator without user verification', async () => {
    const { person, key } = await givenPersonWithPasskey();
    const { challenge, passkey } = await requestSecondFactor(person);
    expect(passkey).toMatchObject({
      allowCredentials: [{ id: key.id, type: 'public-key', transports: ['usb'] }],
    });
    const credential = key.get(passkey, { verified: false, userHandle: null });
    expect(codeOrStatus(await post('/login/second-factor', { challenge, credential }))).toBe('200');
  });

  test('is accepted as a step-up once, and only in the session that requested the challenge', async () => {
    const { person, key } = await givenPersonWithPasskey();
    const { token } = person;
    const { challenge, options } = parseSuccess(
      stepUpOptions.response,
      await post('/authed/step-up/options', undefined, token),
    );
    const other = parseSuccess(login.response, await signInWith(key));
    const credential = key.get(options ?? {});
    const fromOtherSession = await post('/authed/step-up', { challenge, credential }, other.token);
    expect(codeOrStatus(fromOtherSession)).toBe('CHALLENGE_EXPIRED');
    parseSuccess(stepUp.response, await post('/authed/step-up', { challenge, credential }, token));
    const replayed = await post('/authed/step-up', { challenge, credential }, token);
    expect(codeOrStatus(replayed)).toBe('CHALLENGE_EXPIRED');
  });

  test('identifies its user to authenticators by a handle that differs for each account', async () => {
    const person = await newPerson();
    const registration = await post(
      '/authed/security/passkeys/options',
      { password: person.password },
      person.token,
    );
    const { options } = parseSuccess(beginPasskey.response, registration);
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
  const { challenge, options } = await requestPasskeySignIn();
  return post('/login/passkey', { challenge, credential: key.get(options, lie) });
}

const { privateKey: otherPrivateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** Each differs from an honest response of browser and authenticator in one respect. */
const dishonestResponses: readonly (readonly [string, Lie])[] = [
  ['given on a page of another origin', { origin: 'https://localhost.evil.example' }],
  ['given on another port of this host', { origin: 'http://localhost:3001' }],
  ['made for another relying party', { rpId: 'evil.example' }],
  ['made for another purpose', { type: 'webauthn.create' }],
  ['to another challenge', { challenge: 'b3RoZXI' }],
  ['signed by another key', { key: otherPrivateKey }],
  ['without user presence', { present: false }],
  ['with another user’s handle', { userHandle: 'b3RoZXI' }],
];

describe('a passkey response is refused', () => {
  let honest: Awaited<ReturnType<typeof givenPersonWithPasskey>>;
  beforeAll(async () => {
    honest = await givenPersonWithPasskey();
  });

  test.each([
    ...dishonestResponses,
    ['without user verification', { verified: false }],
    ['without a user handle', { userHandle: null }],
  ] as const)('%s, instead of a password', async (_, lie) => {
    const { key } = honest;
    expect(codeOrStatus(await signInWith(key, lie))).toBe('PASSKEY_NOT_ACCEPTED');
    expect(codeOrStatus(await signInWith(key))).toBe('200');
  });

  test.each(dishonestResponses)('%s, after a password', async (_, lie) => {
    const { person, key } = honest;
    const { challenge, passkey } = await requestSecondFactor(person);
    const answer = await post('/login/second-factor', { challenge, credential: key.get(passkey, lie) });
    expect(codeOrStatus(answer)).toBe('SECOND_FACTOR_WRONG');
    const credential = key.get(passkey);
    expect(codeOrStatus(await post('/login/second-factor', { challenge, credential }))).toBe('200');
  });

  test('from a passkey of another account, or to a challenge of another account', async () => {
    const [own, target] = [await givenPersonWithPasskey(), await givenPersonWithPasskey()];
    const targetRequest = await requestSecondFactor(target.person);
    const credential = own.key.get(targetRequest.passkey);
    const wrong = await post('/login/second-factor', { challenge: targetRequest.challenge, credential });
    expect(codeOrStatus(wrong)).toBe('SECOND_FACTOR_WRONG');

    const ownRequest = await requestSecondFactor(own.person);
    const ownCredential = own.key.get(ownRequest.passkey);
    const answer = await post('/login/second-factor', {
      challenge: targetRequest.challenge,
      credential: ownCredential,
    });
    expect(codeOrStatus(answer)).toBe('SECOND_FACTOR_WRONG');
  });

  test('when replayed, concurrently or later', async () => {
    const { key } = await givenPersonWithPasskey();
    const { challenge, options } = await requestPasskeySignIn();
    const credential = key.get(options);
    const answers = await runConcurrently(4, () => post('/login/passkey', { challenge, credential }));
    const outcomes = answers.map((result) =>
      result.status === 'fulfilled' ? codeOrStatus(result.value) : result.reason,
    );
    expect(outcomes.toSorted()).toEqual(['200', ...Array(3).fill('CHALLENGE_EXPIRED')]);
    const newRequest = await requestPasskeySignIn();
    const replayed = await post('/login/passkey', { challenge: newRequest.challenge, credential });
    expect(codeOrStatus(replayed)).toBe('PASSKEY_NOT_ACCEPTED');
  });

  test('when its signature counter does not increase, which means that the key was cloned', async () => {
    const { key } = await givenPersonWithPasskey();
    expect(codeOrStatus(await signInWith(key, { count: 7 }))).toBe('200');
    for (const count of [6, 7, 0])
      expect(codeOrStatus(await signInWith(key, { count }))).toBe('PASSKEY_NOT_ACCEPTED');
    expect(codeOrStatus(await signInWith(key, { count: 8 }))).toBe('200');
  });

  test('for a second use of one counter value, even concurrently, by a key and its clone', async () => {
    const { person, key } = await givenPersonWithPasskey();
    const signature = { method: 'passkey', id: key.passkeyId, signCount: 3 } as const;
    const answers = await runConcurrently(6, () =>
      inTransaction(gateway.deps, (tx) => tryConsumeFactor(tx, person.id, signature)),
    );
    expect(answers.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(1);
    expect(codeOrStatus(await signInWith(key, { count: 3 }))).toBe('PASSKEY_NOT_ACCEPTED');
  });

  test('after five minutes, or after the passkey was removed', async () => {
    const { person, key } = await givenPersonWithPasskey();
    const { challenge, options } = await requestPasskeySignIn();
    const removed = await gateway.api('DELETE', `/authed/security/passkeys/${key.passkeyId}`, undefined, {
      token: person.token,
    });
    expect(codeOrStatus(removed)).toBe('200');
    expect(codeOrStatus(await signInWith(key))).toBe('PASSKEY_NOT_ACCEPTED');
    await gateway.advance(300);
    const expired = await post('/login/passkey', { challenge, credential: key.get(options) });
    expect(codeOrStatus(expired)).toBe('CHALLENGE_EXPIRED');
  });

  test('when malformed', async () => {
    const { person, key } = await givenPersonWithPasskey();
    const answer = key.get({ challenge: 'eA' });
    const malformedCredentials = [
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
    for (const credential of malformedCredentials) {
      const { challenge } = await requestPasskeySignIn();
      expect(codeOrStatus(await post('/login/passkey', { challenge, credential }))).toBe(
        'PASSKEY_NOT_ACCEPTED',
      );
    }
    const { challenge } = await requestSecondFactor(person);
    for (const credential of malformedCredentials.slice(0, 4))
      expect(codeOrStatus(await post('/login/second-factor', { challenge, credential }))).toBe(
        'SECOND_FACTOR_WRONG',
      );
  });
});

describe('a new passkey', () => {
  let somebody: Person;
  beforeAll(async () => {
    somebody = await newPerson();
  });

  const beginRegistration = async ({ token, password }: Person) =>
    parseSuccess(beginPasskey.response, await post('/authed/security/passkeys/options', { password }, token));
  const addKey = (token: string, challenge: string, credential: unknown) =>
    post('/authed/security/passkeys', { challenge, credential, name: 'Chave' }, token);
  const newKey = () => createAuthenticator(gateway.deps.config.publicUrl);

  test.each([
    ...dishonestResponses
      .filter(([, lie]) => lie.key === undefined && lie.userHandle === undefined)
      .map(([name, lie]) => [name, lie.type ? { type: 'webauthn.get' } : lie] as const),
    ['with an unrequested certificate', { certificate: Buffer.from('http://evil.example/crl') }],
  ] as const)('is refused %s', async (_, lie) => {
    const { token } = somebody;
    const { challenge, options } = await beginRegistration(somebody);
    const key = newKey();
    expect(codeOrStatus(await addKey(token, challenge, key.create(options, lie)))).toBe(
      'PASSKEY_NOT_ACCEPTED',
    );
    expect(codeOrStatus(await addKey(token, challenge, key.create(options)))).toBe('201');
  });

  test('is accepted once, from the requesting session, and within five minutes', async () => {
    const [person, thief] = [await newPerson(), await newPerson()];
    const { challenge, options } = await beginRegistration(person);
    const credential = newKey().create(options);
    expect(codeOrStatus(await addKey(thief.token, challenge, credential))).toBe('CHALLENGE_EXPIRED');
    const answers = await runConcurrently(3, () => addKey(person.token, challenge, credential));
    const outcomes = answers.map((result) =>
      result.status === 'fulfilled' ? codeOrStatus(result.value) : result.reason,
    );
    expect(outcomes.toSorted()).toEqual(['201', 'CHALLENGE_EXPIRED', 'CHALLENGE_EXPIRED']);
    const expired = await beginRegistration(thief);
    await gateway.advance(300);
    const answer = await addKey(thief.token, expired.challenge, newKey().create(expired.options));
    expect(codeOrStatus(answer)).toBe('CHALLENGE_EXPIRED');
  });

  test('belongs to one account only', async () => {
    const { key } = await givenPersonWithPasskey();
    const person = await newPerson();
    const { token } = person;
    const { challenge, options } = await beginRegistration(person);
    expect(codeOrStatus(await addKey(token, challenge, key.create(options)))).toBe('PASSKEY_NOT_ACCEPTED');
    expect((await readSecurity(token)).passkeys).toEqual([]);
  });

  test('is the tenth at most, even under concurrent creation', async () => {
    const person = await newPerson();
    const { token } = person;
    for (let count = 0; count < 9; count += 1) await givenPasskey(gateway, person);
    const registrations = [
      await beginRegistration(person),
      await beginRegistration(person),
      await beginRegistration(person),
    ];
    const answers = await runConcurrently(3, (index) => {
      const { challenge = '', options = {} } = registrations[index] ?? {};
      return addKey(token, challenge, newKey().create(options));
    });
    const outcomes = answers.map((result) =>
      result.status === 'fulfilled' ? codeOrStatus(result.value) : result.reason,
    );
    expect(outcomes.toSorted()).toEqual(['201', 'PASSKEY_LIMIT', 'PASSKEY_LIMIT']);
    expect(codeOrStatus(await post('/authed/security/passkeys/options', undefined, token))).toBe(
      'PASSKEY_LIMIT',
    );
    expect((await readSecurity(token)).recovery_codes_left).toBe(10);
  });

  test('requires the password, unless it was given a moment ago', async () => {
    const { token, password } = await newPerson();
    await gateway.advance(300);
    const options = (body?: unknown) => post('/authed/security/passkeys/options', body, token);
    expect(codeOrStatus(await options())).toBe('PASSWORD_REQUIRED');
    expect(codeOrStatus(await options({ password: 'errada' }))).toBe('PASSWORD_WRONG');
    expect(codeOrStatus(await options({ password }))).toBe('200');
  });
});
