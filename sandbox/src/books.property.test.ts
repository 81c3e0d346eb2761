import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Client, connect, givenDirectory } from '../test/bank.ts';
import { startSandbox } from './index.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 5);
const STEPS = 40;
const WINDOW = 'inicio=2020-01-01T00:00:00Z&fim=2100-01-01T00:00:00Z&paginacao.itensPorPagina=1000';

/**
 * Operations on the bank. `pick` selects one of the existing Pix or disputes. The bank may refuse an impossible operation.
 */
const anyCommand = fc.oneof(
  fc.record({ kind: fc.constant('receive' as const), cents: fc.integer({ min: 1, max: 50_000 }) }),
  fc.record({
    kind: fc.constant('refund' as const),
    cents: fc.integer({ min: 1, max: 10_000 }),
    pick: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('pay out' as const),
    cents: fc.option(fc.integer({ min: 1, max: 10_000 })),
  }),
  fc.record({
    kind: fc.constant('contest' as const),
    cents: fc.option(fc.integer({ min: 1, max: 10_000 })),
    pick: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('resolve' as const),
    pick: fc.nat(),
    how: fc.constantFrom(
      { accepted: true },
      { accepted: true, amount: 1 },
      { accepted: true, returnSeconds: 100 },
      { accepted: false },
      { cancelled: true },
    ),
  }),
  fc.record({
    kind: fc.constant('move' as const),
    cents: fc.integer({ min: 1, max: 10_000 }),
    how: fc.constantFrom('tariff', 'withdrawal', 'deposit'),
  }),
  fc.record({
    kind: fc.constant('behave' as const),
    payouts: fc.constantFrom(
      'normal',
      'refused',
      'slow',
      'accepted-then-timeout',
      'lost-then-timeout',
      'returned',
      'wrong-notification',
      'refused-in-call',
    ),
    refunds: fc.constantFrom('normal', 'refused', 'slow', 'accepted-then-timeout', 'refused-in-call'),
  }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 5000 }) }),
  fc.record({ kind: fc.constant('restart' as const) }),
);

type Command = typeof anyCommand extends fc.Arbitrary<infer T> ? T : never;

async function execute(bank: Client, command: Command, step: number): Promise<void> {
  const { key } = bank.sandbox.account;
  const choose = <T>(items: readonly T[], pick: number): T | undefined => items[pick % items.length];
  const received = async () => (await bank.api('GET', `/v2/pix?${WINDOW}`)).body.pix;
  switch (command.kind) {
    case 'receive':
      await bank.call('POST', '/sandbox/payments', { key, amount: command.cents / 100 });
      return;
    case 'refund': {
      const { endToEndId } = choose<{ endToEndId: string }>(await received(), command.pick) ?? {
        endToEndId: 'E',
      };
      const valor = (command.cents / 100).toFixed(2);
      await bank.isAnswered('PUT', `/v2/pix/${endToEndId}/devolucao/r${step}`, { valor });
      return;
    }
    case 'pay out': {
      const { saldo } = (await bank.api('GET', '/v2/gn/saldo')).body;
      const valor = command.cents === null ? saldo : (command.cents / 100).toFixed(2);
      const body = { valor, pagador: { chave: key }, favorecido: { chave: 'maria@example.com' } };
      await bank.isAnswered('PUT', `/v3/gn/pix/s${step}`, body);
      return;
    }
    case 'contest': {
      const { endToEndId } = choose<{ endToEndId: string }>(await received(), command.pick) ?? {
        endToEndId: 'E',
      };
      const amount = command.cents === null ? undefined : command.cents / 100;
      const dispute = { endToEndId, reason: 'golpe', amount };
      await bank.call('POST', '/sandbox/disputes', dispute);
      return;
    }
    case 'resolve': {
      const disputes: { id: string }[] = (await bank.call('GET', '/sandbox/disputes')).body;
      const id = choose(disputes, command.pick)?.id ?? 'none';
      await bank.call('POST', `/sandbox/disputes/${id}/resolution`, command.how);
      return;
    }
    case 'move':
      await bank.call('POST', '/sandbox/account/movements', {
        kind: command.how,
        amount: command.cents / 100,
      });
      return;
    case 'behave':
      await bank.call('PUT', '/sandbox/behaviour', { ...command, kind: undefined });
      return;
    case 'wait':
      await bank.call('POST', '/sandbox/clock', { advanceSeconds: command.seconds });
      return;
    case 'restart':
      return;
  }
}

const amount = z.string().transform((text) => Math.round(Number(text) * 100));
const pixSchema = z.array(
  z.object({
    valor: amount,
    devolucoes: z.array(z.object({ valor: amount, status: z.string() })).default([]),
  }),
);
const payoutsSchema = z.array(
  z.object({
    valor: amount,
    status: z.string(),
    devolucoes: z.array(z.object({ valor: amount })).default([]),
  }),
);
const movementsSchema = z.array(z.object({ kind: z.string(), amount: z.number() }));

const sum = (cents: readonly number[]) => cents.reduce((total, amountCents) => total + amountCents, 0);
const debitedCents = (items: readonly { valor: number; status: string }[]) =>
  sum(items.filter(({ status }) => status !== 'NAO_REALIZADO').map(({ valor }) => valor));

/** Computes the balance that follows from the bank's lists, in cents. */
async function computeBalance(bank: Client): Promise<number> {
  const pix = pixSchema.parse((await bank.api('GET', `/v2/pix?${WINDOW}`)).body.pix);
  const payouts = payoutsSchema.parse((await bank.api('GET', `/v2/gn/pix/enviados?${WINDOW}`)).body.pix);
  const { movements } = (await bank.call('GET', '/sandbox/account')).body;
  for (const { valor, devolucoes } of pix) expect(debitedCents(devolucoes)).toBeLessThanOrEqual(valor);
  return (
    sum(pix.map(({ valor }) => valor)) -
    sum(pix.map(({ devolucoes }) => debitedCents(devolucoes))) -
    debitedCents(payouts) +
    sum(payouts.flatMap(({ devolucoes }) => devolucoes.map(({ valor }) => valor))) +
    sum(
      movementsSchema
        .parse(movements)
        .map(({ kind, amount }) => Math.round(amount * 100) * (kind === 'deposit' ? 1 : -1)),
    )
  );
}

const balanceOf = async (bank: Client): Promise<number> =>
  (await bank.call('GET', '/sandbox/account')).body.balance;

const disputesSchema = z.array(z.object({ status: z.string(), amount: z.number() }));

/** Expects the balance to be what the lists add up to, never negative, and no more of it blocked than open disputes demand. */
async function checkBalances(bank: Client): Promise<void> {
  let [computed, balance] = [await computeBalance(bank), await balanceOf(bank)];
  // A pending payout or refund may finish between two reads, so the reads are repeated until the computed balance stays the same.
  for (let next = await computeBalance(bank); next !== computed; next = await computeBalance(bank)) {
    [computed, balance] = [next, await balanceOf(bank)];
  }
  expect(Math.round(balance * 100)).toBe(computed);
  const { saldo, bloqueios } = (await bank.api('GET', '/v2/gn/saldo?bloqueios=true')).body;
  // Both figures come from one response, since a payout that is refused or returned meanwhile raises the balance.
  const account = (await bank.call('GET', '/sandbox/account')).body;
  const disputes = disputesSchema.parse((await bank.call('GET', '/sandbox/disputes')).body);
  const open = disputes.filter(({ status }) => status === 'ABERTA' || status === 'EM_DEFESA');
  expect(balance).toBeGreaterThanOrEqual(0);
  expect(Number(saldo)).toBeGreaterThanOrEqual(0);
  expect(Number(bloqueios.med)).toBeLessThanOrEqual(sum(open.map(({ amount }) => amount)) + 1e-9);
  expect(account.blocked).toBeLessThanOrEqual(account.balance);
}

test('after any sequence of operations the lists add up to the balance, which is never negative', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCommand, { minLength: STEPS, maxLength: STEPS }), async (commands) => {
      const dataDir = await givenDirectory();
      // Some amounts, drawn by chance, leave a call without a response until it is cut.
      let bank = await connect(await startSandbox({ dataDir, durable: false, hangMs: 20 }));
      try {
        for (const [step, command] of commands.entries()) {
          await execute(bank, command, step);
          if (command.kind === 'restart') {
            await bank.sandbox.stop();
            bank = await connect(await startSandbox({ dataDir, durable: false, hangMs: 20 }));
          }
          if (step % 4 === 0 || command.kind === 'restart') await checkBalances(bank);
        }
        await bank.call('POST', '/sandbox/clock', { advanceSeconds: 10_000 });
        await checkBalances(bank);
      } finally {
        await bank.sandbox.stop();
      }
    }),
    { numRuns: RUNS },
  );
});
