import type { CustomerPage } from '@jangada/contract';
import type { FastifyReply } from 'fastify';
import { type AddPayerRoutes, type AnswerPage, readPayee } from '../checkout/index.ts';
import { findCustomerByToken, type StoredCustomer, setRemindersStopped } from '../customers/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { readCustomerSubscriptions } from '../subscriptions/index.ts';
import { readOwed } from './owed.ts';
import { selectPaidCharges } from './store.ts';

const paidSinceMs = 365 * 86_400_000;

/**
 * Serves the two pages of a customer, to whoever has their addresses: one with everything that is open and what was paid,
 * and one on which the customer stops the reminders, or lets them come again.
 */
export function customerPages(deps: Deps, answerPage: AnswerPage): AddPayerRoutes {
  const renderNotFound = (reply: FastifyReply) =>
    answerPage(reply, { kind: 'notice', about: 'customer-unknown' }, 404);

  async function renderReminders(reply: FastifyReply, customer: StoredCustomer) {
    const payee = await readPayee(deps.db, customer.merchantId);
    const { stopToken: token, remindersStoppedAt } = customer;
    return answerPage(reply, { kind: 'reminders', payee, token, stopped: remindersStoppedAt !== null });
  }

  return (pages) =>
    pages.register(async (scope) => {
      // The address says all; what a form sends besides does not matter.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 4096 }, (_request, _body, done) =>
        done(null, undefined),
      );

      scope.get('/c/:token', async (request, reply) => {
        const { token } = request.params as { readonly token: string };
        const customer = await findCustomerByToken(deps.db, 'page', token);
        if (customer === undefined || customer.archivedAt !== null) return renderNotFound(reply);
        return answerPage(reply, await loadCustomerPage(deps, customer));
      });

      scope.get('/lembretes/:token', async (request, reply) => {
        const { token } = request.params as { readonly token: string };
        const customer = await findCustomerByToken(deps.db, 'stop', token);
        return customer === undefined ? renderNotFound(reply) : renderReminders(reply, customer);
      });

      // Not when the page is opened: mail programs open links to look what is behind them.
      for (const [path, stops] of [
        ['parar', true],
        ['receber', false],
      ] as const)
        scope.post(`/lembretes/:token/${path}`, async (request, reply) => {
          const { token } = request.params as { readonly token: string };
          const customer = await findCustomerByToken(deps.db, 'stop', token);
          if (customer === undefined) return renderNotFound(reply);
          await inTransaction(deps, (tx) => setRemindersStopped(tx, customer, stops ? tx.now : null));
          return reply.redirect(`/lembretes/${token}`, 303);
        });
    });
}

async function loadCustomerPage(
  deps: Pick<Deps, 'db' | 'clock'>,
  { merchantId, id: customerId, name }: StoredCustomer,
): Promise<CustomerPage> {
  const key = { merchantId, customerId };
  const since = new Date(deps.clock.now().getTime() - paidSinceMs);
  const [payee, owed, subscriptions, paid] = await Promise.all([
    readPayee(deps.db, merchantId),
    readOwed(deps, key),
    readCustomerSubscriptions(deps.db, key),
    selectPaidCharges(deps.db, key, since),
  ]);
  return {
    kind: 'customer',
    payee,
    customerName: name,
    open: owed.map(({ txid, expiresAt, ...charge }) => ({
      ...charge,
      id: txid,
      expiresAt: expiresAt.toISOString(),
    })),
    subscriptions,
    paid: paid.flatMap(({ txid, paidAt, ...charge }) =>
      paidAt === null ? [] : [{ ...charge, id: txid, paidAt: paidAt.toISOString() }],
    ),
  };
}
