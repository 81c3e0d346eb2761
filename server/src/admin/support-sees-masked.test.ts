import type { User } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenPerson } from '../../test/people.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

test('support sees personal data of users masked, and searches it by full values only', async () => {
  const document = '85203645003';
  const marina = await givenPerson(gateway.deps, {
    name: 'Marília Quitéria',
    email: 'jq.silva@example.com',
    document,
  });
  const support = await givenPerson(gateway.deps);
  const { db } = gateway.deps;
  await db.updateTable('users').set({ role: 'SUPPORT' }).where('id', '=', support.id).execute();
  const read = async <T>(path: string): Promise<T> =>
    (await gateway.api('GET', path, undefined, { token: support.token })).body as T;

  const { user } = await read<{ user: User }>(`/admin/users/${marina.id}`);
  expect(user).toMatchObject({ name: 'Marília Quitéria', document: '•••036•••••', apiKey: '' });
  expect(user.email).toBe('j•••••••@example.com');
  const findIds = async (search: string) => {
    const { users } = await read<{ users: User[] }>(
      `/admin/user/basics?search=${encodeURIComponent(search)}`,
    );
    expect(JSON.stringify(users)).not.toContain(document);
    return users.map(({ id }) => id);
  };
  const { username, email } = marina;
  for (const search of [
    'quiteria',
    'marilia qui',
    username,
    username.slice(3),
    document,
    '852.036.450-03',
    email,
  ])
    expect([search, await findIds(search)]).toEqual([search, [String(marina.id)]]);
  for (const search of [
    document.slice(0, 10),
    '852.036',
    `quiteria ${document.slice(0, 5)}`,
    email.slice(0, 9),
  ])
    expect([search, await findIds(search)]).toEqual([search, []]);
});
