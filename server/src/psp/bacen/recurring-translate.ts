import { pixAmountToCents } from '@jangada/pix';
import type {
  BankDebit,
  BankDebitAttempt,
  BankEnd,
  BankMandate,
  BankPush,
  ChargeInCode,
} from '../recurring.ts';
import { readMandateCode } from './mandate-br-code.ts';
import type { CobrPayload, RecPayload, SolicRecPayload } from './recurring-payloads.ts';
import type { BrCodePayee } from './verified-br-code.ts';

const mandateStatuses = {
  CRIADA: 'created',
  APROVADA: 'approved',
  REJEITADA: 'rejected',
  EXPIRADA: 'expired',
  CANCELADA: 'cancelled',
} as const;

const periods = {
  SEMANAL: 'weekly',
  MENSAL: 'monthly',
  TRIMESTRAL: 'quarterly',
  SEMESTRAL: 'semiannual',
  ANUAL: 'annual',
} as const;

/** Translates BACEN's mandate (rec) into ours. `charge`: the one that its code is to contain. */
export function mandateFromRec(rec: RecPayload, payee: BrCodePayee, charge?: ChargeInCode): BankMandate {
  const { dataInicial, dataFinal, periodicidade } = rec.calendario;
  const amount = rec.valor?.valorRec ?? undefined;
  return {
    idRec: rec.idRec,
    contract: rec.vinculo.contrato,
    status: mandateStatuses[rec.status],
    amountCents: amount === undefined ? undefined : pixAmountToCents(amount),
    firstDay: dataInicial,
    lastDay: dataFinal ?? undefined,
    period: periods[periodicidade],
    journey: journeyOf(rec),
    statusAt: statusTimeOf(rec),
    end: endFrom(rec.encerramento),
    brCode: readMandateCode(rec, payee, charge),
  };
}

/** The journey by which the payer allowed it. A mandate that is not allowed yet may already name one that is planned. */
function journeyOf({ status, ativacao }: RecPayload): BankMandate['journey'] {
  if (status === 'CRIADA') return undefined;
  const name = ativacao?.tipoJornada ?? ativacao?.dadosJornada?.tipoJornada ?? '';
  const number = Number(/^JORNADA_([1-4])$/.exec(name)?.[1]);
  return ([1, 2, 3, 4] as const).find((journey) => journey === number);
}

function statusTimeOf({ status, atualizacao }: RecPayload): Date | undefined {
  const times = atualizacao
    .filter((update) => (update.status ?? update.nome) === status)
    .map(({ data }) => Date.parse(data));
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

const enders: Readonly<Record<string, BankEnd['by']>> = {
  PSP_PAGADOR: 'payer-bank',
  USUARIO_PAGADOR: 'payer',
  PSP_RECEBEDOR: 'receiver-bank',
  USUARIO_RECEBEDOR: 'receiver',
};

function endFrom(ending: RecPayload['encerramento']): BankEnd | undefined {
  const { rejeicao, cancelamento } = ending ?? {};
  if (cancelamento)
    return {
      kind: 'cancelled',
      code: cancelamento.codigo,
      text: cancelamento.descricao,
      by: enders[cancelamento.solicitante ?? ''],
    };
  return rejeicao
    ? { kind: 'refused', code: rejeicao.codigo, text: rejeicao.descricao, by: undefined }
    : undefined;
}

const pushStatuses = {
  CRIADA: 'created',
  ENVIADA: 'sent',
  RECEBIDA: 'received',
  ACEITA: 'accepted',
  REJEITADA: 'rejected',
  EXPIRADA: 'expired',
  CANCELADA: 'cancelled',
} as const;

export function pushFromSolicRec({ idSolicRec, status }: SolicRecPayload): BankPush {
  return { id: idSolicRec, status: pushStatuses[status] };
}

const debitStatuses = {
  CRIADA: 'created',
  ATIVA: 'active',
  CONCLUIDA: 'completed',
  EXPIRADA: 'expired',
  REJEITADA: 'refused',
  CANCELADA: 'cancelled',
} as const;

/** Translates BACEN's charge of one cycle (cobr) into ours. */
export function debitFromCobr(cobr: CobrPayload): BankDebit {
  const paid = cobr.tentativas.filter(({ status }) => status === 'PAGA');
  return {
    txid: cobr.txid,
    idRec: cobr.idRec,
    status: debitStatuses[cobr.status],
    amountCents: pixAmountToCents(cobr.valor.original),
    dueDate: cobr.calendario.dataDeVencimento,
    attempts: cobr.tentativas.map(attemptFrom),
    end: endFrom(cobr.encerramento),
    // Not every bank lists the Pix: the attempt that was paid has the same id.
    endToEndIds: [...new Set([...cobr.pix, ...paid].map(({ endToEndId }) => endToEndId))],
  };
}

const attemptStatuses = {
  SOLICITADA: 'requested',
  AGENDADA: 'scheduled',
  PAGA: 'paid',
  REJEITADA: 'refused',
  CANCELADA: 'cancelled',
  EXPIRADA: 'expired',
} as const;

function attemptFrom({
  endToEndId,
  dataLiquidacao,
  tipo,
  status,
  rejeicao,
}: CobrPayload['tentativas'][number]): BankDebitAttempt {
  return {
    endToEndId,
    date: dataLiquidacao ?? undefined,
    isRetry: tipo === 'NTAG',
    status: attemptStatuses[status],
    refusal: rejeicao ? { code: rejeicao.codigo, text: rejeicao.descricao } : undefined,
  };
}
