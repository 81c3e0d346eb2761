import { centsToPixAmount, pixAmountToCents } from '@jangada/pix';
import { type BacenClient, RefusedResponse } from '../bacen/client.ts';
import { listPages } from '../bacen/list-pages.ts';
import { type BankPayout, type PayoutOrder, type PixPayouts, PspUnknown } from '../psp.ts';
import { type OrderedPayoutPayload, orderedPayout, type SentPixPayload, sentPix } from './payloads.ts';

/** Payouts (the Pix that we send for withdrawals), through Efí's API, from the account of the Pix key `ownPixKey`. */
export function createEfiPayouts(
  client: BacenClient,
  ownPixKey: string,
  { itemsPerPage = 100 }: { itemsPerPage?: number } = {},
): PixPayouts {
  const find: PixPayouts['findPayout'] = async (idEnvio) => {
    const path = `/v2/gn/pix/enviados/id-envio/${encodeURIComponent(idEnvio)}`;
    const response = await client.call({ method: 'GET', path, fromRoot: true, needsReason: true }, sentPix);
    if (response === undefined) return undefined;
    if (response.idEnvio !== idEnvio) throw new PspUnknown('the bank answered with another payout');
    return payoutFromSent(response);
  };

  return {
    // The bank executes each idEnvio at most once.
    isResendSafe: true,
    findPayout: find,
    async sendPayout(order) {
      const path = `/v3/gn/pix/${encodeURIComponent(order.idEnvio)}`;
      const body = payoutRequest(order, ownPixKey);
      try {
        const call = { method: 'PUT', path, fromRoot: true, body, needsReason: true } as const;
        const response = await client.call(call, orderedPayout);
        if (response?.idEnvio !== order.idEnvio)
          throw new PspUnknown('the bank answered with another payout');
        return payoutFromOrdered(response);
      } catch (error) {
        if (!(error instanceof RefusedResponse) || error.status !== 409) throw error;
        const existingPayout = await find(order.idEnvio);
        if (existingPayout === undefined)
          throw new PspUnknown('the bank has the id of the payout, and does not find it yet', {
            cause: error,
          });
        return existingPayout;
      }
    },
    listPayouts: (from, to) =>
      listPages(client, {
        path: '/v2/gn/pix/enviados',
        fromRoot: true,
        from,
        to,
        itemsPerPage,
        field: 'pix',
        item: sentPix,
        translate: payoutFromSent,
        notFoundIsEmpty: true,
      }),
  };
}

function payoutRequest({ amountCents, pixKey, note }: PayoutOrder, ownPixKey: string) {
  return {
    valor: centsToPixAmount(amountCents),
    pagador: { chave: ownPixKey, ...(note !== '' && { infoPagador: note }) },
    favorecido: { chave: pixKey },
  };
}

const statuses = {
  EM_PROCESSAMENTO: 'processing',
  REALIZADO: 'completed',
  NAO_REALIZADO: 'refused',
} as const;

function payoutFromOrdered(ordered: OrderedPayoutPayload): BankPayout {
  const { e2eId: endToEndId, ...rest } = ordered;
  return payoutFromSent({ ...rest, endToEndId });
}

function payoutFromSent(sent: SentPixPayload): BankPayout {
  const { status, horario, favorecido } = sent;
  const pixKey = favorecido?.chave ?? undefined;
  return {
    // A Pix sent without an idEnvio must not be missed, because it left the account too: its endToEndId stands in.
    idEnvio: sent.idEnvio || sent.endToEndId || '',
    endToEndId: sent.endToEndId || undefined,
    status: statuses[status],
    amountCents: pixAmountToCents(sent.valor),
    // The bank masks some keys with asterisks.
    pixKey: pixKey?.includes('*') ? undefined : pixKey,
    requestedAt: horario?.solicitacao ? new Date(horario.solicitacao) : undefined,
    refusal: status === 'NAO_REALIZADO' ? refusalOf(sent) : undefined,
    returned: [sent.devolucoes ?? []].flat().flatMap(returnOf),
  };
}

function refusalOf({ gnExtras }: SentPixPayload): BankPayout['refusal'] {
  const { codigo, motivo } = gnExtras?.erro ?? {};
  return { code: codigo || undefined, reason: motivo || 'O banco não realizou o Pix.' };
}

type ReturnedPayload = Extract<NonNullable<SentPixPayload['devolucoes']>, { readonly rtrId: string }>;

/** Translates a return if it is completed; pending and failed ones are left out. */
function returnOf({ rtrId, valor, horario, status }: ReturnedPayload): BankPayout['returned'] {
  if (status !== 'DEVOLVIDO') return [];
  const at = 'liquidacao' in horario ? horario.liquidacao : horario.solicitacao;
  return [{ rtrId, amountCents: pixAmountToCents(valor), at: new Date(at) }];
}
