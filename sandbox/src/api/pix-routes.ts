import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import { specialEffect } from '../behaviour.ts';
import { createFirstLookUpDenier, delayOrRefuseLookUp, leaveUnanswered } from '../misbehave.ts';
import { formatPix } from '../pix.ts';
import { Problem } from '../refusal.ts';
import { asQuery, paginate, readFlag, readListQuery, readText, sliceWindow } from './list-query.ts';
import { bankOf, requireScope } from './oauth-routes.ts';

/** Queries of received Pix: BACEN's tag Pix. */
export function pixRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'pix.read') };
  const shouldDenyLookUp = createFirstLookUpDenier();

  app.get<{ Params: { e2eid: string } }>('/v2/pix/:e2eid', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseLookUp(bank.books)) === 'hang') return leaveUnanswered(bank, reply);
    const pix = bank.books.pix.get(request.params.e2eid);
    // The first look-up of a Pix with a special amount finds nothing, even while look-ups otherwise behave normally.
    const isSpecialAmount = specialEffect(pix?.amountCents ?? 0) === 'confirmation-not-found-first';
    if (pix === undefined || shouldDenyLookUp(bank.books, pix.endToEndId, isSpecialAmount)) {
      throw new Problem('PixNaoEncontrado', 'Pix não encontrado para o e2eid informado.');
    }
    await bank.books.untilDurable();
    return formatPix(bank.books, pix);
  });
  app.get('/v2/pix', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseLookUp(bank.books)) === 'hang') return leaveUnanswered(bank, reply);
    await bank.books.untilDurable();
    return listPix(bank, asQuery(request.query));
  });
}

function listPix(bank: Bank, query: Record<string, unknown>): object {
  const listQuery = readListQuery(query, 'PixConsultaInvalida');
  const txid = readText(query, 'txid');
  const document = readText(query, 'cpf') ?? readText(query, 'cnpj');
  const txIdPresente = readFlag(query, 'txIdPresente', 'PixConsultaInvalida');
  const devolucaoPresente = readFlag(query, 'devolucaoPresente', 'PixConsultaInvalida');
  const candidates = txid === undefined ? bank.books.pixOrder : (bank.books.pixByTxid.get(txid) ?? []);
  const pixInWindow = sliceWindow(candidates, (pix) => pix.at, listQuery);
  const matches =
    document === undefined && txIdPresente === undefined && devolucaoPresente === undefined
      ? pixInWindow
      : pixInWindow.filter(
          (pix) =>
            (document === undefined || pix.payer.document === document) &&
            (txIdPresente === undefined || (pix.txid !== undefined) === txIdPresente) &&
            (devolucaoPresente === undefined ||
              bank.books.refundsByPix.has(pix.endToEndId) === devolucaoPresente),
        );
  const { parametros, page } = paginate(matches, listQuery, {
    txid,
    txIdPresente,
    devolucaoPresente,
    cpf: readText(query, 'cpf'),
    cnpj: readText(query, 'cnpj'),
  });
  return { parametros, pix: page.map((pix) => formatPix(bank.books, pix)) };
}
