import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../accounts.ts';
import {
  createFirstLookUpDenier,
  createFirstTimeCheck,
  delayOrRefuseLookUp,
  leaveUnanswered,
  serviceUnavailable,
} from '../misbehave.ts';
import { formatRefund } from '../pix.ts';
import { Problem } from '../refusal.ts';
import { readRefundRequest, refundBehaviour, requestRefund } from '../request-refund.ts';
import { bankOf, requireScope } from './oauth-routes.ts';

interface RefundPath {
  Params: { e2eid: string; id: string };
}

/** Refunds of received Pix: the devoluções of BACEN's tag Pix. */
export function refundRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'pix.read') };
  const writeAccess = { onRequest: requireScope(accounts, 'pix.write') };
  const shouldDenyLookUp = createFirstLookUpDenier();
  const isFirstAttempt = createFirstTimeCheck();

  app.put<RefundPath>('/v2/pix/:e2eid/devolucao/:id', writeAccess, async (request, reply) => {
    const { e2eid, id } = request.params;
    const bank = bankOf(request);
    if (bank.books.behaviour.refunds === 'down') throw serviceUnavailable();
    const refundRequest = readRefundRequest(id, request.body);
    const behaviour = refundBehaviour(bank, refundRequest.amountCents);
    // Only a special amount can lead here with `down`. It fails only the first attempt with an id.
    if (behaviour === 'down' && isFirstAttempt(bank.books, `${e2eid} ${id}`)) throw serviceUnavailable();
    const pix = bank.books.pix.get(e2eid);
    if (pix === undefined) throw new Problem('NaoEncontrado', 'Pix não encontrado para o e2eid informado.');
    const refund = await requestRefund(bank, pix, refundRequest);
    if (behaviour === 'accepted-then-timeout') return leaveUnanswered(bank, reply);
    return reply.status(201).send(formatRefund(refund));
  });
  app.get<RefundPath>('/v2/pix/:e2eid/devolucao/:id', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseLookUp(bank.books)) === 'hang') return leaveUnanswered(bank, reply);
    const { e2eid, id } = request.params;
    const refund = bank.books.refundsByPix.get(e2eid)?.find((found) => found.id === id);
    if (refund === undefined || shouldDenyLookUp(bank.books, `${e2eid} ${id}`)) {
      throw new Problem(
        'PixDevolucaoNaoEncontrada',
        'Devolução não encontrada para o e2eid e o id informados.',
      );
    }
    await bank.books.untilDurable();
    return formatRefund(refund);
  });
}
