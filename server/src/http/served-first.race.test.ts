import { errorEnvelope } from '@jangada/contract';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenCharge, givenMerchant } from '../../test/given.ts';

let gateway: TestGateway;
let otherConnection: Client;
beforeAll(async () => {
  gateway = await startTestGateway();
  otherConnection = new Client({ connectionString: gateway.database.ownerUrl });
  await otherConnection.connect();
});
afterAll(async () => {
  await otherConnection.end();
  await gateway.stop();
});

const callSlots = 128;
/** The database connections that API calls share. */
const callConnections = 16;

/** Counts the connections that wait for the table of API keys, which the test locks to block every call. */
async function countWaitingForKeys(): Promise<number> {
  const { rows } = await otherConnection.query<{ waiting: number }>(
    "select count(*)::int as waiting from pg_locks where not granted and relation = 'api_keys'::regclass",
  );
  return rows[0]?.waiting ?? 0;
}

async function isPaid(id: string): Promise<boolean> {
  const { rows } = await otherConnection.query<{ status: string }>(
    'select status from charges where id = $1',
    [id],
  );
  return rows[0]?.status === 'paid';
}

test('with all call slots and connections in use, a notice is stored and its Pix credited, and further calls get 503', async () => {
  const merchant = await givenMerchant(gateway);
  const charge = await givenCharge(gateway, merchant);
  const readKey = () => gateway.api('GET', '/authed/apikey', undefined, { token: merchant.token });

  await otherConnection.query('begin');
  await otherConnection.query('lock table api_keys in access exclusive mode');
  const outcomes: ApiAnswer[] = [];
  const blockedCalls = Array.from({ length: callSlots }, async () => void outcomes.push(await readKey()));
  await expect.poll(countWaitingForKeys).toBe(callConnections);

  const refused = await readKey();
  expect(refused.status).toBe(503);
  expect(refused.headers['retry-after']).toBe('1');
  const { error, message } = errorEnvelope.parse(refused.body);
  expect(error.code).toBe('OVERLOADED');
  expect(message).toBe('O serviço está ocupado. Tente de novo em instantes.');
  expect((await gateway.api('GET', '/health/live')).status).toBe(200);

  await gateway.bank.pay({ brCode: charge.content });
  await expect.poll(() => isPaid(charge.id)).toBe(true);
  // None of the blocked calls has finished until now.
  expect(outcomes).toEqual([]);
  expect(await countWaitingForKeys()).toBe(callConnections);

  await otherConnection.query('rollback');
  await Promise.all(blockedCalls);
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: callSlots }, () => 200));
  expect((await readKey()).status).toBe(200);
});
