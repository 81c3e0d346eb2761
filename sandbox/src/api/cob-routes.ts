import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isChargeTxid } from '@jangada/pix';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import { type SpecialEffect, specialEffect } from '../behaviour.ts';
import { formatCharge, formatCompleteCharge } from '../charge.ts';
import { applyAvailability, leaveUnanswered, serviceUnavailable } from '../misbehave.ts';
import type { BookRecord, Location, SandboxCharge } from '../records.ts';
import { Problem } from '../refusal.ts';
import { type ChargeRequest, invalidCharge, readChargeRequest, readChargeRevision } from './cob-request.ts';
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
    if (!isChargeTxid(txid)) {
      throw invalidCharge([
        { razao: 'O txid tem de 26 a 35 letras e dígitos.', propriedade: 'txid', valor: txid },
      ]);
    }
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
    return formatCompleteCharge(bank, charge, readRevision(request.query, charge));
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
    existing === undefined ? buildCharge(bank, txid, request) : alterCharge(existing, request.terms, 'PUT');
  await bank.books.record({ t: 'charge', charge }, ...linkLocation(bank, charge, request.locationId));
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
        ...alterCharge(current, current.terms, 'PATCH', true),
        status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' as const,
      }
    : alterCharge(current, revision.terms, 'PATCH');
  const locationId = revision.remove ? undefined : revision.locationId;
  await bank.books.record({ t: 'charge', charge }, ...linkLocation(bank, charge, locationId));
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

/**
 * Returns the charge with a new revision if the terms change or `alwaysAddRevision` is set, or else unchanged. Throws
 * if the charge is not active, because only an active charge may be altered.
 */
function alterCharge(
  current: SandboxCharge,
  terms: SandboxCharge['terms'],
  method: 'PUT' | 'PATCH',
  alwaysAddRevision = false,
): SandboxCharge {
  if (current.status !== 'ATIVA') {
    const subject = method === 'PUT' ? 'A cobrança já existe, não está' : 'A cobrança não está';
    throw invalidCharge([
      {
        razao: `${subject} ATIVA, e a presente requisição busca alterá-la.`,
        propriedade: 'cob.status',
        valor: current.status,
      },
    ]);
  }
  if (!alwaysAddRevision && isDeepStrictEqual(current.terms, terms)) return current;
  return { ...current, terms, earlier: [...current.earlier, current.terms] };
}

/** Returns the records that link a charge to its own location or, with a `locationId`, to that existing one. */
function linkLocation(bank: Bank, charge: SandboxCharge, locationId: number | undefined): BookRecord[] {
  return locationId === undefined
    ? createOwnLocation(bank, charge)
    : linkExistingLocation(bank, charge, locationId);
}

/** Creates the location of a new charge. Returns no records for a charge that has its location already, or has none. */
function createOwnLocation(bank: Bank, { locationId, createdAt, txid }: SandboxCharge): BookRecord[] {
  if (locationId === undefined || bank.books.locations.has(locationId)) return [];
  const location: Location = {
    id: locationId,
    token: randomBytes(16).toString('hex'),
    createdAt,
    kind: 'cob',
    txid,
  };
  return [{ t: 'location', location }];
}

/** Links a charge to an existing location, and frees its previous one. Also writes the location's id into `charge`. */
function linkExistingLocation(bank: Bank, charge: SandboxCharge, locationId: number): BookRecord[] {
  const location = bank.books.locations.get(locationId);
  const problem = locationProblem(location, charge);
  if (location === undefined || problem !== undefined) {
    throw invalidCharge([{ razao: problem ?? '', propriedade: 'cob.loc.id', valor: String(locationId) }]);
  }
  const previous =
    charge.locationId === locationId ? undefined : bank.books.locations.get(charge.locationId ?? -1);
  charge.locationId = locationId;
  return [
    { t: 'location', location: { ...location, txid: charge.txid } },
    ...(previous === undefined ? [] : [{ t: 'location' as const, location: withoutTxid(previous) }]),
  ];
}

/** Returns why a charge cannot use a location, as the text of the response; undefined if the charge can use it. */
function locationProblem(location: Location | undefined, charge: SandboxCharge): string | undefined {
  if (location === undefined) return 'O location referenciado por loc.id inexiste.';
  if (location.kind !== 'cob')
    return 'O location referenciado por cob.loc.id apresenta tipo "cobv" (deveria ser "cob").';
  if (location.txid !== undefined && location.txid !== charge.txid)
    return 'O location referenciado por loc.id já está sendo utilizado por outra cobrança.';
  return undefined;
}

/** Returns a location unlinked from its charge. */
export function withoutTxid({ txid: _, ...location }: Location): Location {
  return location;
}

function findCharge(bank: Bank, txid: string): SandboxCharge {
  const charge = bank.books.charges.get(txid);
  if (charge === undefined)
    throw new Problem('CobNaoEncontrado', 'Cobrança não encontrada para o txid informado.');
  return charge;
}

function readRevision(query: unknown, charge: SandboxCharge): number | undefined {
  const text = readText(asQuery(query), 'revisao');
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) <= charge.earlier.length) return Number(text);
  throw new Problem('CobConsultaInvalida', 'A revisão não existe.', {
    violations: [
      {
        razao: 'O parâmetro revisao corresponde a uma revisão inexistente.',
        propriedade: 'revisao',
        valor: text,
      },
    ],
  });
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

/** Delays or refuses a call about charges, or returns `hang`, as configured by the behaviour `charges`. */
function delayOrRefuseChargeCall(bank: Bank): Promise<'work' | 'hang'> {
  const { charges, slowSeconds } = bank.books.behaviour;
  return applyAvailability(charges, slowSeconds);
}
