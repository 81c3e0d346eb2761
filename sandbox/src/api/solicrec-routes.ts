import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Accounts } from '../accounts.ts';
import type { SandboxSolicRec } from '../automatic/automatic-records.ts';
import { formatSolicRec, isSolicRecOpen, moveSolicRec } from '../automatic/solicrec.ts';
import type { Bank } from '../bank.ts';
import { dayAt } from '../bank-days.ts';
import { leaveUnanswered } from '../misbehave.ts';
import { randomSuffix } from '../pix.ts';
import { Problem } from '../refusal.ts';
import { invalidAutomatic, parseAutomatic } from './automatic-operation.ts';
import { delayOrRefuseChargeCall } from './charge-operation.ts';
import { isBareCnpj, isBareCpf } from './charge-terms.ts';
import { bankOf, requireScope } from './oauth-routes.ts';
import { findRec } from './rec-routes.ts';

interface IdPath {
  Params: { idSolicRec: string };
}

const accountFields = {
  conta: z.string().min(1).max(20),
  agencia: z.string().max(4).optional(),
  ispbParticipante: z.string().regex(/^[0-9A-Z]{8}$/),
};

const requestSchema = z.object({
  idRec: z.string().regex(/^[a-zA-Z0-9]{29}$/),
  calendario: z.object({ dataExpiracaoSolicitacao: z.iso.datetime({ offset: true }) }),
  destinatario: z.xor([
    z.object({ ...accountFields, cpf: z.string().refine(isBareCpf), cnpj: z.undefined().optional() }),
    z.object({ ...accountFields, cnpj: z.string().refine(isBareCnpj), cpf: z.undefined().optional() }),
  ]),
});

const revisionSchema = z.object({ status: z.literal('CANCELADA') });

/** The requests that ask a payer for a mandate by a push (solicrec): BACEN's tag SolicRec. */
export function solicRecRoutes(app: FastifyInstance, accounts: Accounts): void {
  const readAccess = { onRequest: requireScope(accounts, 'solicrec.read') };
  const writeAccess = { onRequest: requireScope(accounts, 'solicrec.write') };

  app.post('/v2/solicrec', writeAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    const solicRec = newSolicRec(bank, request.body);
    await bank.books.record({ t: 'solicrec', solicRec });
    bank.automaticWorker.wake();
    if (bank.books.behaviour.charges === 'accepted-then-timeout') return leaveUnanswered(bank, reply);
    return reply.status(201).send(formatSolicRec(bank, solicRec));
  });
  app.get<IdPath>('/v2/solicrec/:idSolicRec', readAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    const solicRec = findSolicRec(bank, request.params.idSolicRec);
    await bank.books.untilDurable();
    return formatSolicRec(bank, solicRec);
  });
  app.patch<IdPath>('/v2/solicrec/:idSolicRec', writeAccess, async (request, reply) => {
    const bank = bankOf(request);
    if ((await delayOrRefuseChargeCall(bank)) === 'hang') return leaveUnanswered(bank, reply);
    const current = findSolicRec(bank, request.params.idSolicRec);
    parseAutomatic('solicrec', revisionSchema, request.body, []);
    if (!isSolicRecOpen(current)) {
      throw invalidAutomatic(
        'solicrec',
        'status',
        'Não é possível cancelar uma solicitação de recorrência com o status diferente de CRIADA, ENVIADA ou RECEBIDA.',
        current.status,
      );
    }
    const solicRec = moveSolicRec(current, 'CANCELADA', bank.books.clock.now());
    await bank.books.record({ t: 'solicrec', solicRec });
    if (bank.books.behaviour.charges === 'accepted-then-timeout') return leaveUnanswered(bank, reply);
    // The official file has 201 for this change.
    return reply.status(201).send(formatSolicRec(bank, solicRec));
  });
}

function newSolicRec(bank: Bank, body: unknown): SandboxSolicRec {
  const { idRec, calendario, destinatario } = parseAutomatic('solicrec', requestSchema, body, [
    ...['calendario', 'destinatario'],
  ]);
  const createdAt = bank.books.clock.now();
  const expiresAt = Date.parse(calendario.dataExpiracaoSolicitacao);
  if (expiresAt < createdAt) {
    throw invalidAutomatic(
      'solicrec',
      'calendario.dataExpiracaoSolicitacao',
      'O campo solicrec.calendario.dataExpiracaoSolicitacao é anterior à data de criação da solicitação da recorrência.',
    );
  }
  const rec = findRec(bank, idRec);
  if (rec.status !== 'CRIADA') {
    throw invalidAutomatic('solicrec', 'idRec', 'A recorrência não está CRIADA.', rec.status);
  }
  if (bank.books.automatic.solicRecsOf(idRec).some(isSolicRecOpen)) {
    throw invalidAutomatic(
      'solicrec',
      'idRec',
      'Existe uma solicitação ativa referente ao mesmo solicrec.idRec.',
      idRec,
    );
  }
  return {
    idSolicRec: `SC${bank.account.ispb}${dayAt(createdAt).replaceAll('-', '')}${randomSuffix()}`,
    idRec,
    createdAt,
    expiresAt,
    status: 'CRIADA',
    history: [{ status: 'CRIADA', at: createdAt }],
    recipient: destinatario,
    dueAt: Math.min(createdAt + bank.processingMs, expiresAt),
  };
}

function findSolicRec(bank: Bank, idSolicRec: string): SandboxSolicRec {
  const solicRec = bank.books.automatic.solicRecs.get(idSolicRec);
  if (solicRec === undefined) {
    throw new Problem('SolicRecNaoEncontrada', 'Solicitação não encontrada para o idSolicRec informado.');
  }
  return solicRec;
}
