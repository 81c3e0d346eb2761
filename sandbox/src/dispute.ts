import { centsToPixAmount } from '@jangada/pix';
import { INSTITUTION } from './account.ts';
import type { Bank } from './bank.ts';
import { formatMoment } from './clock.ts';
import type { Subject } from './notifier.ts';
import type { SandboxDispute } from './records.ts';

/** Kinds of fraud, in the terms of the bank Efí, whose format for disputes the sandbox uses. */
export const SITUATIONS = [
  'golpe',
  'acesso fraudulento',
  'coerção',
  'aquisição da conta',
  'outro',
  'desconhecido',
] as const;

/** Formats a dispute as Efí's lists and look-ups do. */
export function formatDispute(bank: Bank, dispute: SandboxDispute): object {
  const { comment, defence, closedAt } = dispute;
  const pix = bank.books.pix.get(dispute.endToEndId);
  return {
    idInfracao: dispute.id,
    endToEndId: dispute.endToEndId,
    protocolo: dispute.protocol,
    dataTransacao: formatMoment(pix?.at ?? dispute.openedAt),
    valor: centsToPixAmount(dispute.amountCents),
    chave: bank.account.key,
    status: dispute.status,
    razao: dispute.reason,
    tipoSituacao: SITUATIONS.find((situation) => situation === dispute.reason.toLowerCase()) ?? 'outro',
    ...(comment !== undefined && { comentario: comment }),
    ...(defence !== undefined && { defesa: defence.text }),
    identificadorTicket: [],
    dadosAnalise: {
      abertura: formatMoment(dispute.openedAt),
      prazoFinalizacao: formatMoment(dispute.deadlineAt),
      ...(defence !== undefined && { recebimentoDefesa: formatMoment(defence.at) }),
      ...(closedAt !== undefined && { finalizacao: formatMoment(closedAt) }),
    },
    origem: formatParty(pix?.payer ?? { name: '', document: '' }, '10001'),
    destino: formatParty(bank.account, '20002'),
    criadoEm: formatMoment(dispute.openedAt),
    atualizadoEm: formatMoment(dispute.changedAt),
  };
}

/** Returns the subject by which the webhook of a key is notified of a changed dispute. */
export function disputeSubject({ id, endToEndId, status, changedAt }: SandboxDispute, key: string): Subject {
  const item = { tipo: 'INFRACAO', endToEndId, idInfracao: id, status };
  return { id: `dispute ${id} ${status}`, endToEndId, key, at: changedAt, item };
}

/** Formats one party of a dispute. `conta` is an invented account number, because the sandbox has none. */
function formatParty({ name, document }: { name: string; document: string }, conta: string): object {
  return { nomeParticipante: INSTITUTION, conta, nome: name, documento: document };
}
