import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import { closeDispute } from '../close-dispute.ts';
import { disputeSubject, formatDispute } from '../dispute.ts';
import { delayOrRefuseLookUp, leaveUnanswered } from '../misbehave.ts';
import type { SandboxDispute } from '../records.ts';
import { Problem } from '../refusal.ts';
import { asQuery, paginate, readListQuery, readText, sliceWindow } from './list-query.ts';
import { bankOf, requireScope } from './oauth-routes.ts';

/** The limit is large because evidence is sent in the request body. */
const BODY_LIMIT = 32 * 1024 * 1024;

const defenceSchema = z.object({
  analise: z.enum(['aceito', 'rejeitado']),
  justificativa: z.string().min(1).max(5000),
  arquivos: z
    .array(z.object({ nome: z.string().min(1).max(200), tipo: z.string().max(100), conteudo: z.base64() }))
    .max(10)
    .default([]),
});

interface IdPath {
  Params: { idInfracao: string };
}

/**
 * Disputes (payers' claims through MED, the banks' special return mechanism), in the format that the bank Efí
 * publishes. Only the files of a defence (`arquivos`) are an extension of the sandbox.
 */
export function disputeRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'gn.infractions.read') };
  const writeAccess = { onRequest: requireScope(accounts, 'gn.infractions.write'), bodyLimit: BODY_LIMIT };

  app.get('/v2/gn/infracoes', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseLookUp(bank.books)) === 'hang') return leaveUnanswered(bank, reply);
    await bank.books.untilDurable();
    return listDisputes(bank, asQuery(request.query));
  });
  app.get<IdPath>('/v2/gn/infracoes/:idInfracao', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseLookUp(bank.books)) === 'hang') return leaveUnanswered(bank, reply);
    const dispute = findDispute(bank, request.params.idInfracao);
    await bank.books.untilDurable();
    return formatDispute(bank, dispute);
  });
  app.post<IdPath>('/v2/gn/infracoes/:idInfracao/defesa', writeAccess, async (request, reply) => {
    const bank = bankOf(request);
    await submitDefence(bank, findDispute(bank, request.params.idInfracao), request.body);
    return reply.status(201).send({ mensagem: 'Defesa de infração MED criada.' });
  });
}

/**
 * Records a defence. With `aceito` the merchant accepts the claim: the dispute is closed and the money returned. With
 * `rejeitado` the merchant contests the claim, and the dispute stays open until the bank decides.
 */
async function submitDefence(bank: Bank, dispute: SandboxDispute, body: unknown): Promise<unknown> {
  const { data, error } = defenceSchema.safeParse(body);
  if (data === undefined) {
    throw new Problem('InfracoesConsultaInvalida', 'A defesa não respeita o schema.', {
      violations: error.issues.map(({ message, path }) => ({ razao: message, propriedade: path.join('.') })),
    });
  }
  const now = bank.books.clock.now();
  if (dispute.closedAt !== undefined) throw defenceRefused('A infração já foi finalizada.', 409);
  if (dispute.defence !== undefined) throw defenceRefused('A defesa para essa infração já foi criada.', 409);
  if (now >= dispute.deadlineAt) throw defenceRefused('O prazo para defesa foi excedido.', 422);
  const defence = { text: data.justificativa, files: data.arquivos.map(describeFile), at: now };
  if (data.analise === 'aceito') return closeDispute(bank, { ...dispute, defence }, 'ACEITA');
  const defended: SandboxDispute = { ...dispute, defence, status: 'EM_DEFESA', changedAt: now };
  return bank.notifier.recordAndNotify(
    [{ t: 'dispute', dispute: defended }],
    [disputeSubject(defended, bank.account.key)],
  );
}

/** Returns what the books store of a file: its name, type, size and hash, but not its content. */
function describeFile({ nome, tipo, conteudo }: { nome: string; tipo: string; conteudo: string }) {
  const content = Buffer.from(conteudo, 'base64');
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name: nome, type: tipo, bytes: content.length, sha256 };
}

function listDisputes(bank: Bank, query: Record<string, unknown>): object {
  const listQuery = readListQuery(query, 'InfracoesConsultaInvalida');
  const status = readText(query, 'status');
  const matches = sliceWindow(
    [...bank.books.disputes.values()],
    ({ openedAt }) => openedAt,
    listQuery,
  ).filter((dispute) => status === undefined || dispute.status === status);
  const { parametros, page } = paginate(matches, listQuery, { status });
  return { parametros, infracoes: page.map((dispute) => formatDispute(bank, dispute)) };
}

function findDispute(bank: Bank, id: string): SandboxDispute {
  const dispute = bank.books.disputes.get(id);
  if (dispute === undefined) throw new Problem('InfracaoNaoEncontrada', 'Infração não encontrada.');
  return dispute;
}

function defenceRefused(razao: string, status: number): Problem {
  return new Problem('InfracaoOperacaoInvalida', 'A defesa não pode ser apresentada.', {
    violations: [{ razao, propriedade: 'idInfracao' }],
    status,
  });
}
