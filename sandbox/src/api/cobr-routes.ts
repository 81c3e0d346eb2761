import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Accounts } from '../accounts.ts';
import type { SandboxCobr, SandboxRec } from '../automatic/automatic-records.ts';
import { cancelCobr, cobrSubject, formatCobr, formatCompleteCobr, hasCobrEnded } from '../automatic/cobr.ts';
import { cancellationEnds, cycleOf, orderWindow } from '../automatic/cobr-calendar.ts';
import { cancellationText } from '../automatic/cobr-codes.ts';
import { orderAttempt } from '../automatic/continue-cobr.ts';
import type { Bank } from '../bank.ts';
import { dayAt, isCalendarDay } from '../bank-days.ts';
import { specialEffect } from '../behaviour.ts';
import { leaveUnanswered, serviceUnavailable } from '../misbehave.ts';
import { Problem } from '../refusal.ts';
import { invalidAutomatic, parseAutomatic } from './automatic-operation.ts';
import { delayOrRefuseChargeCall, requireTxidFor } from './charge-operation.ts';
import { type CobrRequest, readCobrRequest } from './cobr-request.ts';
import { asQuery, paginate, readListQuery, readText, requireMatch } from './list-query.ts';
import { bankOf, requireScope } from './oauth-routes.ts';

interface TxidPath {
  Params: { txid: string };
}

interface RetryPath {
  Params: { txid: string; data: string };
}

const revisionSchema = z.object({ status: z.literal('CANCELADA') });

/** The charges of mandates, one for each cycle (cobr): BACEN's tag CobR. */
export function cobrRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'cobr.read') };
  const writeAccess = { onRequest: requireScope(accounts, 'cobr.write') };

  app.put<TxidPath>('/v2/cobr/:txid', writeAccess, (request, reply) => {
    return create(bankOf(request), request.params.txid, request.body, reply);
  });
  app.post('/v2/cobr', writeAccess, (request, reply) =>
    create(bankOf(request), randomUUID().replaceAll('-', ''), request.body, reply),
  );
  app.patch<TxidPath>('/v2/cobr/:txid', writeAccess, (request, reply) =>
    cancel(bankOf(request), request.params.txid, request.body, reply),
  );
  app.post<RetryPath>('/v2/cobr/:txid/retentativa/:data', writeAccess, (request, reply) =>
    retry(bankOf(request), request.params, reply),
  );
  app.get<TxidPath>('/v2/cobr/:txid', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    const cobr = findCobr(bank, request.params.txid);
    await bank.books.untilDurable();
    return formatCompleteCobr(bank, cobr);
  });
  app.get('/v2/cobr', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    await bank.books.untilDurable();
    return listCobrs(bank, asQuery(request.query));
  });
}

async function create(bank: Bank, txid: string, body: unknown, reply: FastifyReply): Promise<unknown> {
  if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
  requireTxidFor('cobr', bank, txid);
  const createdAt = bank.books.clock.now();
  const request = readCobrRequest(body, dayAt(createdAt));
  refuseSecondOfCycle(bank, request);
  const effect = specialEffect(request.amountCents);
  // A special amount gets 503 even while the bank otherwise behaves normally.
  if (effect === 'charge-down') throw serviceUnavailable();
  const cobr: SandboxCobr = {
    txid,
    createdAt,
    status: 'CRIADA',
    history: [{ status: 'CRIADA', at: createdAt }],
    ...request,
    attempts: [],
    dueAt: Math.max(createdAt + bank.processingMs, orderWindow(request).opens),
  };
  await bank.books.record({ t: 'cobr', cobr });
  bank.automaticWorker.wake();
  const isUnanswered = effect === 'charge-accepted-then-timeout';
  return sendCobr(bank, formatCobr(bank, cobr), 201, reply, isUnanswered);
}

/** Refuses a second charge for a cycle, unless the first was rejected or cancelled. */
function refuseSecondOfCycle(bank: Bank, { idRec, dueDate }: CobrRequest): void {
  const rec = bank.books.automatic.recs.get(idRec);
  if (rec === undefined) {
    throw invalidAutomatic('cobr', 'idRec', 'O campo cobr.idRec não corresponde a uma recorrência.', idRec);
  }
  const cycle = cycleOf(rec.terms, dueDate);
  const other = bank.books.automatic
    .cobrsOf(idRec)
    .find(
      ({ status, dueDate: day }) =>
        status !== 'REJEITADA' && status !== 'CANCELADA' && cycleOf(rec.terms, day) === cycle,
    );
  if (other === undefined) return;
  throw invalidAutomatic(
    'cobr',
    'calendario.dataDeVencimento',
    'Existe uma CobR com status diferente de REJEITADA e CANCELADA referente ao mesmo cobr.idRec com calendario.dataDeVencimento no mesmo ciclo.',
    dueDate,
  );
}

async function cancel(bank: Bank, txid: string, body: unknown, reply: FastifyReply): Promise<unknown> {
  if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
  const current = findCobr(bank, txid);
  parseAutomatic('cobr', revisionSchema, body, []);
  const now = bank.books.clock.now();
  if (hasCobrEnded(current)) {
    throw invalidAutomatic('cobr', 'status', 'A cobrança não está CRIADA nem ATIVA.', current.status);
  }
  if (now >= cancellationEnds(current).receiver) {
    throw invalidAutomatic(
      'cobr',
      'status',
      'Não é possível cancelar uma cobrança em uma data igual ou maior que a data prevista da primeira tentativa de liquidação.',
    );
  }
  const end = { requester: 'USUARIO_RECEBEDOR', code: 'SLCR', text: cancellationText('SLCR') } as const;
  const cobr = cancelCobr(current, now, end);
  await bank.notifier.recordAndNotify([{ t: 'cobr', cobr }], [cobrSubject(bank, cobr, now)]);
  return sendCobr(bank, formatCobr(bank, cobr), 200, reply);
}

async function retry(
  bank: Bank,
  { txid, data: day }: RetryPath['Params'],
  reply: FastifyReply,
): Promise<unknown> {
  if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
  const current = findCobr(bank, txid);
  const rec = bank.books.automatic.recs.get(current.idRec);
  const now = bank.books.clock.now();
  const problem = retryProblem(rec, current, day, dayAt(now));
  if (rec === undefined || problem !== undefined) {
    throw invalidAutomatic('cobr', 'tentativas', problem ?? '', day);
  }
  const cobr = orderAttempt(bank, rec, current, { day, kind: 'NTAG' }, now);
  await bank.notifier.recordAndNotify([{ t: 'cobr', cobr }], [cobrSubject(bank, cobr, now)]);
  bank.automaticWorker.wake();
  return sendCobr(bank, formatCompleteCobr(bank, cobr), 201, reply);
}

/**
 * Returns why the bank itself refuses another attempt. Whether there were too many, or the day is too late, is for the
 * payer's bank to say, which then rejects the attempt.
 */
function retryProblem(
  rec: SandboxRec | undefined,
  { status, attempts }: SandboxCobr,
  day: string,
  today: string,
): string | undefined {
  if (!isCalendarDay(day)) return 'O parâmetro data não respeita o schema.';
  if (rec?.terms.mayRetry !== true) {
    return 'A política configurada na recorrência não permite retentativa de cobrança.';
  }
  if (status !== 'ATIVA') return 'A cobrança não está ATIVA.';
  if (attempts.some((attempt) => attempt.status === 'SOLICITADA' || attempt.status === 'AGENDADA')) {
    return 'Existe uma tentativa com status SOLICITADA ou AGENDADA.';
  }
  if (day <= today) return 'O parâmetro data não corresponde a uma data futura.';
  // A rejected order never stood for its day.
  const stands = attempts.some((attempt) => attempt.day === day && attempt.status !== 'REJEITADA');
  return stands ? 'Existe uma tentativa vigente para a data informada.' : undefined;
}

/** Sends the charge, unless the configured behaviour withholds the response. */
function sendCobr(
  bank: Bank,
  body: object,
  status: number,
  reply: FastifyReply,
  isUnanswered = false,
): unknown {
  if (isUnanswered || bank.books.behaviour.charges === 'accepted-then-timeout') {
    return leaveUnanswered(bank, reply);
  }
  reply.status(status);
  return body;
}

function findCobr(bank: Bank, txid: string): SandboxCobr {
  const cobr = bank.books.automatic.cobrs.get(txid);
  if (cobr === undefined)
    throw new Problem('CobRNaoEncontrado', 'Cobrança não encontrada para o txid informado.');
  return cobr;
}

function listCobrs(bank: Bank, query: Record<string, unknown>): object {
  const listQuery = readListQuery(query, 'CobRConsultaInvalida');
  requireMatch(query, 'cpf', /^\d{11}$/, 'CobRConsultaInvalida');
  requireMatch(query, 'cnpj', /^[0-9A-Z]{14}$/, 'CobRConsultaInvalida');
  requireMatch(query, 'idRec', /^[a-zA-Z0-9]{29}$/, 'CobRConsultaInvalida');
  const idRec = readText(query, 'idRec');
  const cpf = readText(query, 'cpf');
  const cnpj = readText(query, 'cnpj');
  const status = readText(query, 'status');
  const convenio = readText(query, 'convenio');
  const { recs, cobrs } = bank.books.automatic;
  const candidates = idRec === undefined ? [...cobrs.values()] : bank.books.automatic.cobrsOf(idRec);
  const matches = candidates.filter((cobr) => {
    const terms = recs.get(cobr.idRec)?.terms;
    return (
      cobr.createdAt >= listQuery.from &&
      cobr.createdAt <= listQuery.to &&
      (cpf === undefined || terms?.debtor.cpf === cpf) &&
      (cnpj === undefined || terms?.debtor.cnpj === cnpj) &&
      (status === undefined || cobr.status === status) &&
      (convenio === undefined || terms?.agreement === convenio)
    );
  });
  const filters = {
    ...{ idRec, cpf, cnpj, status },
    ...(convenio !== undefined && { recebedor: { convenio } }),
  };
  const { parametros, page } = paginate(matches, listQuery, filters);
  return { parametros, cobsr: page.map((cobr) => formatCompleteCobr(bank, cobr)) };
}
