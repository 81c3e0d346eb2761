import { centsToPixAmount } from '@jangada/pix';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import type { Books } from '../books.ts';
import { formatMoment } from '../clock.ts';
import {
  createFirstLookUpDenier,
  createFirstTimeCheck,
  delayOrRefuseLookUp,
  leaveUnanswered,
  serviceUnavailable,
} from '../misbehave.ts';
import { formatPayout } from '../payout.ts';
import type { Payout } from '../records.ts';
import { Problem } from '../refusal.ts';
import { payoutBehaviour, sendPayout } from '../send-payout.ts';
import { asQuery, paginate, readFlag, readListQuery, readText, sliceWindow } from './list-query.ts';
import { bankOf, requireScope } from './oauth-routes.ts';
import { readPayoutRequest } from './payout-request.ts';

interface IdEnvioPath {
  Params: { idEnvio: string };
}

interface EndToEndIdPath {
  Params: { e2eId: string };
}

/** Payouts, in the format that the bank Efí publishes, because BACEN does not standardise payouts. */
export function payoutRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'gn.pix.send.read') };
  const sendAccess = { onRequest: requireScope(accounts, 'pix.send') };
  const shouldDenyLookUp = createFirstLookUpDenier();
  const isFirstAttempt = createFirstTimeCheck();

  app.put<IdEnvioPath>('/v3/gn/pix/:idEnvio', sendAccess, (request, reply) =>
    acceptPayout(bankOf(request), request.params.idEnvio, request.body, isFirstAttempt, reply),
  );
  app.get<EndToEndIdPath>('/v2/gn/pix/enviados/:e2eId', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    const { books } = bank;
    if ((await delayOrRefuseLookUp(books)) === 'hang') return leaveUnanswered(bank, reply);
    const payout = books.payouts.get(books.idEnvioByEndToEndId.get(request.params.e2eId) ?? '');
    if (payout === undefined || shouldDenyLookUp(books, payout.idEnvio)) throw payoutNotFound('e2eId');
    await books.untilDurable();
    return formatPayout(payout);
  });
  app.get<IdEnvioPath>('/v2/gn/pix/enviados/id-envio/:idEnvio', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    const { books } = bank;
    if ((await delayOrRefuseLookUp(books)) === 'hang') return leaveUnanswered(bank, reply);
    const payout = books.payouts.get(request.params.idEnvio);
    if (payout === undefined || shouldDenyLookUp(books, payout.idEnvio)) throw payoutNotFound('idEnvio');
    await books.untilDurable();
    return formatPayout(payout);
  });
  app.get('/v2/gn/pix/enviados', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    const { books } = bank;
    if ((await delayOrRefuseLookUp(books)) === 'hang') return leaveUnanswered(bank, reply);
    await books.untilDurable();
    return listPayouts([...books.payouts.values()], asQuery(request.query));
  });
}

/** The account's balance, in the format that the bank Efí publishes: `saldo` excludes the blocked amount. */
export function balanceRoutes(app: FastifyInstance, accounts: Accounts): void {
  app.get(
    '/v2/gn/saldo',
    { onRequest: requireScope(accounts, 'gn.balance.read') },
    async (request, reply) => {
      const bank = bankOf(request);
      const { books } = bank;
      if ((await delayOrRefuseLookUp(books)) === 'hang') return leaveUnanswered(bank, reply);
      await books.untilDurable();
      const saldo = centsToPixAmount(books.availableCents);
      if (asQuery(request.query)['bloqueios'] !== 'true') return { saldo };
      const med = centsToPixAmount(books.blockedCents);
      return { saldo, bloqueios: { judicial: centsToPixAmount(0), med, total: med } };
    },
  );
}

async function acceptPayout(
  bank: Bank,
  idEnvio: string,
  body: unknown,
  isFirstAttempt: (books: Books, id: string) => boolean,
  reply: FastifyReply,
): Promise<unknown> {
  const { payouts } = bank.books.behaviour;
  if (payouts === 'down') throw serviceUnavailable();
  if (payouts === 'lost-then-timeout') return leaveUnanswered(bank, reply);
  const request = readPayoutRequest(idEnvio, body, bank);
  const behaviour = payoutBehaviour(bank, request);
  // The configured behaviour was handled above, so only a special amount or key can lead to these two. They fail only
  // the first attempt with an idEnvio.
  const failsFirstAttempt = behaviour === 'down' || behaviour === 'lost-then-timeout';
  if (failsFirstAttempt && isFirstAttempt(bank.books, idEnvio)) {
    if (behaviour === 'down') throw serviceUnavailable();
    return leaveUnanswered(bank, reply);
  }
  const payout = await sendPayout(bank, request);
  if (behaviour === 'accepted-then-timeout') return leaveUnanswered(bank, reply);
  return reply.status(201).send({
    idEnvio,
    e2eId: payout.endToEndId,
    valor: centsToPixAmount(payout.amountCents),
    horario: { solicitacao: formatMoment(payout.at) },
    status: payout.status,
  });
}

function listPayouts(payouts: readonly Payout[], query: Record<string, unknown>): object {
  const listQuery = readListQuery(query, 'PixConsultaInvalida');
  const status = readText(query, 'status');
  const devolucaoPresente = readFlag(query, 'devolucaoPresente', 'PixConsultaInvalida');
  const matches = sliceWindow(payouts, ({ at }) => at, listQuery).filter(
    (payout) =>
      (status === undefined || payout.status === status) &&
      (devolucaoPresente === undefined || (payout.cameBack !== undefined) === devolucaoPresente),
  );
  const { parametros, page } = paginate(matches, listQuery, { status, devolucaoPresente });
  return { parametros, pix: page.map(formatPayout) };
}

function payoutNotFound(idName: string): Problem {
  return new Problem('PixEnviadoNaoEncontrado', `Pix enviado não encontrado para o ${idName} informado.`);
}
