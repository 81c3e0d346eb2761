import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import { type SpecialEffect, specialEffect } from '../behaviour.ts';
import { formatCobv, formatCompleteCobv } from '../cobv.ts';
import { leaveUnanswered, serviceUnavailable } from '../misbehave.ts';
import type { SandboxCobv } from '../records.ts';
import { createOrAlterCobv, reviseCobv } from './change-cobv.ts';
import { delayOrRefuseChargeCall, readRevision, requireTxidFor } from './charge-operation.ts';
import { cobvNotFound, refuseUnlessFree, workOffBatches } from './cobv-batch.ts';
import {
  asQuery,
  paginate,
  readFlag,
  readListQuery,
  readText,
  requireMatch,
  sliceWindow,
} from './list-query.ts';
import { bankOf, requireScope } from './oauth-routes.ts';

interface TxidPath {
  Params: { txid: string };
}

/** Charges with a due date (cobv): BACEN's tag CobV. */
export function cobvRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'cobv.read') };
  const writeAccess = { onRequest: requireScope(accounts, 'cobv.write') };

  app.put<TxidPath>('/v2/cobv/:txid', writeAccess, (request, reply) => {
    const { txid } = request.params;
    requireTxidFor('cobv', bankOf(request), txid);
    return createOrAlter(bankOf(request), txid, request.body, reply);
  });
  app.patch<TxidPath>('/v2/cobv/:txid', writeAccess, (request, reply) => {
    return revise(bankOf(request), request.params.txid, request.body, reply);
  });
  app.get<TxidPath>('/v2/cobv/:txid', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    await workOffBatches(bank);
    const cobv = findCobv(bank, request.params.txid);
    await bank.books.untilDurable();
    return formatCompleteCobv(bank, cobv, readRevision('CobVConsultaInvalida', request.query, cobv));
  });
  app.get('/v2/cobv', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    await workOffBatches(bank);
    await bank.books.untilDurable();
    return listCobvs(bank, asQuery(request.query));
  });
}

async function createOrAlter(bank: Bank, txid: string, body: unknown, reply: FastifyReply): Promise<unknown> {
  if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
  await workOffBatches(bank);
  refuseUnlessFree(bank, txid);
  const { cobv, records } = createOrAlterCobv(bank, txid, body, bank.books.clock.now());
  const effect = specialEffect(cobv.terms.amountCents);
  // A special amount gets 503 even while the bank otherwise behaves normally.
  if (effect === 'charge-down') throw serviceUnavailable();
  await bank.books.record(...records);
  return sendCobv(bank, cobv, 201, effect, reply);
}

async function revise(bank: Bank, txid: string, body: unknown, reply: FastifyReply): Promise<unknown> {
  if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
  await workOffBatches(bank);
  refuseUnlessFree(bank, txid);
  const { cobv, records } = reviseCobv(bank, findCobv(bank, txid), body);
  await bank.books.record(...records);
  return sendCobv(bank, cobv, 200, undefined, reply);
}

/** Sends the charge, unless the configured behaviour withholds the response. */
function sendCobv(
  bank: Bank,
  cobv: SandboxCobv,
  status: number,
  effect: SpecialEffect | undefined,
  reply: FastifyReply,
): unknown {
  const { charges } = bank.books.behaviour;
  if (charges === 'accepted-then-timeout' || effect === 'charge-accepted-then-timeout') {
    return leaveUnanswered(bank, reply);
  }
  reply.status(status);
  return formatCobv(bank, cobv);
}

function findCobv(bank: Bank, txid: string): SandboxCobv {
  const cobv = bank.books.cobvs.get(txid);
  if (cobv === undefined) throw cobvNotFound();
  return cobv;
}

function listCobvs(bank: Bank, query: Record<string, unknown>): object {
  const listQuery = readListQuery(query, 'CobVConsultaInvalida');
  requireMatch(query, 'cpf', /^\d{11}$/, 'CobVConsultaInvalida');
  requireMatch(query, 'cnpj', /^[0-9A-Z]{14}$/, 'CobVConsultaInvalida');
  requireMatch(query, 'loteCobVId', /^\d{1,10}$/, 'CobVConsultaInvalida');
  const cpf = readText(query, 'cpf');
  const cnpj = readText(query, 'cnpj');
  const status = readText(query, 'status');
  const locationPresente = readFlag(query, 'locationPresente', 'CobVConsultaInvalida');
  const batchId = readText(query, 'loteCobVId');
  const { cobvs, cobvOrder, batchIdByTxid } = bank.books;
  const cobvsInWindow = sliceWindow(cobvOrder, (txid) => cobvs.get(txid)?.createdAt ?? 0, listQuery);
  const matches = cobvsInWindow
    .flatMap((txid) => cobvs.get(txid) ?? [])
    .filter(
      (cobv) =>
        (cpf === undefined || cobv.terms.debtor.cpf === cpf) &&
        (cnpj === undefined || cobv.terms.debtor.cnpj === cnpj) &&
        (status === undefined || cobv.status === status) &&
        (locationPresente === undefined || (cobv.locationId !== undefined) === locationPresente) &&
        (batchId === undefined || batchIdByTxid.get(cobv.txid) === batchId),
    );
  const { parametros, page } = paginate(matches, listQuery, { cpf, cnpj, locationPresente, status });
  return { parametros, cobs: page.map((cobv) => formatCompleteCobv(bank, cobv)) };
}
