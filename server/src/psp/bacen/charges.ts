import { centsToPixAmount } from '@jangada/pix';
import * as z from 'zod/mini';
import { type ChargeOrder, type PixCharges, PspRefused, PspUnknown } from '../psp.ts';
import type { BacenClient } from './client.ts';
import { cob, receivedList, receivedPix, webhook } from './payloads.ts';
import { chargeFromCob, type Receiver, receivedFromPix } from './translate.ts';

/** The receiving side of any bank that speaks BACEN's API Pix. */
export function createBacenCharges(
  client: BacenClient,
  pixKey: string,
  receiver: Receiver,
  { itemsPerPage = 1000 }: { itemsPerPage?: number } = {},
): PixCharges {
  const cobPath = (txid: string) => `/cob/${encodeURIComponent(txid)}`;
  const webhookPath = `/webhook/${encodeURIComponent(pixKey)}`;
  return {
    async createCharge(order) {
      const answer = await client.call(
        { method: 'PUT', path: cobPath(order.txid), body: cobRequest(order, pixKey) },
        cob,
      );
      if (answer === undefined) throw new PspRefused('the bank knows no charges under this address');
      return chargeFromCob(answer, receiver);
    },
    async findCharge(txid) {
      const answer = await client.call({ method: 'GET', path: cobPath(txid) }, cob);
      return answer && chargeFromCob(answer, receiver);
    },
    async removeCharge(txid) {
      const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
      const answer = await client.call({ method: 'PATCH', path: cobPath(txid), body }, cob);
      if (answer === undefined) throw new PspRefused('the bank knows no such charge');
      return chargeFromCob(answer, receiver);
    },
    async findReceivedPix(endToEndId) {
      const answer = await client.call(
        { method: 'GET', path: `/pix/${encodeURIComponent(endToEndId)}` },
        receivedPix,
      );
      return answer && receivedFromPix(answer);
    },
    async *listReceivedPix(from, to) {
      let unread = 0;
      for (let page = 0, pages = 1; page < pages; page += 1) {
        const query = new URLSearchParams({
          inicio: from.toISOString(),
          fim: to.toISOString(),
          'paginacao.paginaAtual': String(page),
          'paginacao.itensPorPagina': String(itemsPerPage),
        });
        const answer = await client.call({ method: 'GET', path: `/pix?${query}` }, receivedList);
        // A list is never "not found": an answer that says so says nothing of what was received.
        if (answer === undefined) throw new PspUnknown('the bank does not know its list of received Pix');
        pages = answer.parametros.paginacao.quantidadeDePaginas;
        const items = answer.pix.map((item) => receivedPix.safeParse(item));
        unread += items.filter(({ success }) => !success).length;
        yield items.flatMap(({ data }) => (data === undefined ? [] : [receivedFromPix(data)]));
      }
      // What could be read was handed over; the window is not done.
      if (unread > 0) throw new PspUnknown(`${unread} received Pix in the bank's list could not be read`);
    },
    async findWebhook() {
      const answer = await client.call({ method: 'GET', path: webhookPath }, webhook);
      return answer?.webhookUrl;
    },
    async registerWebhook(url) {
      await client.call({ method: 'PUT', path: webhookPath, body: { webhookUrl: url } }, z.unknown());
    },
    reachable: client.reachable,
    close: client.close,
  };
}

function cobRequest(order: ChargeOrder, pixKey: string) {
  return {
    calendario: { expiracao: order.expiresInSeconds },
    valor: { original: centsToPixAmount(order.amountCents) },
    chave: pixKey,
    solicitacaoPagador: order.payerNote,
  };
}
