import { pixAmountToCents } from '@jangada/pix';
import * as z from 'zod/mini';
import { type BacenClient, RefusedAnswer } from '../bacen/client.ts';
import { listPages } from '../bacen/list-pages.ts';
import type { BankDefence, BankDispute, BankDisputes } from '../psp.ts';
import { type InfracaoPayload, infracao } from './payloads.ts';

/** Searches reach this far before and after a dispute's opening: the bank's records differ slightly in time. */
const aroundMs = 24 * 3_600_000;

/** Disputes (MED), through Efí's API. */
export function createEfiDisputes(
  client: BacenClient,
  { itemsPerPage = 100, takesFiles = false }: { itemsPerPage?: number; takesFiles?: boolean } = {},
): BankDisputes {
  const list: BankDisputes['listDisputes'] = (from, to) =>
    listPages(client, {
      path: '/v2/gn/infracoes',
      fromRoot: true,
      from,
      to,
      itemsPerPage,
      field: 'infracoes',
      item: infracao,
      translate: disputeFromInfracao,
      notFoundIsEmpty: true,
    });

  const find: BankDisputes['findDispute'] = async ({ disputeId, openedAt }) => {
    const from = new Date(openedAt.getTime() - aroundMs);
    const to = new Date(openedAt.getTime() + aroundMs);
    for await (const page of list(from, to)) {
      const found = page.find((dispute) => dispute.disputeId === disputeId);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  return {
    takesFiles,
    listDisputes: list,
    findDispute: find,
    async sendDefence(name, defence) {
      const path = `/v2/gn/infracoes/${encodeURIComponent(name.disputeId)}/defesa`;
      const body = defenceRequest(takesFiles ? defence : { ...defence, files: [] });
      try {
        await client.call({ method: 'POST', path, fromRoot: true, body, needsReason: true }, z.unknown());
      } catch (error) {
        if (!(error instanceof RefusedAnswer)) throw error;
        // Refused because the defence was sent before: the goal is reached.
        if ((await find(name))?.status !== 'defended') throw error;
      }
    },
  };
}

function defenceRequest({ text, files }: BankDefence) {
  const arquivos = files.map(({ name, type, content }) => ({
    nome: name,
    tipo: type,
    conteudo: content.toString('base64'),
  }));
  return { analise: 'rejeitado', justificativa: text, ...(arquivos.length > 0 && { arquivos }) };
}

const statuses = {
  ABERTA: 'open',
  EM_DEFESA: 'defended',
  ACEITA: 'accepted',
  REJEITADA: 'rejected',
  CANCELADA_EFI: 'cancelled',
} as const;

function disputeFromInfracao(told: InfracaoPayload): BankDispute {
  const { abertura, prazoFinalizacao } = told.dadosAnalise;
  return {
    disputeId: String(told.idInfracao),
    endToEndId: told.endToEndId,
    protocol: String(told.protocolo ?? ''),
    amountCents: pixAmountToCents(told.valor),
    reason: reasonOf(told),
    status: statuses[told.status],
    openedAt: new Date(abertura),
    deadlineAt: new Date(prazoFinalizacao),
  };
}

/** The kind of fraud if the bank states it, otherwise the reason for the dispute; then the payer's comment. */
function reasonOf({ tipoSituacao, razao, comentario }: InfracaoPayload): string {
  const isKnown = tipoSituacao && tipoSituacao !== 'outro' && tipoSituacao !== 'desconhecido';
  return [isKnown ? tipoSituacao : razao || tipoSituacao, comentario].filter(Boolean).join(': ');
}
