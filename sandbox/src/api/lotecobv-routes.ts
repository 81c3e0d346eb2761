import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import { formatMoment } from '../clock.ts';
import { leaveUnanswered } from '../misbehave.ts';
import type { CobvBatch } from '../records.ts';
import { Problem, type Violation } from '../refusal.ts';
import { delayOrRefuseChargeCall } from './charge-operation.ts';
import { workOffBatches } from './cobv-batch.ts';
import { asQuery, paginate, readListQuery } from './list-query.ts';
import { bankOf, requireScope } from './oauth-routes.ts';

interface IdPath {
  Params: { id: string };
}

const requestsSchema = z
  .array(z.looseObject({ txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/) }))
  .min(1)
  .refine((requests) => new Set(requests.map(({ txid }) => txid)).size === requests.length);

const batchSchema = z.object({ descricao: z.string(), cobsv: requestsSchema });
const batchRevisionSchema = z.object({ descricao: z.string().optional(), cobsv: requestsSchema.optional() });

type Requests = z.infer<typeof requestsSchema>;

/** Batches of charges with a due date: BACEN's tag LoteCobV. */
export function lotecobvRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'lotecobv.read') };
  const writeAccess = { onRequest: requireScope(accounts, 'lotecobv.write') };

  app.put<IdPath>('/v2/lotecobv/:id', writeAccess, (request, reply) =>
    take(bankOf(request), reply, (bank) => createOrAlter(bank, request.params.id, request.body)),
  );
  app.patch<IdPath>('/v2/lotecobv/:id', writeAccess, (request, reply) =>
    take(bankOf(request), reply, (bank) => revise(bank, findBatch(bank, request.params.id), request.body)),
  );
  app.get<IdPath>('/v2/lotecobv/:id', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    await workOffBatches(bank);
    const batch = findBatch(bank, request.params.id);
    await bank.books.untilDurable();
    return formatBatch(batch);
  });
  app.get('/v2/lotecobv', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    await workOffBatches(bank);
    const listQuery = readListQuery(asQuery(request.query), 'LoteCobVConsultaInvalida');
    const matches = [...bank.books.cobvBatches.values()].filter(
      ({ createdAt }) => createdAt >= listQuery.from && createdAt <= listQuery.to,
    );
    const { parametros, page } = paginate(matches, listQuery, {});
    await bank.books.untilDurable();
    return { parametros, lotes: page.map(formatBatch) };
  });
}

/** Takes a batch to be worked off later, and answers that it did, unless the configured behaviour withholds that. */
async function take(bank: Bank, reply: FastifyReply, change: (bank: Bank) => CobvBatch): Promise<unknown> {
  if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
  await workOffBatches(bank);
  await bank.books.record({ t: 'cobv-batch', batch: change(bank) });
  if (bank.books.behaviour.charges === 'accepted-then-timeout') return leaveUnanswered(bank, reply);
  return reply.status(202).send();
}

function createOrAlter(bank: Bank, id: string, body: unknown): CobvBatch {
  if (!/^\d{1,15}$/.test(id)) throw invalidBatch([violation('O id do lote não é um número.', 'id')]);
  const { descricao, cobsv } = parseOrRefuse(batchSchema, body);
  const existing = bank.books.cobvBatches.get(id);
  if (existing !== undefined) {
    if (existing.items.length !== cobsv.length) throw otherCharges();
    return requestChanges(bank, { ...existing, description: descricao }, cobsv, 'PUT');
  }
  const { cobvs, batchIdByTxid } = bank.books;
  if (cobsv.some(({ txid }) => cobvs.has(txid) || batchIdByTxid.has(txid))) {
    throw invalidBatch([violation('Pelo menos uma cobrança do lote já encontra-se criada.', 'cobsv')]);
  }
  const items = cobsv.map(({ txid }) => ({ txid, status: 'EM_PROCESSAMENTO' as const }));
  const batch = { id, description: descricao, createdAt: bank.books.clock.now(), items };
  return requestChanges(bank, batch, cobsv, 'PUT');
}

function revise(bank: Bank, batch: CobvBatch, body: unknown): CobvBatch {
  const { descricao = batch.description, cobsv = [] } = parseOrRefuse(batchRevisionSchema, body);
  return requestChanges(bank, { ...batch, description: descricao }, cobsv, 'PATCH');
}

/** Returns the batch with these requests still to be worked off. Refuses one about a charge of no item. */
function requestChanges(
  bank: Bank,
  batch: CobvBatch,
  requests: Requests,
  method: 'PUT' | 'PATCH',
): CobvBatch {
  const bodies = new Map(requests.map(({ txid, ...body }) => [txid, body]));
  const items = batch.items.map((item) => {
    const body = bodies.get(item.txid);
    bodies.delete(item.txid);
    return body === undefined
      ? item
      : { ...item, status: 'EM_PROCESSAMENTO' as const, request: { method, body } };
  });
  if (bodies.size > 0) throw otherCharges();
  return { ...batch, items, dueAt: bank.books.clock.now() + bank.processingMs };
}

function parseOrRefuse<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data;
  const names = new Set(error.issues.map(({ path }) => (path[0] === 'descricao' ? 'descricao' : 'cobsV')));
  throw invalidBatch(
    [...names].map((name) => {
      const property = `loteCobV.${name}`;
      const kind = name === 'descricao' ? 'campo' : 'objeto';
      return violation(`O ${kind} ${property} não respeita o schema.`, property);
    }),
  );
}

function otherCharges(): Problem {
  return invalidBatch([
    violation('Um lote não ganha nem perde cobranças depois de criado.', 'loteCobV.cobsV'),
  ]);
}

function violation(razao: string, propriedade: string): Violation {
  return { razao, propriedade };
}

function invalidBatch(violations: Violation[]): Problem {
  return new Problem(
    'LoteCobVOperacaoInvalida',
    'A requisição que busca alterar ou criar um lote é inválida.',
    {
      violations,
    },
  );
}

function findBatch({ books }: Bank, id: string): CobvBatch {
  const batch = books.cobvBatches.get(id);
  if (batch === undefined)
    throw new Problem('LoteCobVNaoEncontrado', 'Lote não encontrado para o id informado.');
  return batch;
}

/** Formats a batch as BACEN's LoteCobVConsultado. */
function formatBatch({ id, description, createdAt, items }: CobvBatch): object {
  return {
    id: Number(id),
    descricao: description,
    criacao: formatMoment(createdAt),
    cobsv: items.map((item) => ({
      txid: item.txid,
      status: item.status,
      ...(item.problem !== undefined && { problema: item.problem }),
      ...(item.createdAt !== undefined && { criacao: formatMoment(item.createdAt) }),
    })),
  };
}
