import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Bank } from './bank.ts';
import { behaviourSchema } from './behaviour.ts';
import { makePayment } from './make-payment.ts';
import { SandboxRefusal } from './refusal.ts';

const MAX_BATCH = 1000;

const durationSeconds = z
  .number()
  .min(0)
  .max(10 * 365 * 86_400);

const clockSchema = z.union([
  z.strictObject({ advanceSeconds: durationSeconds }),
  /**
   * Starts the clock in the past, so that a test can create a history that reaches the present. Allowed only while the
   * books are empty.
   */
  z.strictObject({ beginSecondsAgo: durationSeconds }),
]);

/** Calls for tests and for the bank's app: they pay, set the behaviour, move the time and count notifications. */
export function sandboxRoutes(app: FastifyInstance, bank: Bank): void {
  app.post('/sandbox/payments', async (request, reply) => {
    const { body } = request;
    if (!Array.isArray(body)) return reply.status(201).send(await makePayment(bank, body));
    if (body.length > MAX_BATCH)
      throw new SandboxRefusal('INVALID_REQUEST', `No máximo ${MAX_BATCH} pagamentos por vez.`);
    return reply.status(200).send(await Promise.all(body.map((item) => payOrRefuse(bank, item))));
  });

  app.get('/sandbox/behaviour', () => bank.books.behaviour);
  app.put('/sandbox/behaviour', async (request) => {
    const { data, error } = behaviourSchema.partial().safeParse(request.body);
    if (data === undefined) {
      const fields = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
      throw new SandboxRefusal('INVALID_REQUEST', `O comportamento não pode ser lido: ${fields}`);
    }
    const changes = Object.entries(data).filter(([name]) => hasField(request.body, name));
    const behaviour = behaviourSchema.parse({ ...bank.books.behaviour, ...Object.fromEntries(changes) });
    await bank.books.record({ t: 'behaviour', behaviour });
    return behaviour;
  });

  app.get('/sandbox/clock', () => formatClock(bank));
  app.post('/sandbox/clock', async (request) => {
    const { data } = clockSchema.safeParse(request.body);
    if (data === undefined)
      throw new SandboxRefusal('INVALID_REQUEST', 'Diga em advanceSeconds quantos segundos avançar.');
    if ('beginSecondsAgo' in data && !bank.books.isEmpty)
      throw new SandboxRefusal('INVALID_REQUEST', 'Só um banco sem movimento começa no passado.');
    const offsetMs =
      'beginSecondsAgo' in data
        ? -Math.round(data.beginSecondsAgo * 1000)
        : bank.books.clock.offsetMs + Math.round(data.advanceSeconds * 1000);
    await bank.books.record({ t: 'clock', offsetMs });
    bank.notifier.wake();
    bank.settler.wake();
    return formatClock(bank);
  });

  app.get('/sandbox/notifications', () => ({
    pending: bank.books.notices.size,
    delivered: bank.books.noticeCounts.delivered,
    givenUp: bank.books.noticeCounts.givenUp,
    /** Unfinished refunds and payouts. */
    settling: bank.books.pending.size,
  }));
}

async function payOrRefuse(bank: Bank, item: unknown): Promise<object> {
  try {
    return await makePayment(bank, item);
  } catch (error) {
    if (error instanceof SandboxRefusal) return error.body;
    throw error;
  }
}

/** Whether the request itself has this field. Defaults that the schema fills in must not overwrite the behaviour. */
function hasField(body: unknown, name: string): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name);
}

function formatClock(bank: Bank): object {
  const { clock } = bank.books;
  return { now: new Date(clock.now()).toISOString(), offsetSeconds: clock.offsetMs / 1000 };
}
