import { centsToPixAmount } from '@jangada/pix';
import type { FastifyInstance } from 'fastify';
import { leaveUnanswered, lookUpHangs } from '../misbehave.ts';
import type { Bank } from '../site.ts';
import { asQuery } from './list-query.ts';
import { requireScope } from './oauth-routes.ts';

/** The account's balance, in Efí's shape: `saldo` is the available part. */
export function balanceRoutes(app: FastifyInstance, bank: Bank): void {
  const { books } = bank;
  app.get('/v2/gn/saldo', { onRequest: requireScope(bank, 'gn.balance.read') }, async (request, reply) => {
    if (await lookUpHangs(books)) return leaveUnanswered(bank, reply);
    await books.durable();
    const saldo = centsToPixAmount(books.availableCents);
    if (asQuery(request.query)['bloqueios'] !== 'true') return { saldo };
    const med = centsToPixAmount(books.blockedCents);
    return { saldo, bloqueios: { judicial: centsToPixAmount(0), med, total: med } };
  });
}
