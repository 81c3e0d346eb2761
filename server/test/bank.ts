import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pixAmountToCents } from '@jangada/pix';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '@jangada/sandbox';
import { z } from 'zod';

/** Banco Sandbox on a free port, with the calls that tests make to it. */
export type TestBank = RunningSandbox & {
  /** Pays a code, or a key directly; returns the endToEndId. */
  pay(payment: Record<string, unknown>): Promise<string>;
  /** Sets how the bank misbehaves, with the sandbox's own settings. Settings that are left out become normal again. */
  setBehaviour(behaviour: Record<string, unknown>): Promise<void>;
  /** Moves the bank's clock. */
  advance(seconds: number): Promise<void>;
  /** The whole balance of the account, including blocked money. */
  balanceCents(): Promise<number>;
  /** Books a bank tariff, or money that the account holder takes out or adds. */
  moveMoney(kind: 'tariff' | 'withdrawal' | 'deposit', amountCents: number): Promise<void>;
  /** Contests a received Pix, by default the whole amount that was not returned. Returns the dispute's id. */
  openDispute(dispute: { endToEndId: string; amountCents?: number; reason?: string }): Promise<string>;
  resolveDispute(disputeId: string, resolution: DisputeResolution): Promise<void>;
  /** All accepted payouts, oldest first. */
  listPayouts(): Promise<SentPix[]>;
  /** Makes a call for tests: what payers do about their mandates. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
};

/** How a dispute ends. The bank returns at most `amountCents`, and the return takes `returnSeconds`. */
export type DisputeResolution =
  | { readonly accepted: boolean; readonly amountCents?: number; readonly returnSeconds?: number }
  | { readonly cancelled: true };

/** A payout in the bank's own books. */
export type SentPix = {
  readonly idEnvio: string;
  readonly endToEndId: string;
  readonly status: 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO';
  readonly amountCents: number;
  readonly pixKey: string;
  readonly cameBack: boolean;
};

const idSchema = z.object({ id: z.string() });

const accountSchema = z.object({ balance: z.number() });

const sentSchema = z.array(
  z
    .object({
      idEnvio: z.string(),
      endToEndId: z.string(),
      status: z.enum(['EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO']),
      valor: z.string(),
      favorecido: z.object({ chave: z.string() }),
      devolucoes: z.array(z.unknown()).optional(),
    })
    .transform(({ idEnvio, endToEndId, status, valor, favorecido, devolucoes }) => ({
      idEnvio,
      endToEndId,
      status,
      amountCents: pixAmountToCents(valor),
      pixKey: favorecido.chave,
      cameBack: devolucoes !== undefined,
    })),
);

/**
 * How long the bank withholds a response before it closes the connection: short, so that the tests do not wait long.
 */
const hangMs = 200;

export async function startTestBank(options: Partial<SandboxOptions> = {}): Promise<TestBank> {
  const dataDir = mkdtempSync(join(tmpdir(), 'jangada-bank-'));
  const bank = await startSandbox({ dataDir, durable: false, hangMs, ...options });
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(bank.url + path, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`Banco Sandbox responded with ${response.status} to ${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  return {
    ...bank,
    pay: async (payment) =>
      z.object({ endToEndId: z.string() }).parse(await call('POST', '/sandbox/payments', payment)).endToEndId,
    setBehaviour: async (behaviour) => {
      const normal = {
        notifications: 'normal',
        charges: 'normal',
        confirmations: 'normal',
        payouts: 'normal',
        refunds: 'normal',
      };
      await call('PUT', '/sandbox/behaviour', { ...normal, ...behaviour });
    },
    advance: async (seconds) => void (await call('POST', '/sandbox/clock', { advanceSeconds: seconds })),
    balanceCents: async () =>
      Math.round(accountSchema.parse(await call('GET', '/sandbox/account')).balance * 100),
    moveMoney: async (kind, amountCents) =>
      void (await call('POST', '/sandbox/account/movements', { kind, amount: amountCents / 100 })),
    openDispute: async ({ endToEndId, amountCents, reason = 'golpe' }) => {
      const amount = inReais(amountCents);
      return idSchema.parse(await call('POST', '/sandbox/disputes', { endToEndId, reason, amount })).id;
    },
    resolveDispute: async (disputeId, resolution) => {
      const { amountCents, ...rest } = { amountCents: undefined, ...resolution };
      const body = { ...rest, amount: inReais(amountCents) };
      await call('POST', `/sandbox/disputes/${disputeId}/resolution`, body);
    },
    control: call,
    listPayouts: async () => sentSchema.parse(await call('GET', '/sandbox/payouts')),
    async stop() {
      await bank.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function inReais(cents: number | undefined): number | undefined {
  return cents === undefined ? undefined : cents / 100;
}
