import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Accounts } from '../accounts.ts';
import type { SandboxRec } from '../automatic/automatic-records.ts';
import { momentOf } from '../automatic/cobr-calendar.ts';
import { cancelRec } from '../automatic/end-rec.ts';
import { formatCompleteRec, formatRec, recBrCode } from '../automatic/rec.ts';
import type { Bank } from '../bank.ts';
import { addDays, dayAt } from '../bank-days.ts';
import { chargeLocation, locationUrl } from '../charge.ts';
import { leaveUnanswered } from '../misbehave.ts';
import { randomSuffix } from '../pix.ts';
import type { BookRecord } from '../records.ts';
import { Problem } from '../refusal.ts';
import { invalidAutomatic } from './automatic-operation.ts';
import { delayOrRefuseChargeCall } from './charge-operation.ts';
import { asQuery, paginate, readFlag, readListQuery, readText, requireMatch } from './list-query.ts';
import { bankOf, requireScope } from './oauth-routes.ts';
import { readRecRequest, readRecRevision } from './rec-request.ts';

interface RecPath {
  Params: { idRec: string };
}

/** A payer's mandates for recurring charges (rec): BACEN's tag Rec. */
export function recRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'rec.read') };
  const writeAccess = { onRequest: requireScope(accounts, 'rec.write') };

  app.post('/v2/rec', writeAccess, (request, reply) => create(bankOf(request), request.body, reply));
  app.patch<RecPath>('/v2/rec/:idRec', writeAccess, (request, reply) =>
    revise(bankOf(request), request.params.idRec, request.body, reply),
  );
  app.get<RecPath>('/v2/rec/:idRec', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    const rec = findRec(bank, request.params.idRec);
    await bank.books.untilDurable();
    const code = formatCode(bank, rec, readText(asQuery(request.query), 'txid'));
    return { ...formatCompleteRec(bank, rec), ...code };
  });
  app.get('/v2/rec', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    await bank.books.untilDurable();
    return listRecs(bank, asQuery(request.query));
  });
}

async function create(bank: Bank, body: unknown, reply: FastifyReply): Promise<unknown> {
  if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
  const createdAt = bank.books.clock.now();
  const { terms, locationId, journeyTxid } = readRecRequest(body, dayAt(createdAt));
  const rec: SandboxRec = {
    idRec: newIdRec(bank, terms.mayRetry, createdAt),
    createdAt,
    status: 'CRIADA',
    history: [{ status: 'CRIADA', at: createdAt }],
    terms,
    ...(locationId !== undefined && { locationId }),
    ...(journeyTxid !== undefined && { journeyTxid }),
    debits: { account: 'open', funds: [] },
    // The mandate is good until the end of its last day.
    ...(terms.lastDay !== undefined && { dueAt: momentOf(addDays(terms.lastDay, 1)) }),
  };
  await bank.books.record({ t: 'rec', rec }, ...linkRecLocation(bank, rec, undefined));
  bank.automaticWorker.wake();
  return sendRec(bank, rec, 201, reply);
}

async function revise(bank: Bank, idRec: string, body: unknown, reply: FastifyReply): Promise<unknown> {
  if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
  const current = findRec(bank, idRec);
  const { cancel, terms, locationId, journeyTxid } = readRecRevision(body, current, dayAt(current.createdAt));
  const rec: SandboxRec = {
    ...current,
    terms,
    ...(locationId !== undefined && { locationId }),
    ...(journeyTxid !== undefined && { journeyTxid }),
  };
  const location = locationId === undefined ? [] : linkRecLocation(bank, rec, current.locationId);
  if (!cancel) {
    await bank.books.record({ t: 'rec', rec }, ...location);
    return sendRec(bank, rec, 200, reply);
  }
  const now = bank.books.clock.now();
  const { records, subjects } = cancelRec(bank, rec, 'USUARIO_RECEBEDOR', 'SLCR', now);
  await bank.notifier.recordAndNotify([...records, ...location], subjects);
  return sendRec(bank, findRec(bank, idRec), 200, reply);
}

/** Sends the rec, unless the configured behaviour withholds the response. */
function sendRec(bank: Bank, rec: SandboxRec, status: number, reply: FastifyReply): unknown {
  if (bank.books.behaviour.charges === 'accepted-then-timeout') return leaveUnanswered(bank, reply);
  reply.status(status);
  return formatRec(bank, rec);
}

/** Returns a new idRec, which says whether the receiver may order further attempts. */
function newIdRec(bank: Bank, mayRetry: boolean, at: number): string {
  return `${mayRetry ? 'RR' : 'RN'}${bank.account.ispb}${dayAt(at).replaceAll('-', '')}${randomSuffix()}`;
}

/** Returns the records that link a rec to its location, and free the one that it had. */
function linkRecLocation(
  { books }: Bank,
  { idRec, locationId }: SandboxRec,
  previousId: number | undefined,
): BookRecord[] {
  if (locationId === undefined || locationId === previousId) return [];
  const location = books.automatic.locations.get(locationId);
  if (location === undefined) {
    throw invalidAutomatic('rec', 'loc', 'O location referenciado por rec.loc inexiste.', String(locationId));
  }
  if (location.idRec !== undefined && location.idRec !== idRec) {
    throw invalidAutomatic(
      'rec',
      'loc',
      'O location referenciado por rec.loc já está sendo utilizado por outra recorrência.',
      String(locationId),
    );
  }
  const linked: BookRecord = { t: 'rec-location', recLocation: { ...location, idRec } };
  const previous = previousId === undefined ? undefined : books.automatic.locations.get(previousId);
  if (previous === undefined) return [linked];
  const { idRec: _, ...freed } = previous;
  return [linked, { t: 'rec-location', recLocation: freed }];
}

/** Returns a rec of an account. Throws RecNaoEncontrada. */
export function findRec(bank: Bank, idRec: string): SandboxRec {
  const rec = bank.books.automatic.recs.get(idRec);
  if (rec === undefined)
    throw new Problem('RecNaoEncontrada', 'Recorrência não encontrada para o idRec informado.');
  return rec;
}

/** Formats the code of a rec, with that of a charge if one is named, as BACEN's `dadosQR`: one journey for each kind. */
function formatCode(bank: Bank, rec: SandboxRec, txid: string | undefined): object {
  if (txid === undefined) return dadosQR('JORNADA_2', recBrCode(bank, rec));
  const charge = bank.books.charges.get(txid);
  const due = bank.books.cobvs.get(txid);
  const journey = charge !== undefined ? 'JORNADA_3' : 'JORNADA_4';
  const isOther = rec.journey !== undefined && rec.journey !== journey;
  if ((charge === undefined && due === undefined) || isOther) {
    throw invalidCodeQuery(
      'O parâmetro txid não corresponde a uma cobrança compatível com o campo ativacao.tipoJornada.',
      txid,
    );
  }
  if (charge !== undefined && rec.journeyTxid !== txid) {
    throw invalidCodeQuery(
      'O parâmetro txid corresponde a uma cobrança imediata diferente da informada no campo ativacao.dadosJornada.txid.',
      txid,
    );
  }
  const location = chargeLocation(bank, charge ?? due ?? {});
  if (location === undefined) return {};
  const amountCents = charge?.terms.amountCents || undefined;
  return dadosQR(journey, recBrCode(bank, rec, { url: locationUrl(bank, location), amountCents }));
}

function dadosQR(jornada: string, pixCopiaECola: string | undefined): object {
  return pixCopiaECola === undefined ? {} : { dadosQR: { jornada, pixCopiaECola } };
}

function invalidCodeQuery(razao: string, txid: string): Problem {
  return new Problem('RecConsultaInvalida', 'A consulta não faz sentido.', {
    violations: [{ razao, propriedade: 'txid', valor: txid }],
  });
}

function listRecs(bank: Bank, query: Record<string, unknown>): object {
  const listQuery = readListQuery(query, 'RecConsultaInvalida');
  requireMatch(query, 'cpf', /^\d{11}$/, 'RecConsultaInvalida');
  requireMatch(query, 'cnpj', /^[0-9A-Z]{14}$/, 'RecConsultaInvalida');
  const cpf = readText(query, 'cpf');
  const cnpj = readText(query, 'cnpj');
  const status = readText(query, 'status');
  const convenio = readText(query, 'convenio');
  const locationPresente = readFlag(query, 'locationPresente', 'RecConsultaInvalida');
  const matches = [...bank.books.automatic.recs.values()].filter(
    (rec) =>
      rec.createdAt >= listQuery.from &&
      rec.createdAt <= listQuery.to &&
      (cpf === undefined || rec.terms.debtor.cpf === cpf) &&
      (cnpj === undefined || rec.terms.debtor.cnpj === cnpj) &&
      (status === undefined || rec.status === status) &&
      (convenio === undefined || rec.terms.agreement === convenio) &&
      (locationPresente === undefined || (rec.locationId !== undefined) === locationPresente),
  );
  const filters = {
    ...{ cpf, cnpj, locationPresente, status },
    ...(convenio !== undefined && { recebedor: { convenio } }),
  };
  const { parametros, page } = paginate(matches, listQuery, filters);
  return { parametros, recs: page.map((rec) => formatCompleteRec(bank, rec)) };
}
