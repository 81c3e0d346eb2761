import type { FastifyInstance } from 'fastify';
import { specialEffect } from '../behaviour.ts';
import { formatPix } from '../charge.ts';
import { delayOrRefuse, leaveUnanswered } from '../misbehave.ts';
import { Problem } from '../problem.ts';
import type { Pix } from '../records.ts';
import type { Bank } from '../site.ts';
import { asQuery, paginate, readFlag, readListQuery, readText, sliceWindow } from './list-query.ts';
import { requireScope } from './oauth-routes.ts';

/** Received Pix: BACEN's tag Pix, reading. */
export function pixRoutes(app: FastifyInstance, bank: Bank): void {
  const read = { onRequest: requireScope(bank, 'pix.read') };
  const deniedOnce = new Set<string>();

  app.get<{ Params: { e2eid: string } }>('/v2/pix/:e2eid', read, async (request, reply) => {
    if (await hangs(bank)) return leaveUnanswered(reply);
    const pix = bank.books.pix.get(request.params.e2eid);
    if (pix === undefined || deniesFirst(bank, pix, deniedOnce)) {
      throw new Problem('PixNaoEncontrado', 'Pix não encontrado para o e2eid informado.');
    }
    await bank.books.durable();
    return formatPix(pix);
  });
  app.get('/v2/pix', read, async (request, reply) => {
    if (await hangs(bank)) return leaveUnanswered(reply);
    await bank.books.durable();
    return listPix(bank, asQuery(request.query));
  });
}

function deniesFirst(bank: Bank, pix: Pix, deniedOnce: Set<string>): boolean {
  const applies =
    bank.books.behaviour.confirmations === 'not-found-first' ||
    specialEffect(pix.amountCents) === 'confirmation-not-found-first';
  if (!applies || deniedOnce.has(pix.endToEndId)) return false;
  deniedOnce.add(pix.endToEndId);
  return true;
}

function listPix(bank: Bank, query: Record<string, unknown>): object {
  const list = readListQuery(query, 'PixConsultaInvalida');
  const txid = readText(query, 'txid');
  const document = readText(query, 'cpf') ?? readText(query, 'cnpj');
  const txIdPresente = readFlag(query, 'txIdPresente', 'PixConsultaInvalida');
  const devolucaoPresente = readFlag(query, 'devolucaoPresente', 'PixConsultaInvalida');
  const candidates = txid === undefined ? bank.books.pixOrder : (bank.books.pixByTxid.get(txid) ?? []);
  const inWindow = sliceWindow(candidates, (pix) => pix.at, list);
  const found =
    document === undefined && txIdPresente === undefined && devolucaoPresente !== true
      ? inWindow
      : inWindow.filter(
          (pix) =>
            (document === undefined || pix.payer.document === document) &&
            (txIdPresente === undefined || (pix.txid !== undefined) === txIdPresente) &&
            devolucaoPresente !== true,
        );
  const { parametros, page } = paginate(found, list, {
    txid,
    txIdPresente,
    devolucaoPresente,
    cpf: readText(query, 'cpf'),
    cnpj: readText(query, 'cnpj'),
  });
  return { parametros, pix: page.map(formatPix) };
}

async function hangs(bank: Bank): Promise<boolean> {
  const { confirmations, slowSeconds } = bank.books.behaviour;
  const mood = confirmations === 'not-found-first' ? 'normal' : confirmations;
  return (await delayOrRefuse(mood, slowSeconds)) === 'hang';
}
