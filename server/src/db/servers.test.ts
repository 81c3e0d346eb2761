import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { findFreePort } from '../../test/free-port.ts';
import { startSilentProxy } from '../../test/silent-proxy.ts';
import { readConfig } from '../config.ts';
import { connectClient } from './client.ts';
import { DatabaseUnavailable } from './outage.ts';
import { createPool } from './pool.ts';
import { serversOf } from './servers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The test database's address with these servers in the place of its own. */
function addressOf(...hosts: string[]): string {
  const url = new URL(database.appUrl);
  url.searchParams.delete('host');
  return url.href.replace(url.host, hosts.join(','));
}
const ownHost = () => new URL(database.appUrl).host;
const readOnly = 'options=-c%20default_transaction_read_only%3Don';

test('an address names one server or several', () => {
  const end = '/jangada?target_session_attrs=read-write';
  expect(serversOf(`postgres://app:p%40ss@one:5432,two,[::1]:5433${end}`)).toEqual([
    `postgres://app:p%40ss@one:5432${end}`,
    `postgres://app:p%40ss@two${end}`,
    `postgres://app:p%40ss@[::1]:5433${end}`,
  ]);
  for (const one of ['postgres://app@one/jangada', 'postgresql:///jangada?host=/run/a,b'])
    expect(serversOf(one)).toEqual([one]);
});

test('a server that cannot be reached is passed over', async () => {
  const address = addressOf(`127.0.0.1:${await findFreePort()}`, ownHost());
  const pool = createPool({ url: address, max: 1 });
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

test('a server that cannot be written to is refused, with the reason of each', async () => {
  const port = await findFreePort();
  const address = addressOf(`127.0.0.1:${port}`, ownHost());
  const refused = connectClient(`${address}?${readOnly}`);
  await expect(refused).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(refused).rejects.toThrow(
    `no server of the database can be written to (127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}; ${ownHost()}: read-only)`,
  );
  await expect(
    connectClient(`${addressOf(ownHost())}?target_session_attrs=read-write&${readOnly}`),
  ).rejects.toThrow('read-only');
});

test('the next connection leads to the other server when the first has gone', async () => {
  const [one, other] = [
    await startSilentProxy(addressOf(ownHost())),
    await startSilentProxy(addressOf(ownHost())),
  ];
  const hostOf = (proxy: typeof one) => new URL(proxy.url(database.appUrl)).host;
  const pool = createPool({ url: addressOf(hostOf(one), hostOf(other)), max: 2 });
  const isAnswered = () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    );
  other.setConnectionsRefused(true);
  expect(await isAnswered()).toBe(true);
  one.setConnectionsRefused(true);
  other.setConnectionsRefused(false);
  await expect.poll(isAnswered).toBe(true);
  await pool.end();
  await Promise.all([one.stop(), other.stop()]);
});

test('an address for reading only is refused at the start', () => {
  const named = (end: string) => () => readConfig({ DATABASE_URL: `postgres://one,two:5433/jangada${end}` });
  expect(named('')().databaseUrl).toBe('postgres://one,two:5433/jangada');
  expect(named('?target_session_attrs=any')).toThrow(
    'DATABASE_URL só pode ter target_session_attrs=read-write ou primary',
  );
  expect(() => readConfig({ DATABASE_URL: 'postgres://one,two:no/jangada' })).toThrow(
    'DATABASE_URL deve ser um endereço completo',
  );
});
