import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '@jangada/sandbox';

/** Banco Sandbox on a free port, with the calls that tests make at it. */
export type TestBank = RunningSandbox & {
  /** Pays a code, or a key directly; answers the endToEndId. */
  pay(payment: Record<string, unknown>): Promise<string>;
  /** What is not named is normal. */
  behave(behaviour: Record<string, unknown>): Promise<void>;
  advance(seconds: number): Promise<void>;
};

export async function startTestBank(options: Partial<SandboxOptions> = {}): Promise<TestBank> {
  const dataDir = mkdtempSync(join(tmpdir(), 'jangada-bank-'));
  const bank = await startSandbox({ dataDir, ...options });
  const send = async (method: string, path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await fetch(bank.url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Banco Sandbox answered ${answer.status} to ${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  return {
    ...bank,
    pay: async (payment) => String((await send('POST', '/sandbox/payments', payment))['endToEndId']),
    behave: async (behaviour) => {
      const normal = { notifications: 'normal', charges: 'normal', confirmations: 'normal' };
      await send('PUT', '/sandbox/behaviour', { ...normal, ...behaviour });
    },
    advance: async (seconds) => void (await send('POST', '/sandbox/clock', { advanceSeconds: seconds })),
    async stop() {
      await bank.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
