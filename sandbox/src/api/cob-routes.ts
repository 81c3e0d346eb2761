import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import { type SpecialEffect, specialEffect } from '../behaviour.ts';
import { formatCharge, formatCompleteCharge } from '../charge.ts';
import { leaveUnanswered, serviceUnavailable } from '../misbehave.ts';
import type { SandboxCharge } from '../records.ts';
import { Problem } from '../refusal.ts';
import { alterCharge, delayOrRefuseChargeCall, readRevision, requireTxidFor } from './charge-operation.ts';
import { type ChargeRequest, readChargeRequest, readChargeRevision } from './cob-request.ts';
import { linkLocation } from './link-location.ts';
import { asQuery, paginate, readFlag, readListQuery, readText, sliceWindow } from './list-query.ts';
import { bankOf, requireScope } from './oauth-routes.ts';

interface TxidPath {
  Params: { txid: string };
}

/** Immediate charges (cob): BACEN's tag Cob. */
export function cobRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'cob.read') };
  const writeAccess = { onRequest: requireScope(accounts, 'cob.write') };

  app.put<TxidPath>('/v2/cob/:txid', writeAccess, (request, reply) => {
    const { txid } = request.params;
    requireTxidFor('cob', bankOf(request), txid);
    return createOrAlter(bankOf(request), txid, request.body, reply);
  });
  app.post('/v2/cob', writeAccess, (request, reply) =>
    createOrAlter(bankOf(request), randomUUID().replaceAll('-', ''), request.body, reply),
  );
  app.patch<TxidPath>('/v2/cob/:txid', writeAccess, (request, reply) => {
    const bank = bankOf(request);
    return revise(bank, findCharge(bank, request.params.txid), request.body, reply);
  });
  app.get<TxidPath>('/v2/cob/:txid', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    const charge = findCharge(bank, request.params.txid);
    await bank.books.untilDurable();
    return formatCompleteCharge(bank, charge, readRevision('CobConsultaInvalida', request.query, charge));
  });
  app.get('/v2/cob', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    await bank.books.untilDurable();
    return listCharges(bank, asQuery(request.query));
  });
}

async function createOrAlter(bank: Bank, txid: string, body: unknown, reply: FastifyReply): Promise<unknown> {
  if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
  const request = readChargeRequest(body, bank.account.key);
  const effect = specialEffect(request.terms.amountCents);
  // A special amount gets 503 even while the bank otherwise behaves normally.
  if (effect === 'charge-down') throw serviceUnavailable();
  const existing = bank.books.charges.get(txid);
  const charge =
    existing === undefined
      ? buildCharge(bank, txid, request)
      : alterCharge('cob', existing, request.terms, 'PUT');
  await bank.books.record({ t: 'charge', charge }, ...linkLocation(bank, 'cob', charge, request.locationId));
  return sendCharge(bank, charge, 201, effect, reply);
}

async function revise(
  bank: Bank,
  current: SandboxCharge,
  body: unknown,
  reply: FastifyReply,
): Promise<unknown> {
  if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
  const revision = readChargeRevision(body, current.terms, bank.account.key);
  const charge = revision.remove
    ? {
        // The removal is a revision of its own, although the terms stay the same.
        ...alterCharge('cob', current, current.terms, 'PATCH', true),
        status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' as const,
      }
    : alterCharge('cob', current, revision.terms, 'PATCH');
  const locationId = revision.remove ? undefined : revision.locationId;
  await bank.books.record({ t: 'charge', charge }, ...linkLocation(bank, 'cob', charge, locationId));
  return sendCharge(bank, charge, 200, undefined, reply);
}

/** Sends the charge, unless the configured behaviour withholds the response. */
function sendCharge(
  bank: Bank,
  charge: SandboxCharge,
  status: number,
  effect: SpecialEffect | undefined,
  reply: FastifyReply,
): unknown {
  const { charges } = bank.books.behaviour;
  if (charges === 'accepted-then-timeout' || effect === 'charge-accepted-then-timeout') {
    return leaveUnanswered(bank, reply);
  }
  reply.status(status);
  return formatCharge(bank, charge);
}

function buildCharge(bank: Bank, txid: string, { key, terms, locationId }: ChargeRequest): SandboxCharge {
  return {
    txid,
    key,
    terms,
    createdAt: bank.books.clock.now(),
    status: 'ATIVA',
    earlier: [],
    locationId: locationId ?? bank.books.takeLocationId(),
  };
}

function findCharge(bank: Bank, txid: string): SandboxCharge {
  const charge = bank.books.charges.get(txid);
  if (charge === undefined)
    throw new Problem('CobNaoEncontrado', 'Cobrança não encontrada para o txid informado.');
  return charge;
}

function listCharges(bank: Bank, query: Record<string, unknown>): object {
  const listQuery = readListQuery(query, 'CobConsultaInvalida');
  const cpf = readText(query, 'cpf');
  const cnpj = readText(query, 'cnpj');
  const status = readText(query, 'status');
  const locationPresente = readFlag(query, 'locationPresente', 'CobConsultaInvalida');
  const { charges, chargeOrder } = bank.books;
  const chargesInWindow = sliceWindow(chargeOrder, (txid) => charges.get(txid)?.createdAt ?? 0, listQuery);
  const matches = chargesInWindow
    .flatMap((txid) => charges.get(txid) ?? [])
    .filter(
      (charge) =>
        (cpf === undefined || charge.terms.debtor?.cpf === cpf) &&
        (cnpj === undefined || charge.terms.debtor?.cnpj === cnpj) &&
        (status === undefined || charge.status === status) &&
        (locationPresente === undefined || (charge.locationId !== undefined) === locationPresente),
    );
  const { parametros, page } = paginate(matches, listQuery, { cpf, cnpj, locationPresente, status });
  return { parametros, cobs: page.map((charge) => formatCompleteCharge(bank, charge)) };
}
