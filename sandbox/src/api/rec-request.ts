import { pixAmountToCents } from '@jangada/pix';
import { z } from 'zod';
import type { RecTerms, SandboxRec } from '../automatic/automatic-records.ts';
import { hasRecEnded } from '../automatic/rec.ts';
import { type CalendarDay, isCalendarDay } from '../bank-days.ts';
import type { Violation } from '../refusal.ts';
import { invalidAutomaticRequest, parseAutomatic } from './automatic-operation.ts';
import { isBareCnpj, isBareCpf } from './charge-terms.ts';

const day = z.string().refine(isCalendarDay);
const amount = z.string().regex(/^\d{1,10}\.\d{2}$/);
const txid = z.string().regex(/^[a-zA-Z0-9]{26,35}$/);
const nome = z.string().min(1).max(140);

/** A debtor has a CPF or a CNPJ, never both. */
const debtorSchema = z.xor([
  z.object({ cpf: z.string().refine(isBareCpf), cnpj: z.undefined().optional(), nome }),
  z.object({ cnpj: z.string().refine(isBareCnpj), cpf: z.undefined().optional(), nome }),
]);

const activationSchema = z.object({ dadosJornada: z.object({ txid }).optional() });

const recRequestSchema = z.object({
  vinculo: z.object({
    contrato: z.string().min(1).max(35),
    objeto: z.string().max(35).optional(),
    devedor: debtorSchema,
  }),
  calendario: z.object({
    dataInicial: day,
    dataFinal: day.optional(),
    periodicidade: z.enum(['SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL']),
  }),
  valor: z.object({ valorRec: amount.optional(), valorMinimoRecebedor: amount.optional() }).optional(),
  politicaRetentativa: z.enum(['NAO_PERMITE', 'PERMITE_3R_7D']),
  recebedor: z.object({ convenio: z.string().max(60).optional() }).optional(),
  loc: z.int().optional(),
  ativacao: activationSchema.optional(),
});

const recRevisionSchema = z.object({
  status: z.literal('CANCELADA').optional(),
  vinculo: z.object({ devedor: z.object({ nome }).optional() }).optional(),
  loc: z.int().optional(),
  calendario: z.object({ dataInicial: day.optional() }).optional(),
  ativacao: activationSchema.optional(),
});

/** A validated request for a rec. */
export interface RecRequest {
  readonly terms: RecTerms;
  readonly locationId?: number;
  readonly journeyTxid?: string;
}

/** Reads the request for a new rec (BACEN's RecSolicitada). Throws RecOperacaoInvalida with every violation. */
export function readRecRequest(body: unknown, today: CalendarDay): RecRequest {
  const request = parseAutomatic('rec', recRequestSchema, body, ['vinculo', 'recebedor']);
  const { vinculo, calendario, valor, politicaRetentativa, recebedor, loc, ativacao } = request;
  const journeyTxid = ativacao?.dadosJornada?.txid;
  const terms: RecTerms = {
    contract: vinculo.contrato,
    ...(vinculo.objeto !== undefined && { object: vinculo.objeto }),
    debtor: vinculo.devedor,
    firstDay: calendario.dataInicial,
    ...(calendario.dataFinal !== undefined && { lastDay: calendario.dataFinal }),
    period: calendario.periodicidade,
    ...(valor?.valorRec !== undefined && { fixedCents: pixAmountToCents(valor.valorRec) }),
    ...(valor?.valorMinimoRecebedor !== undefined && {
      floorCents: pixAmountToCents(valor.valorMinimoRecebedor),
    }),
    mayRetry: politicaRetentativa === 'PERMITE_3R_7D',
    ...(recebedor?.convenio !== undefined && { agreement: recebedor.convenio }),
  };
  const violations = findRecViolations(terms, today);
  if (violations.length > 0) throw invalidAutomaticRequest('rec', violations);
  return {
    terms,
    ...(loc !== undefined && { locationId: loc }),
    ...(journeyTxid !== undefined && { journeyTxid }),
  };
}

function findRecViolations(terms: RecTerms, createdOn: CalendarDay): Violation[] {
  const violations: Violation[] = [];
  const add = (property: string, razao: string) => violations.push({ razao, propriedade: `rec.${property}` });
  if (terms.firstDay < createdOn) add('calendario.dataInicial', PAST_FIRST_DAY);
  if (terms.lastDay !== undefined && terms.lastDay < terms.firstDay) {
    add(
      'calendario.dataFinal',
      'O campo rec.calendario.dataFinal é anterior ao campo rec.calendario.dataInicial.',
    );
  }
  if (terms.fixedCents !== undefined && terms.floorCents !== undefined) {
    add('valor', 'Ambos os campos rec.valor.valorRec e rec.valor.valorMinimoRecebedor estão preenchidos.');
  }
  if (terms.fixedCents === 0) add('valor.valorRec', 'O campo rec.valor.valorRec não respeita o schema.');
  return violations;
}

const PAST_FIRST_DAY = 'O campo rec.calendario.dataInicial é anterior à data de criação da recorrência.';

/** Reads the request to change a rec (BACEN's RecRevisada). Throws RecOperacaoInvalida with every violation. */
export function readRecRevision(
  body: unknown,
  rec: SandboxRec,
  createdOn: CalendarDay,
): { cancel: boolean; terms: RecTerms; locationId?: number; journeyTxid?: string } {
  const request = parseAutomatic('rec', recRevisionSchema, body, []);
  const { status, vinculo, loc, calendario, ativacao } = request;
  const name = vinculo?.devedor?.nome;
  const firstDay = calendario?.dataInicial;
  const journeyTxid = ativacao?.dadosJornada?.txid;
  const violations: Violation[] = [];
  const add = (property: string, razao: string, valor?: string) =>
    violations.push({ razao, propriedade: `rec.${property}`, ...(valor !== undefined && { valor }) });
  if (hasRecEnded(rec)) {
    add('status', 'A recorrência encontra-se expirada, cancelada ou rejeitada.', rec.status);
  }
  if (loc !== undefined && rec.status !== 'CRIADA') add('loc', onlyWhileCreated('rec.loc'));
  if (firstDay !== undefined && rec.status !== 'CRIADA') {
    add('calendario.dataInicial', onlyWhileCreated('rec.calendario.dataInicial'));
  }
  if (firstDay !== undefined && firstDay < createdOn) add('calendario.dataInicial', PAST_FIRST_DAY);
  if (firstDay !== undefined && rec.terms.lastDay !== undefined && rec.terms.lastDay < firstDay) {
    add(
      'calendario.dataInicial',
      'O campo rec.calendario.dataFinal é anterior ao campo rec.calendario.dataInicial.',
    );
  }
  if (violations.length > 0) throw invalidAutomaticRequest('rec', violations);
  const { terms } = rec;
  return {
    cancel: status !== undefined,
    terms: {
      ...terms,
      ...(name !== undefined && { debtor: { ...terms.debtor, nome: name } }),
      ...(firstDay !== undefined && { firstDay }),
    },
    ...(loc !== undefined && { locationId: loc }),
    ...(journeyTxid !== undefined && { journeyTxid }),
  };
}

function onlyWhileCreated(field: string): string {
  return `O campo ${field} somente pode ser alterado quando a recorrência apresentar-se com o status CRIADA.`;
}
