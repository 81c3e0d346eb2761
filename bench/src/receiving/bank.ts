import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { brlFromCents } from '@jangada/contract';
import pMap from 'p-map';
import { request } from 'undici';
import { z } from 'zod';
import { DEFAULT_ACCOUNT, DEFAULT_CLIENT } from '../../../sandbox/src/account.ts';
import type { BenchCharge } from './make-charges.ts';
import { type RunningProcess, startProcess } from './start-process.ts';

/** Banco Sandbox as a separate process. It sends no notifications itself: the load process does, in the bank's format. */
export type RunningBank = {
  readonly process: RunningProcess;
  readonly port: number;
  readonly url: string;
  now(): Promise<Date>;
  advance(seconds: number): Promise<void>;
  /** Pays charges in order. */
  pay(charges: readonly BenchCharge[]): Promise<void>;
  /** All Pix received so far, in the format of notifications, in order of arrival. */
  received(): Promise<unknown[]>;
};

const paidAtOnce = 1000;

export async function startBank(folder: string, port: number): Promise<RunningBank> {
  const running = startProcess({
    program: new URL('../../../sandbox/src/main.ts', import.meta.url),
    env: { SANDBOX_PORT: String(port), SANDBOX_DATA_DIR: join(folder, 'bank') },
    log: join(folder, 'bank.log'),
  });
  const url = `http://127.0.0.1:${port}`;
  const ask = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown, authorization = '') => {
    const answer = await request(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`Banco Sandbox answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as unknown;
  };
  await untilAnswers(running, () => ask('GET', '/sandbox/clock'));
  await ask('PUT', '/sandbox/behaviour', { notifications: 'never' });
  return {
    process: running,
    port,
    url,
    now: async () => new Date(clock.parse(await ask('GET', '/sandbox/clock')).now),
    advance: async (advanceSeconds) => void (await ask('POST', '/sandbox/clock', { advanceSeconds })),
    async pay(charges) {
      for (let from = 0; from < charges.length; from += paidAtOnce) {
        const orders = charges.slice(from, from + paidAtOnce).map(({ txid, amountCents }) => ({
          key: DEFAULT_ACCOUNT.key,
          txid,
          amount: brlFromCents(amountCents),
        }));
        receipts.parse(await ask('POST', '/sandbox/payments', orders));
      }
    },
    async received() {
      const basic = Buffer.from(`${DEFAULT_CLIENT.id}:${DEFAULT_CLIENT.secret}`).toString('base64');
      const given = await ask('POST', '/oauth/token', { grant_type: 'client_credentials' }, `Basic ${basic}`);
      const authorization = `Bearer ${token.parse(given).access_token}`;
      const page = async (number: number) => {
        const query = new URLSearchParams({
          inicio: '2020-01-01T00:00:00Z',
          fim: '2100-01-01T00:00:00Z',
          'paginacao.paginaAtual': String(number),
          'paginacao.itensPorPagina': '1000',
        });
        return list.parse(await ask('GET', `/v2/pix?${query}`, undefined, authorization));
      };
      const first = await page(0);
      const others = Array.from(
        { length: first.parametros.paginacao.quantidadeDePaginas - 1 },
        (_, at) => at + 1,
      );
      return [first, ...(await pMap(others, page, { concurrency: 2 }))].flatMap(({ pix }) => pix);
    },
  };
}

const clock = z.object({ now: z.string() });
const receipts = z.array(z.object({ endToEndId: z.string() }));
const token = z.object({ access_token: z.string() });
const list = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.int() }) }),
  pix: z.array(z.unknown()),
});

/** Waits until a newly started process responds. */
export async function untilAnswers(running: RunningProcess, ask: () => Promise<unknown>): Promise<void> {
  while (running.child.exitCode === null && running.child.signalCode === null) {
    const answered = await ask().then(
      () => true,
      () => false,
    );
    if (answered) return;
    await pause(50);
  }
  throw new Error(`A process did not start:\n${running.output()}`);
}
