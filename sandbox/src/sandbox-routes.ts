import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Accounts } from './accounts.ts';
import { behaviourSchema } from './behaviour.ts';
import { chooseAccount } from './choose-account.ts';
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
export function sandboxRoutes(app: FastifyInstance, accounts: Accounts): void {
  app.post('/sandbox/payments', async (request, reply) => {
    const { body } = request;
    if (!Array.isArray(body)) return reply.status(201).send(await makePayment(accounts, body));
    if (body.length > MAX_BATCH)
      throw new SandboxRefusal('INVALID_REQUEST', `No máximo ${MAX_BATCH} pagamentos por vez.`);
    return reply.status(200).send(await Promise.all(body.map((item) => payOrRefuse(accounts, item))));
  });

  app.get('/sandbox/behaviour', (request) => chooseAccount(accounts, request.query).books.behaviour);
  app.put('/sandbox/behaviour', async (request) => {
    const { data, error } = behaviourSchema.partial().safeParse(request.body);
    if (data === undefined) {
      const fields = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
      throw new SandboxRefusal('INVALID_REQUEST', `O comportamento não pode ser lido: ${fields}`);
    }
    const { books } = chooseAccount(accounts, request.query);
    const changes = Object.entries(data).filter(([name]) => hasField(request.body, name));
    const behaviour = behaviourSchema.parse({ ...books.behaviour, ...Object.fromEntries(changes) });
    await books.record({ t: 'behaviour', behaviour });
    return behaviour;
  });

  app.get('/sandbox/clock', () => formatClock(accounts));
  app.post('/sandbox/clock', async (request) => {
    const { data } = clockSchema.safeParse(request.body);
    if (data === undefined)
      throw new SandboxRefusal('INVALID_REQUEST', 'Diga em advanceSeconds quantos segundos avançar.');
    if ('beginSecondsAgo' in data && !accounts.isEmpty)
      throw new SandboxRefusal('INVALID_REQUEST', 'Só um banco sem movimento começa no passado.');
    const offsetMs =
      'beginSecondsAgo' in data
        ? -Math.round(data.beginSecondsAgo * 1000)
        : accounts.clock.offsetMs + Math.round(data.advanceSeconds * 1000);
    await accounts.first.books.record({ t: 'clock', offsetMs });
    accounts.wake();
    return formatClock(accounts);
  });

  app.get('/sandbox/notifications', (request) => {
    const { notices, noticeCounts, pending } = chooseAccount(accounts, request.query).books;
    const { delivered, givenUp } = noticeCounts;
    /** `settling` counts the unfinished refunds and payouts. */
    return { pending: notices.size, delivered, givenUp, settling: pending.size };
  });
}

async function payOrRefuse(accounts: Accounts, item: unknown): Promise<object> {
  try {
    return await makePayment(accounts, item);
  } catch (error) {
    if (error instanceof SandboxRefusal) return error.body;
    throw error;
  }
}

/** Whether the request itself has this field. Defaults that the schema fills in must not overwrite the behaviour. */
function hasField(body: unknown, name: string): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name);
}

function formatClock({ clock }: Accounts): object {
  return { now: new Date(clock.now()).toISOString(), offsetSeconds: clock.offsetMs / 1000 };
}
