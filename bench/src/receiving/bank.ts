import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brlFromCents } from '@jangada/contract';
import pMap from 'p-map';
import { request } from 'undici';
import { z } from 'zod';
import { DEFAULT_ACCOUNT, DEFAULT_CLIENT } from '../../../sandbox/src/account.ts';
import type { Behaviour } from '../../../sandbox/src/behaviour.ts';
import type { BenchCharge } from './make-charges.ts';
import { type RunningProcess, startProcess } from './start-process.ts';

/**
 * Banco Sandbox, the bank of the test mode, as a separate process. Here the bank sends no notifications of payments:
 * the load process sends them instead, in the bank's format.
 */
export type RunningBank = {
  readonly process: RunningProcess;
  readonly port: number;
  readonly url: string;
  now(): Promise<Date>;
  /** Moves the bank's clock. */
  advance(seconds: number): Promise<void>;
  /** Opens another account, for which the bank sends no notifications either. */
  openAccount(): Promise<BenchBankAccount>;
  /** Changes how the bank behaves for one account. */
  behave(account: Pick<BenchBankAccount, 'id'>, behaviour: Partial<Behaviour>): Promise<void>;
  /** Pays charges, in their order: to the first account, or to the key of each. */
  pay(charges: readonly BenchCharge[], keyOf?: (charge: BenchCharge) => string): Promise<void>;
  /** Reads all Pix that an account received so far, as notifications contain them, in order of arrival. */
  listReceived(account?: Pick<BenchBankAccount, 'clientId' | 'clientSecret'>): Promise<unknown[]>;
};

/** An account that was opened while the bank ran, and its credentials. */
export type BenchBankAccount = z.infer<typeof accountSchema>;

const paymentsPerCall = 1000;
const firstClient = { clientId: DEFAULT_CLIENT.id, clientSecret: DEFAULT_CLIENT.secret };

export async function startBank(folder: string, port: number): Promise<RunningBank> {
  const running = startProcess({
    program: new URL('../../../sandbox/src/main.ts', import.meta.url),
    env: { SANDBOX_PORT: String(port), SANDBOX_DATA_DIR: join(folder, 'bank') },
    log: join(folder, 'bank.log'),
  });
  const url = `http://127.0.0.1:${port}`;
  const callBank = async (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: unknown,
    authorization = '',
  ) => {
    const response = await request(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`Banco Sandbox answered ${response.statusCode}: ${text}`);
    return JSON.parse(text) as unknown;
  };
  await waitUntilResponding(running, () => callBank('GET', '/sandbox/clock'));
  await callBank('PUT', '/sandbox/behaviour', { notifications: 'never' });
  return {
    process: running,
    port,
    url,
    now: async () => new Date(clockSchema.parse(await callBank('GET', '/sandbox/clock')).now),
    advance: async (advanceSeconds) => void (await callBank('POST', '/sandbox/clock', { advanceSeconds })),
    async openAccount() {
      const holder = { name: 'Empório Capibaribe', document: '11222333000181', city: 'RECIFE' };
      const account = accountSchema.parse(await callBank('POST', '/sandbox/accounts', holder));
      await callBank('PUT', `/sandbox/behaviour?account=${account.id}`, { notifications: 'never' });
      return account;
    },
    behave: async ({ id }, behaviour) =>
      void (await callBank('PUT', `/sandbox/behaviour?account=${id}`, behaviour)),
    async pay(charges, keyOf = () => DEFAULT_ACCOUNT.key) {
      for (let from = 0; from < charges.length; from += paymentsPerCall) {
        const orders = charges.slice(from, from + paymentsPerCall).map((charge) => ({
          key: keyOf(charge),
          txid: charge.txid,
          amount: brlFromCents(charge.amountCents),
        }));
        receiptsSchema.parse(await callBank('POST', '/sandbox/payments', orders));
      }
    },
    async listReceived({ clientId, clientSecret } = firstClient) {
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      const tokenResponse = await callBank(
        'POST',
        '/oauth/token',
        { grant_type: 'client_credentials' },
        `Basic ${basic}`,
      );
      const authorization = `Bearer ${tokenSchema.parse(tokenResponse).access_token}`;
      const readPage = async (number: number) => {
        const query = new URLSearchParams({
          inicio: '2020-01-01T00:00:00Z',
          fim: '2100-01-01T00:00:00Z',
          'paginacao.paginaAtual': String(number),
          'paginacao.itensPorPagina': '1000',
        });
        return listSchema.parse(await callBank('GET', `/v2/pix?${query}`, undefined, authorization));
      };
      const firstPage = await readPage(0);
      const otherPages = Array.from(
        { length: firstPage.parametros.paginacao.quantidadeDePaginas - 1 },
        (_, index) => index + 1,
      );
      return [firstPage, ...(await pMap(otherPages, readPage, { concurrency: 2 }))].flatMap(({ pix }) => pix);
    },
  };
}

const accountSchema = z.object({
  id: z.string(),
  key: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
});
const clockSchema = z.object({ now: z.string() });
const receiptsSchema = z.array(z.object({ endToEndId: z.string() }));
const tokenSchema = z.object({ access_token: z.string() });
const listSchema = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.int() }) }),
  pix: z.array(z.unknown()),
});

/**
 * Waits until a call to a newly started process succeeds.
 * @throws if the process ends before that
 */
export async function waitUntilResponding(
  running: RunningProcess,
  call: () => Promise<unknown>,
): Promise<void> {
  while (running.child.exitCode === null && running.child.signalCode === null) {
    const isResponding = await call().then(
      () => true,
      () => false,
    );
    if (isResponding) return;
    await sleep(50);
  }
  throw new Error(`A process did not start:\n${running.output()}`);
}
