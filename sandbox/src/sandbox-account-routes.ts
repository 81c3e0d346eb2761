import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Accounts } from './accounts.ts';
import type { Bank } from './bank.ts';
import { chooseAccount } from './choose-account.ts';
import { formatMoment } from './clock.ts';
import { closeDispute } from './close-dispute.ts';
import { moveMoney, readAmount } from './move-money.ts';
import { openDispute } from './open-dispute.ts';
import { formatPayout } from './payout.ts';
import type { SandboxDispute, SandboxMovement } from './records.ts';
import { SandboxRefusal } from './refusal.ts';

const resolutionSchema = z.union([
  z.strictObject({
    accepted: z.boolean(),
    /** The maximum to refund if the dispute is accepted, in BRL. */
    amount: z.number().optional(),
    /** Seconds until the money is refunded, by the bank's clock. */
    returnSeconds: z
      .number()
      .min(0)
      .max(90 * 86_400)
      .optional(),
  }),
  z.strictObject({ cancelled: z.literal(true) }),
]);

/**
 * Calls for tests and for the bank's app: an account's totals, movements other than Pix, payouts and disputes. What
 * names a payment or a dispute finds its account by that.
 */
export function sandboxAccountRoutes(app: FastifyInstance, accounts: Accounts): void {
  app.get('/sandbox/account', async (request) => {
    const bank = chooseAccount(accounts, request.query);
    await bank.books.untilDurable();
    return formatAccount(bank);
  });
  app.post('/sandbox/account/movements', async (request, reply) => {
    const bank = chooseAccount(accounts, request.query);
    return reply.status(201).send(formatMovement(await moveMoney(bank, request.body)));
  });
  app.get('/sandbox/payouts', async (request) => {
    const { books } = chooseAccount(accounts, request.query);
    await books.untilDurable();
    return [...books.payouts.values()].map(formatPayout);
  });
  app.get('/sandbox/disputes', async (request) => {
    const { books } = chooseAccount(accounts, request.query);
    await books.untilDurable();
    return [...books.disputes.values()].map(formatDisputeInReais);
  });
  app.post('/sandbox/disputes', async (request, reply) =>
    reply.status(201).send(formatDisputeInReais(await openDispute(accounts, request.body))),
  );
  app.post<{ Params: { id: string } }>('/sandbox/disputes/:id/resolution', async (request) =>
    formatDisputeInReais(await resolveDispute(accounts, request.params.id, request.body)),
  );
}

async function resolveDispute(accounts: Accounts, id: string, body: unknown): Promise<SandboxDispute> {
  const { data } = resolutionSchema.safeParse(body);
  if (data === undefined) {
    throw new SandboxRefusal(
      'INVALID_REQUEST',
      'Diga em accepted (true ou false) ou em cancelled como ela termina.',
    );
  }
  const bank = accounts.all.find(({ books }) => books.disputes.has(id));
  const dispute = bank?.books.disputes.get(id);
  if (bank === undefined || dispute === undefined)
    throw new SandboxRefusal('NOT_FOUND', 'Esta contestação não existe.');
  if (dispute.closedAt !== undefined)
    throw new SandboxRefusal('DISPUTE_CLOSED', 'Esta contestação já terminou.');
  if ('cancelled' in data) return closeDispute(bank, dispute, 'CANCELADA_EFI');
  if (!data.accepted) return closeDispute(bank, dispute, 'REJEITADA');
  const { amount, returnSeconds } = data;
  const maxRefundCents = amount === undefined ? dispute.amountCents : readAmount(amount);
  if (maxRefundCents > dispute.amountCents) {
    throw new SandboxRefusal('AMOUNT_EXCEEDED', 'O valor passa do que foi contestado.');
  }
  return closeDispute(bank, dispute, 'ACEITA', {
    maxRefundCents,
    ...(returnSeconds !== undefined && { returnSeconds }),
  });
}

/** Formats the account with amounts in BRL. The balance includes the blocked amount. */
function formatAccount({ account, books }: Bank): object {
  const { received, refunded, sent, cameBack, moved } = books.tallies;
  return {
    ...account,
    balance: books.balanceCents / 100,
    blocked: books.blockedCents / 100,
    payments: books.pix.size,
    totals: {
      received: received / 100,
      refunded: refunded / 100,
      sent: sent / 100,
      cameBack: cameBack / 100,
      moved: moved / 100,
    },
    movements: books.movements.map(formatMovement),
  };
}

function formatMovement({ amountCents, at, ...movement }: SandboxMovement): object {
  return { ...movement, amount: amountCents / 100, at: formatMoment(at) };
}

/** Formats a dispute for the sandbox's own calls, unlike `formatDispute`, which has Efí's format. */
function formatDisputeInReais({ amountCents, openedAt, deadlineAt, ...dispute }: SandboxDispute): object {
  const { id, protocol, endToEndId, reason, comment, status, defence } = dispute;
  return {
    id,
    protocol,
    endToEndId,
    amount: amountCents / 100,
    reason,
    ...(comment !== undefined && { comment }),
    status,
    openedAt: formatMoment(openedAt),
    deadlineAt: formatMoment(deadlineAt),
    ...(defence !== undefined && { defence: { ...defence, at: formatMoment(defence.at) } }),
  };
}
