import { pixAmountToCents } from '@jangada/pix';
import * as z from 'zod/mini';
import { type BacenClient, RefusedResponse } from '../bacen/client.ts';
import { listPages } from '../bacen/list-pages.ts';
import type { BankDefence, BankDispute, BankDisputes } from '../psp.ts';
import { type InfracaoPayload, infracao } from './payloads.ts';

/** A dispute is searched for this long before and after its opening: times in the bank's records differ slightly. */
const searchMarginMs = 24 * 3_600_000;

/** Disputes (payers' claims through MED, the banks' special return mechanism), through Efí's API. */
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
    const from = new Date(openedAt.getTime() - searchMarginMs);
    const to = new Date(openedAt.getTime() + searchMarginMs);
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
    async sendDefence(key, defence) {
      const path = `/v2/gn/infracoes/${encodeURIComponent(key.disputeId)}/defesa`;
      const body = defenceRequest(takesFiles ? defence : { ...defence, files: [] });
      try {
        await client.call({ method: 'POST', path, fromRoot: true, body, needsReason: true }, z.unknown());
      } catch (error) {
        if (!(error instanceof RefusedResponse)) throw error;
        // The bank also refuses a second defence. A dispute that is already defended is what the caller wants.
        const isDefended = (await find(key))?.status === 'defended';
        if (!isDefended) throw error;
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

function disputeFromInfracao(payload: InfracaoPayload): BankDispute {
  const { abertura, prazoFinalizacao } = payload.dadosAnalise;
  return {
    disputeId: String(payload.idInfracao),
    endToEndId: payload.endToEndId,
    protocol: String(payload.protocolo ?? ''),
    amountCents: pixAmountToCents(payload.valor),
    reason: reasonOf(payload),
    status: statuses[payload.status],
    openedAt: new Date(abertura),
    deadlineAt: new Date(prazoFinalizacao),
  };
}

/** Returns the kind of fraud, or the dispute's reason if the bank states no kind, followed by the payer's comment. */
function reasonOf({ tipoSituacao, razao, comentario }: InfracaoPayload): string {
  const isFraudKindStated = tipoSituacao && tipoSituacao !== 'outro' && tipoSituacao !== 'desconhecido';
  const reason = isFraudKindStated ? tipoSituacao : razao || tipoSituacao;
  return [reason, comentario].filter(Boolean).join(': ');
}
