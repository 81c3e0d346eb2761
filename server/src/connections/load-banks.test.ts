import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenAdmin, givenMerchant } from '../../test/given.ts';
import { givenConnection } from '../../test/given-connection.ts';
import { selectChangedSince } from './store.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

const givenAccount = async () => {
  const owner = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
  return givenConnection(gateway, owner);
};

test('a change that was written by a host whose clock is behind is seen', async () => {
  const { db, banks, clock } = gateway.deps;
  const { id } = await givenAccount();
  await banks.refresh();
  const before = banks.of(id).psp;
  await db
    .updateTable('bank_connections')
    .set({
      sealed_credentials: Buffer.from('others'),
      updated_at: new Date(clock.now().getTime() - 30 * 60_000),
    })
    .where('id', '=', id)
    .execute();
  await banks.refresh();
  expect(banks.of(id).psp).not.toBe(before);
});

test('accounts that are known as they are are not read again', async () => {
  const { db } = gateway.deps;
  const { id } = await givenAccount();
  const { updated_at: changedAt } = await db
    .selectFrom('bank_connections')
    .select('updated_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const readIds = async (known: ReadonlyMap<number, Date>) =>
    (await selectChangedSince(db, changedAt, known)).map((row) => row.id);
  expect(await readIds(new Map())).toContain(id);
  expect(await readIds(new Map([[id, changedAt]]))).not.toContain(id);
  expect(await readIds(new Map([[id, new Date(changedAt.getTime() - 1)]]))).toContain(id);
});
