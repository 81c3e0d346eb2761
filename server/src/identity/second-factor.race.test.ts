import {
  beginTotp,
  errorEnvelope,
  getSecurity,
  login,
  stepUp as stepUpEndpoint,
  stepUpOptions,
} from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { type ApiAnswer, type CallOptions, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { givenPasskey, givenTotp, totpCodeOf } from '../../test/given-factor.ts';
import { givenPerson, type Person } from '../../test/people.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { inTransaction } from '../db/transaction.ts';
import { createDeviceCookie, hashPassword, replacePassword } from './index.ts';
import { openTotp, sealTotp } from './totp.ts';
import { tryConsumeFactor, verifyFactor } from './verify-factor.ts';

let gateway: TestGateway;
/** Another process on the same database, which requires a second factor of administrators. */
let strictGateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  strictGateway = await startTestGateway({
    startsWork: false,
    sharedGateway: gateway,
    env: { STAFF_SECOND_FACTOR: '1' },
  });
});
afterAll(async () => {
  const deadlocks = await countDeadlocks(gateway.deps.db);
  await strictGateway.stop();
  await gateway.stop();
  expect(deadlocks).toBe(0);
});

const minute = 60;
const codeAt = (secret: string, steps?: number) => totpCodeOf(gateway, secret, steps);
const newPerson = () => givenPerson(gateway.deps);
const call = (method: string, path: string, body?: unknown, options?: CallOptions) =>
  gateway.api(method, path, body, options);

/** Returns the code of a refusal, or the status of another response. */
function outcomeOf(answer: ApiAnswer): string {
  const refused = errorEnvelope.safeParse(answer.body);
  return refused.success ? refused.data.error.code : String(answer.status);
}
/** Counts calls by outcome. */
function tally(answers: readonly PromiseSettledResult<ApiAnswer>[]): Record<string, number> {
  const outcomes = answers.map((result) =>
    result.status === 'fulfilled' ? outcomeOf(result.value) : String(result.reason),
  );
  return Object.fromEntries(
    [...Map.groupBy(outcomes, (outcome) => outcome)].map(([outcome, same]) => [outcome, same.length]),
  );
}

const secondFactorDetails = z.object({
  challenge: z.string(),
  methods: z.array(z.string()),
  passkey: z.nullable(z.record(z.string(), z.unknown())),
});
const signIn = ({ username, password }: Pick<Person, 'username' | 'password'>, options?: CallOptions) =>
  call('POST', '/login', { username, password }, options);
/** Signs in by password, and returns the details of the refusal that requests the second factor. */
async function getChallenge(person: Pick<Person, 'username' | 'password'>) {
  const answer = await signIn(person);
  expect(outcomeOf(answer)).toBe('SECOND_FACTOR_REQUIRED');
  return secondFactorDetails.parse(errorEnvelope.parse(answer.body).error.details);
}
const complete = (challenge: string, code: string, options?: CallOptions) =>
  call('POST', '/login/second-factor', { challenge, code }, options);
const readSecurity = async (token: string) =>
  parseSuccess(getSecurity.response, await call('GET', '/authed/security', undefined, { token }));
/** A code that is none of the three valid ones. */
const wrongCode = (secret: string) => {
  const validCodes = [-1, 0, 1].map((steps) => codeAt(secret, steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !validCodes.includes(code)) ?? '';
};
/** The titles of an account's mails and notifications. */
const titlesFor = async (userId: number) => {
  const { db } = gateway.deps;
  const mails = await db.selectFrom('mails').select('subject').where('user_id', '=', userId).execute();
  const notifications = await db
    .selectFrom('notifications')
    .select('title')
    .where('merchant_id', '=', userId)
    .execute();
  return {
    mails: mails.map(({ subject }) => subject),
    notifications: notifications.map(({ title }) => title),
  };
};

/** Returns how many of eight concurrent uses of one code succeed, all verified before the first is consumed. */
async function countSuccessfulUses(userId: number, code: string): Promise<number> {
  const expected = { userId, webauthnChallenge: null };
  const factors = await Promise.all(
    Array.from({ length: 8 }, () => verifyFactor(gateway.deps, expected, { code })),
  );
  const uses = factors.map((factor) =>
    inTransaction(
      gateway.deps,
      async (tx) => factor !== undefined && (await tryConsumeFactor(tx, userId, factor)),
    ),
  );
  return (await Promise.all(uses)).filter((isConsumed) => isConsumed).length;
}

describe('an authenticator app', () => {
  test('is inactive until its first code is given, and required from then on', async () => {
    const person = await newPerson();
    const { token: firstToken, password } = person;
    const newTotp = await call('POST', '/authed/security/totp', { password }, { token: firstToken });
    expect(newTotp).toMatchObject({
      status: 200,
      body: { uri: expect.stringContaining('otpauth://totp/Jangada:') },
    });
    expect(await signIn(person)).toMatchObject({ status: 200 });
    expect(await readSecurity(person.token)).toMatchObject({
      totp: false,
      recovery_codes_left: 0,
      given: false,
    });

    const { secret, recoveryCodes } = await givenTotp(gateway, person);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes)
      expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}(-[2-9A-HJKMNP-TV-Z]{4}){2}$/);
    expect(await readSecurity(person.token)).toMatchObject({
      totp: true,
      recovery_codes_left: 10,
      given: true,
    });

    const { challenge, methods, passkey } = await getChallenge(person);
    expect({ methods, passkey }).toEqual({ methods: ['totp', 'recovery-code'], passkey: null });
    const { token } = parseSuccess(login.response, await complete(challenge, codeAt(secret, 1)));
    expect(await readSecurity(token)).toMatchObject({ given: true });
    expect((await titlesFor(person.id)).mails).toContain('Aplicativo autenticador ligado');
    expect((await titlesFor(person.id)).notifications).toContain('Aplicativo autenticador ligado');
  });

  test('as the first factor requires a password given after the sign-in, which counts for a while', async () => {
    const { token, password } = await newPerson();
    const begin = (path: string) => call('POST', `/authed/security/${path}`, undefined, { token });
    for (const path of ['totp', 'passkeys/options'])
      expect(outcomeOf(await begin(path))).toBe('PASSWORD_REQUIRED');
    await call('POST', '/authed/confirm-password', { password }, { token });
    for (const path of ['totp', 'passkeys/options']) expect(outcomeOf(await begin(path))).toBe('200');
  });

  test('started before another factor existed is confirmed only with that factor', async () => {
    const person = await newPerson();
    const { token, password } = person;
    const newTotp = await call('POST', '/authed/security/totp', { password }, { token });
    const { secret } = parseSuccess(beginTotp.response, newTotp);
    await givenPasskey(gateway, person);
    await gateway.advance(5 * minute);
    const confirm = () => call('POST', '/authed/security/totp/confirm', { code: codeAt(secret) }, { token });
    expect(outcomeOf(await confirm())).toBe('STEP_UP_REQUIRED');
    expect(await readSecurity(token)).toMatchObject({ totp: false });
    const now = gateway.deps.clock.now();
    await gateway.deps.db
      .updateTable('sessions')
      .set({ factor_at: now })
      .where('user_id', '=', person.id)
      .execute();
    expect(outcomeOf(await confirm())).toBe('200');
  });

  test('stores its secret encrypted and bound to its account', async () => {
    const person = await newPerson();
    const { secret, recoveryCodes } = await givenTotp(gateway, person);
    const { db, secrets } = gateway.deps;
    const rows = [
      await db.selectFrom('totp_factors').selectAll().execute(),
      await db.selectFrom('recovery_codes').selectAll().execute(),
    ];
    for (const text of [secret, ...recoveryCodes]) {
      expect(JSON.stringify(rows)).not.toContain(text);
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(text).toString('base64'));
    }
    const sealed = sealTotp(secrets, person.id, secret);
    expect(openTotp(secrets, person.id, sealed)).toBe(secret);
    expect(openTotp(secrets, person.id + 1, sealed)).toBeUndefined();
  });

  test('shows codes that are valid one step early or late, each once, and never before a code already used', async () => {
    const person = await newPerson();
    const { secret } = await givenTotp(gateway, person);
    await gateway.advance(2 * minute);
    const answers = [];
    for (const steps of [-2, 2, 0, 0, -1, 1, 1]) {
      const { challenge } = await getChallenge(person);
      answers.push(outcomeOf(await complete(challenge, codeAt(secret, steps))));
      // Resets the throttle, which wrong codes would reach here.
      await gateway.deps.db.deleteFrom('throttles').execute();
    }
    const wrong = 'SECOND_FACTOR_WRONG';
    expect(answers).toEqual([wrong, wrong, '200', wrong, wrong, '200', wrong]);
  });

  test('shows codes that are accepted once, even under concurrent use', async () => {
    const person = await newPerson();
    const { secret } = await givenTotp(gateway, person);
    await gateway.advance(minute);
    const challenges: string[] = [];
    for (let at = 0; at < 4; at += 1) challenges.push((await getChallenge(person)).challenge);
    const code = codeAt(secret);
    expect(await countSuccessfulUses(person.id, code)).toBe(1);
    await gateway.advance(minute);
    const nextCode = codeAt(secret);
    const answers = await runConcurrently(4, (at) => complete(challenges[at] ?? '', nextCode));
    expect(tally(answers)).toEqual({ 200: 1, SECOND_FACTOR_WRONG: 3 });
  });
});

describe('a recovery code', () => {
  test('works once, even under concurrent use, in any notation, and the owner is notified how many are left', async () => {
    const person = await newPerson();
    const { recoveryCodes } = await givenTotp(gateway, person);
    const [first = '', second = '', third = ''] = recoveryCodes;
    expect(await countSuccessfulUses(person.id, third)).toBe(1);
    const challenges: string[] = [];
    for (let at = 0; at < 5; at += 1) challenges.push((await getChallenge(person)).challenge);
    const answers = await runConcurrently(4, (at) => complete(challenges[at] ?? '', first));
    expect(tally(answers)).toEqual({ 200: 1, SECOND_FACTOR_WRONG: 3 });
    const typed = ` ${second.toLowerCase().replaceAll('-', ' ')} `;
    expect(outcomeOf(await complete(challenges[4] ?? '', typed))).toBe('200');
    expect(await readSecurity(person.token)).toMatchObject({ recovery_codes_left: 7 });
    expect((await titlesFor(person.id)).mails.filter((title) => /recuperação/.test(title))).toHaveLength(2);
  });

  test('belongs to its account, and is invalid once new ones are generated', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const { recoveryCodes } = await givenTotp(gateway, person);
    await givenTotp(gateway, other);
    const [code = ''] = recoveryCodes;
    const otherChallenge = await getChallenge(other);
    expect(outcomeOf(await complete(otherChallenge.challenge, code))).toBe('SECOND_FACTOR_WRONG');
    const renewed = await call('POST', '/authed/security/recovery-codes', undefined, { token: person.token });
    expect(renewed).toMatchObject({ status: 200 });
    const { challenge } = await getChallenge(person);
    expect(outcomeOf(await complete(challenge, code))).toBe('SECOND_FACTOR_WRONG');
  });
});

describe('a challenge', () => {
  test('is answered once, even by different factors concurrently', async () => {
    const person = await newPerson();
    const { secret, recoveryCodes } = await givenTotp(gateway, person);
    await gateway.advance(minute);
    const { challenge } = await getChallenge(person);
    const codes = [codeAt(secret), ...recoveryCodes.slice(0, 2)];
    const answers = await runConcurrently(3, (at) => complete(challenge, codes[at] ?? ''));
    expect(tally(answers)).toEqual({ 200: 1, CHALLENGE_EXPIRED: 2 });
  });

  test('expires after five minutes, and when the account’s password changes', async () => {
    const person = await newPerson();
    const { secret, recoveryCodes } = await givenTotp(gateway, person);
    const late = await getChallenge(person);
    await gateway.advance(5 * minute);
    expect(outcomeOf(await complete(late.challenge, codeAt(secret)))).toBe('CHALLENGE_EXPIRED');

    const { challenge } = await getChallenge(person);
    const passwordHash = await hashPassword('outra senha boa');
    await inTransaction(gateway.deps, (tx) => replacePassword(tx, person.id, { passwordHash }));
    expect(outcomeOf(await complete(challenge, recoveryCodes[0] ?? ''))).toBe('CHALLENGE_EXPIRED');
  });

  test('accepts no code of another account, and works only for its purpose', async () => {
    const [person, thief] = [await newPerson(), await newPerson()];
    const { secret } = await givenTotp(gateway, person);
    const thiefTotp = await givenTotp(gateway, thief);
    await gateway.advance(minute);
    const { challenge } = await getChallenge(person);
    expect(outcomeOf(await complete(challenge, codeAt(thiefTotp.secret)))).toBe('SECOND_FACTOR_WRONG');
    expect(outcomeOf(await complete('x'.repeat(43), codeAt(thiefTotp.secret)))).toBe('CHALLENGE_EXPIRED');
    const credential = { id: 'YQ' };
    for (const path of ['/login/passkey', '/authed/step-up'])
      expect(outcomeOf(await call('POST', path, { challenge, credential }, { token: thief.token }))).toBe(
        'CHALLENGE_EXPIRED',
      );
    expect(outcomeOf(await complete(challenge, codeAt(secret)))).toBe('200');
  });

  test('accepts either a code or a passkey, but not both or neither', async () => {
    const person = await newPerson();
    const { secret } = await givenTotp(gateway, person);
    const { challenge } = await getChallenge(person);
    const codeAndPasskey = { challenge, code: codeAt(secret), credential: {} };
    for (const body of [{ challenge }, codeAndPasskey])
      expect(outcomeOf(await call('POST', '/login/second-factor', body))).toBe('INVALID_BODY');
  });
});

describe('guesses of a code', () => {
  test('all count when 64 are made at once over any number of challenges, and are throttled by the day', async () => {
    const person = await newPerson();
    const { secret, recoveryCodes } = await givenTotp(gateway, person);
    const challenges: string[] = [];
    for (let at = 0; at < 16; at += 1) challenges.push((await getChallenge(person)).challenge);
    const wrong = wrongCode(secret);
    const answers = await runConcurrently(64, (at) => complete(challenges[at % 16] ?? '', wrong));
    expect(tally(answers)).toEqual({ SECOND_FACTOR_WRONG: 5, RATE_LIMITED: 59 });
    const right = recoveryCodes[0] ?? '';
    expect(outcomeOf(await complete((await getChallenge(person)).challenge, right))).toBe('RATE_LIMITED');

    let wrongGuesses = 5;
    for (let quarter = 1; quarter < 12; quarter += 1) {
      await gateway.advance(15 * minute);
      const { challenge } = await getChallenge(person);
      const answersOfQuarter = await runConcurrently(7, () => complete(challenge, wrong));
      wrongGuesses += tally(answersOfQuarter)['SECOND_FACTOR_WRONG'] ?? 0;
    }
    expect(wrongGuesses).toBe(20);
    await gateway.advance(24 * 60 * minute);
    expect(outcomeOf(await complete((await getChallenge(person)).challenge, right))).toBe('200');
  });

  test('end a challenge after five wrong ones', async () => {
    const person = await newPerson();
    const { secret, recoveryCodes } = await givenTotp(gateway, person);
    const { challenge } = await getChallenge(person);
    const answers = await runConcurrently(5, () => complete(challenge, wrongCode(secret)));
    expect(tally(answers)).toEqual({ SECOND_FACTOR_WRONG: 5 });
    expect(outcomeOf(await complete(challenge, recoveryCodes[0] ?? ''))).toBe('CHALLENGE_EXPIRED');
  });

  test('by somebody with the password do not block the owner’s known browser', async () => {
    const person = await newPerson();
    const { secret } = await givenTotp(gateway, person);
    await gateway.advance(minute);
    const cookie = createDeviceCookie(gateway.deps.config.publicUrl).setCookie.split(';')[0] ?? '';
    const knownBrowser = { headers: { cookie } };
    const first = await getChallenge(person);
    expect(outcomeOf(await complete(first.challenge, codeAt(secret), knownBrowser))).toBe('200');
    const challenges = [await getChallenge(person), await getChallenge(person), await getChallenge(person)];
    await runConcurrently(12, (at) => complete(challenges[at % 2]?.challenge ?? '', wrongCode(secret)));
    await gateway.advance(minute);
    const [, , { challenge } = { challenge: '' }] = challenges;
    expect(outcomeOf(await complete(challenge, codeAt(secret)))).toBe('RATE_LIMITED');
    expect(outcomeOf(await complete(challenge, codeAt(secret), knownBrowser))).toBe('200');
  });
});

describe('a step-up', () => {
  const createApiKey = (token: string, stepUp?: string) =>
    call('POST', '/authed/apikey', undefined, { token, headers: stepUp ? { 'x-step-up': stepUp } : {} });

  test('is required to replace the API key, and is valid for five minutes in its own session', async () => {
    const merchant = await givenMerchant(gateway);
    const { secret } = await givenTotp(gateway, merchant);
    const other = parseSuccess(
      login.response,
      await complete((await getChallenge(merchant)).challenge, codeAt(secret, 1)),
    );
    await gateway.advance(5 * minute);
    for (const token of [merchant.token, other.token])
      await call('POST', '/authed/confirm-password', { password: merchant.password }, { token });
    expect(await createApiKey(merchant.token)).toMatchObject({
      status: 403,
      body: { error: { code: 'STEP_UP_REQUIRED', details: { methods: ['totp', 'recovery-code'] } } },
    });
    const apiKey = await call('GET', '/authed/apikey', undefined, { token: merchant.token });
    expect(apiKey.body).toMatchObject({ hasKey: true, key: null });

    const session = { token: merchant.token };
    const options = parseSuccess(
      stepUpOptions.response,
      await call('POST', '/authed/step-up/options', undefined, session),
    );
    expect(options).toEqual({ methods: ['totp', 'recovery-code'], challenge: null, options: null });
    const answer = await call('POST', '/authed/step-up', { code: codeAt(secret) }, session);
    const { token, expires_in } = parseSuccess(stepUpEndpoint.response, answer);
    expect(expires_in).toBe(300);
    expect(outcomeOf(await createApiKey(other.token, token))).toBe('STEP_UP_REQUIRED');
    expect(outcomeOf(await createApiKey(merchant.token, token))).toBe('200');
    await gateway.advance(5 * minute);
    await call('POST', '/authed/confirm-password', { password: merchant.password }, session);
    expect(outcomeOf(await createApiKey(merchant.token, token))).toBe('STEP_UP_REQUIRED');
    expect(outcomeOf(await createApiKey(merchant.token, 'nothing of ours'))).toBe('STEP_UP_REQUIRED');
  });

  let somebody: Person;
  beforeAll(async () => {
    somebody = await newPerson();
    await givenTotp(gateway, somebody);
    // The password counts for an hour, but the factor does not.
    const secondsFromNow = (seconds: number) => new Date(gateway.deps.clock.now().getTime() + seconds * 1000);
    const times = { password_at: secondsFromNow(60 * minute), factor_at: secondsFromNow(-5 * minute) };
    const change = gateway.deps.db.updateTable('sessions').set(times);
    await change.where('user_id', '=', somebody.id).execute();
  });

  test.each([
    ['POST', '/authed/apikey/reveal', { password: 'x' }],
    ['POST', '/authed/webhook-secret/rotate', undefined],
    ['POST', '/authed/set-withdrawal-pin', { current_password: 'x', new_pin: '2580', confirm_pin: '2580' }],
    ['PUT', '/authed/api-withdrawals', { enabled: true, password: 'x', withdrawal_pin: '2580' }],
    [
      'POST',
      '/authed/api-withdrawals/destinations',
      { pixKey: 'a@b.br', pix_key_type: 'email', password: 'x', withdrawal_pin: '2580' },
    ],
    ['POST', '/authed/security/passkeys/options', undefined],
    ['POST', '/authed/security/recovery-codes', undefined],
    ['DELETE', '/authed/security/totp', undefined],
  ])('is required by %s %s', async (method, path, body) => {
    expect(outcomeOf(await call(method, path, body, { token: somebody.token }))).toBe('STEP_UP_REQUIRED');
  });

  test('counts guesses per session, and is refused without a factor', async () => {
    const person = await newPerson();
    const options = { token: person.token };
    expect(outcomeOf(await call('POST', '/authed/step-up/options', undefined, options))).toBe(
      'FACTOR_MISSING',
    );
    expect(outcomeOf(await call('POST', '/authed/step-up', { code: '123456' }, options))).toBe(
      'FACTOR_MISSING',
    );
    const { secret } = await givenTotp(gateway, person);
    await gateway.advance(minute);
    const wrong = wrongCode(secret);
    const answers = await runConcurrently(64, () =>
      call('POST', '/authed/step-up', { code: wrong }, options),
    );
    expect(tally(answers)).toEqual({ SECOND_FACTOR_WRONG: 5, RATE_LIMITED: 59 });
    const { challenge } = await getChallenge(person);
    expect(outcomeOf(await complete(challenge, codeAt(secret)))).toBe('200');
  });
});

describe('removing a factor', () => {
  test('requires password and factor, and removing the last one deletes the recovery codes', async () => {
    const person = await newPerson();
    const { secret } = await givenTotp(gateway, person);
    const { token } = person;
    await gateway.advance(5 * minute);
    const remove = () => call('DELETE', '/authed/security/totp', undefined, { token });
    expect(outcomeOf(await remove())).toBe('PASSWORD_REQUIRED');
    await call('POST', '/authed/confirm-password', { password: person.password }, { token });
    expect(outcomeOf(await remove())).toBe('STEP_UP_REQUIRED');
    await call('POST', '/authed/step-up', { code: codeAt(secret) }, { token });
    expect(await readSecurity(token)).toMatchObject({ given: true });
    expect(outcomeOf(await remove())).toBe('200');
    expect(outcomeOf(await remove())).toBe('NOT_FOUND');
    expect(await readSecurity(token)).toMatchObject({ totp: false, recovery_codes_left: 0, given: false });
    expect(await signIn(person)).toMatchObject({ status: 200 });
    expect((await titlesFor(person.id)).mails).toContain('Aplicativo autenticador desligado');
  });

  test('leaves administrators their last one, even if both are removed concurrently', async () => {
    const admin = await givenAdmin(gateway);
    await givenTotp(gateway, admin);
    const { passkeyId } = await givenPasskey(gateway, admin);
    const paths = ['/authed/security/totp', `/authed/security/passkeys/${passkeyId}`];
    const answers = await runConcurrently(2, (at) =>
      strictGateway.api('DELETE', paths[at] ?? '', undefined, { token: admin.token }),
    );
    expect(tally(answers)).toEqual({ 200: 1, SECOND_FACTOR_DEMANDED: 1 });
  });
});

test('administrators need a session with a second factor, where the setting requires it', async () => {
  const admin = await givenAdmin(gateway);
  const listUsers = (server: TestGateway, token: string) =>
    server.api('GET', '/admin/user/basics', undefined, { token });
  expect(outcomeOf(await listUsers(gateway, admin.token))).toBe('200');
  expect(outcomeOf(await listUsers(strictGateway, admin.token))).toBe('SECOND_FACTOR_SETUP_REQUIRED');
  expect(await readSecurity(admin.token)).toMatchObject({ demanded: false });
  expect(
    (await strictGateway.api('GET', '/authed/security', undefined, { token: admin.token })).body,
  ).toMatchObject({
    demanded: true,
    given: false,
  });
  await givenTotp(gateway, admin);
  expect(outcomeOf(await listUsers(strictGateway, admin.token))).toBe('200');
  const { token } = await newPerson();
  expect(outcomeOf(await listUsers(strictGateway, token))).toBe('FORBIDDEN');
});

describe('a frozen account', () => {
  const freeze = (id: number) =>
    gateway.deps.db.updateTable('users').set({ frozen_at: new Date() }).where('id', '=', id).execute();

  test('is reported only with its password, and its sessions and challenges are invalid', async () => {
    const person = await newPerson();
    const { secret, recoveryCodes } = await givenTotp(gateway, person);
    const { challenge } = await getChallenge(person);
    await freeze(person.id);
    expect(outcomeOf(await complete(challenge, wrongCode(secret)))).toBe('SECOND_FACTOR_WRONG');
    expect(outcomeOf(await complete(challenge, recoveryCodes[0] ?? ''))).toBe('ACCOUNT_FROZEN');
    expect(outcomeOf(await signIn(person))).toBe('ACCOUNT_FROZEN');
    expect(outcomeOf(await signIn({ ...person, password: 'errada' }))).toBe('INVALID_CREDENTIALS');
    expect(outcomeOf(await call('GET', '/authed/profile', undefined, { token: person.token }))).toBe(
      'UNAUTHENTICATED',
    );
  });

  test('has no session that began while it was frozen', async () => {
    const { id, ...person } = await newPerson();
    const { db } = gateway.deps;
    const { signIns } = await db.transaction().execute(async (freezingTx) => {
      await freezingTx.updateTable('users').set({ frozen_at: new Date() }).where('id', '=', id).execute();
      await freezingTx.deleteFrom('sessions').where('user_id', '=', id).execute();
      const signIns = runConcurrently(3, () => signIn(person));
      await waitForBlockedTransactions(signIns);
      return { signIns };
    });
    expect(tally(await signIns)).toEqual({ ACCOUNT_FROZEN: 3 });
    expect(await db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute()).toEqual([]);
  });

  test('gets no factor, password or e-mail by a concurrent call', async () => {
    const person = await newPerson();
    const { id, token, password } = person;
    const { db } = gateway.deps;
    const newTotp = await call('POST', '/authed/security/totp', { password }, { token });
    const code = codeAt(parseSuccess(beginTotp.response, newTotp).secret);
    const before = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const changes = [
      ['/authed/security/totp/confirm', { code }],
      ['/authed/password', { current_password: password, new_password: 'outra senha bem longa' }],
      ['/authed/email', { email: `outro-${person.email}`, password }],
    ] as const;
    const { calls } = await db.transaction().execute(async (freezingTx) => {
      await freezingTx.updateTable('users').set({ frozen_at: new Date() }).where('id', '=', id).execute();
      const calls = runConcurrently(changes.length, (at) => {
        const [path, body] = changes[at] ?? ['', {}];
        return call('POST', path, body, { token });
      });
      await waitForBlockedTransactions(calls, changes.length);
      return { calls };
    });
    expect(tally(await calls)).toEqual({ UNAUTHENTICATED: changes.length });
    const after = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(after).toEqual({ ...before, frozen_at: expect.any(Date) });
    const totp = db.selectFrom('totp_factors').select('confirmed_at').where('user_id', '=', id);
    expect(await totp.execute()).toEqual([{ confirmed_at: null }]);
  });

  /** Waits until this many transactions wait for a lock, or the work has ended. */
  async function waitForBlockedTransactions(work: Promise<unknown>, count = 1): Promise<void> {
    let ended = false;
    const end = () => {
      ended = true;
    };
    work.then(end, end);
    while (!ended) {
      const { rows } = await sql<{ waiting: number }>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(gateway.deps.db);
      if ((rows[0]?.waiting ?? 0) >= count) return;
    }
  }
});

test('factor options can be requested sixty times an hour at most', async () => {
  const person = await newPerson();
  await givenPasskey(gateway, person);
  const { token } = person;
  const key = `passkey asked by ${person.id}`;
  const { db, clock } = gateway.deps;
  const window_ends_at = new Date(clock.now().getTime() + 3_600_000);
  const setAttempts = (throttleKey: string) =>
    db
      .insertInto('throttles')
      .values({ key: throttleKey, attempts: 59, window_ends_at })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ attempts: 59 }))
      .execute();
  await setAttempts(key);
  await setAttempts(`step-up asked by ${person.id}`);
  for (const path of ['/authed/step-up/options', '/authed/security/passkeys/options']) {
    expect(outcomeOf(await call('POST', path, undefined, { token }))).toBe('200');
    expect(outcomeOf(await call('POST', path, undefined, { token }))).toBe('RATE_LIMITED');
  }
});

test('an owner without any known browser or session is notified of a sign-in', async () => {
  const person = await newPerson();
  const forgetBrowsersAndSessions = async () => {
    for (const table of ['sessions', 'known_devices'] as const)
      await gateway.deps.db.deleteFrom(table).where('user_id', '=', person.id).execute();
  };
  await forgetBrowsersAndSessions();
  expect(await signIn(person)).toMatchObject({ status: 200 });
  expect((await titlesFor(person.id)).mails).toEqual([]);
  await forgetBrowsersAndSessions();
  await gateway.advance(61 * minute);
  expect(await signIn(person)).toMatchObject({ status: 200 });
  expect((await titlesFor(person.id)).mails).toEqual(['Novo acesso à sua conta']);
});

test('an owner is notified of a sign-in from an unknown browser, in a text that the visitor cannot influence', async () => {
  const person = await newPerson();
  const cookie = createDeviceCookie(gateway.deps.config.publicUrl).setCookie.split(';')[0] ?? '';
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 https://evil.example/';
  const headers = { cookie, 'user-agent': userAgent };
  for (let times = 0; times < 2; times += 1) await signIn(person, { headers });
  expect(await titlesFor(person.id)).toEqual({
    mails: ['Novo acesso à sua conta'],
    notifications: ['Novo acesso à sua conta'],
  });
  const { body } = await gateway.deps.db
    .selectFrom('mails')
    .select('body')
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow();
  expect(body).toContain('Chrome no Windows, endereço 127.0.0.1.');
  expect(body).not.toContain('evil');
});
