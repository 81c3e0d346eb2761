import { login, notificationTicket, profile, register } from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { parseSuccess } from '../../test/given.ts';
import { newPerson } from '../../test/people.ts';
import { waitForBlockedTransactions } from '../../test/wait-for-blocked-transactions.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false, env: { TRUST_PROXY: 'loopback' } });
});
afterAll(() => gateway.stop());

async function givenPerson() {
  const person = newPerson();
  const { token } = parseSuccess(register.response, await gateway.api('POST', '/register', person));
  return { ...person, token };
}

describe('over HTTP', () => {
  test('a user registers, reads their account, signs out, and signs in again', async () => {
    const { username, password, token } = await givenPerson();
    const { user } = parseSuccess(
      profile.response,
      await gateway.api('GET', '/authed/profile', undefined, { token }),
    );
    expect(user).toMatchObject({ username, approved: false, balance: 0, apiKey: '' });
    const taxes = await gateway.api('GET', '/authed/user/taxes', undefined, { token });
    expect(taxes.body).toEqual({ success: true, data: user.taxes });
    const ticket = await gateway.api('POST', '/authed/notifications/ticket', undefined, { token });
    expect(parseSuccess(notificationTicket.response, ticket).ticket).not.toBe(token);

    await gateway.api('POST', '/logout', undefined, { token });
    const after = await gateway.api('GET', '/authed/profile', undefined, { token });
    expect(after).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
    parseSuccess(login.response, await gateway.api('POST', '/login', { username, password }));
  });

  test('a call whose session ends while it is under way is answered like one without a session', async () => {
    const { token } = await givenPerson();
    const { db } = gateway.deps;
    const [ending, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const signedOut = db.transaction().execute(async (tx) => {
      await sql`delete from sessions where token_hash = sha256(${token}::text::bytea)`.execute(tx);
      ending.resolve();
      await end.promise;
    });
    await ending.promise;
    const ticket = gateway.api('POST', '/authed/notifications/ticket', undefined, { token });
    await waitForBlockedTransactions(db);
    end.resolve();
    await signedOut;
    expect(await ticket).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
  });

  test('the administration is only for administrators', async () => {
    const { token } = await givenPerson();
    for (const path of ['/admin/user/basics', '/admin/users/1'])
      expect(await gateway.api('GET', path, undefined, { token })).toMatchObject({ status: 403 });
    const roleChange = await gateway.api('PUT', '/admin/users/1', { version: 1, role: 'ADMIN' }, { token });
    expect(roleChange).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  });

  test('a known browser may sign in while others at its address guess passwords', async () => {
    const { username, password } = await givenPerson();
    const headers = { 'x-forwarded-for': '203.0.113.77' };
    const signIn = (typedPassword: string, cookie?: string) =>
      gateway.api(
        'POST',
        '/login',
        { username, password: typedPassword },
        {
          headers: cookie === undefined ? headers : { ...headers, cookie },
        },
      );
    const knownCookie = String((await signIn(password)).headers['set-cookie']).split(';')[0];
    for (let guesses = 0; guesses < 10; guesses += 1)
      expect(await signIn('um palpite')).toMatchObject({ status: 401 });
    const refused = await signIn(password);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await signIn(password, knownCookie)).toMatchObject({ status: 200 });
  });
});
