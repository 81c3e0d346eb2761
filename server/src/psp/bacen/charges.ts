import { centsToPixAmount, isCpf } from '@jangada/pix';
import * as z from 'zod/mini';
import { type ChargeKind, type ChargeOrder, type PixCharges, PspRefused } from '../psp.ts';
import type { BacenClient } from './client.ts';
import { cobvCalendar, cobvValue } from './due-request.ts';
import { listPages } from './list-pages.ts';
import { cob, cobv, receivedPix, webhook } from './payloads.ts';
import { chargeFromCob, receivedFromPix } from './translate.ts';
import type { BrCodePayee } from './verified-br-code.ts';

type ChargesOptions = {
  readonly itemsPerPage?: number;
  /** Headers with which the URL for notices is registered. */
  readonly noticeUrlHeaders?: Readonly<Record<string, string>>;
};

/**
 * Charges, received Pix and the URL for notices, for any bank that implements the API Pix of BACEN, the central bank.
 */
export function createBacenCharges(
  client: BacenClient,
  pixKey: string,
  payee: BrCodePayee,
  { itemsPerPage = 1000, noticeUrlHeaders }: ChargesOptions = {},
): PixCharges {
  const pathOf = (kind: ChargeKind, txid: string) =>
    `/${kind === 'due' ? 'cobv' : 'cob'}/${encodeURIComponent(txid)}`;
  const schemaOf = (kind: ChargeKind) => (kind === 'due' ? cobv : cob);
  const scopesOf = (kind: ChargeKind) => (kind === 'due' ? ({ scopes: 'due' } as const) : {});
  const webhookPath = `/webhook/${encodeURIComponent(pixKey)}`;
  return {
    async createCharge(order) {
      const kind = order.due === undefined ? 'immediate' : 'due';
      const response = await client.call(
        {
          ...{ method: 'PUT', path: pathOf(kind, order.txid), body: chargeRequest(order, pixKey) },
          mayFailFast: true,
          // Some banks take no charges with a due date, or not from everybody. That says nothing about the others.
          ...(kind === 'immediate' ? { createsCharge: true } : { mayLackScope: true }),
          ...scopesOf(kind),
        },
        schemaOf(kind),
      );
      if (response === undefined) throw new PspRefused('the bank knows no charges under this address');
      return chargeFromCob(response, payee);
    },
    async findCharge(txid, kind) {
      const response = await client.call(
        { method: 'GET', path: pathOf(kind, txid), ...scopesOf(kind) },
        schemaOf(kind),
      );
      return response && chargeFromCob(response, payee);
    },
    async removeCharge(txid, kind) {
      const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
      const response = await client.call(
        { method: 'PATCH', path: pathOf(kind, txid), body, mayFailFast: true, ...scopesOf(kind) },
        schemaOf(kind),
      );
      if (response === undefined) throw new PspRefused('the bank knows no such charge');
      return chargeFromCob(response, payee);
    },
    async findReceivedPix(endToEndId) {
      const response = await client.call(
        { method: 'GET', path: `/pix/${encodeURIComponent(endToEndId)}` },
        receivedPix,
      );
      return response && receivedFromPix(response);
    },
    listReceivedPix: (from, to, filter) =>
      listPages(client, {
        path: '/pix',
        ...(filter === 'returned' && { filter: { devolucaoPresente: 'true' } }),
        from,
        to,
        itemsPerPage,
        field: 'pix',
        item: receivedPix,
        translate: receivedFromPix,
      }),
    async findNoticeUrl() {
      const response = await client.call({ method: 'GET', path: webhookPath }, webhook);
      return response?.webhookUrl;
    },
    async registerNoticeUrl(url) {
      const body = { webhookUrl: url };
      const headers = noticeUrlHeaders && { headers: noticeUrlHeaders };
      await client.call({ method: 'PUT', path: webhookPath, body, ...headers }, z.unknown());
    },
    reachable: client.reachable,
    health: client.health,
    close: client.close,
  };
}

/** Lists the txids of the charges that were created in the window, page by page to the last. */
export function listChargeIds(client: BacenClient, from: Date, to: Date): AsyncIterable<string[]> {
  return listPages(client, {
    path: '/cob',
    from,
    to,
    itemsPerPage: 100,
    field: 'cobs',
    item: z.object({ txid: z.string() }),
    translate: ({ txid }) => txid,
  });
}

function chargeRequest(order: ChargeOrder, pixKey: string) {
  const { billedTo, due } = order;
  const valor = { original: centsToPixAmount(order.amountCents) };
  return {
    calendario: due === undefined ? { expiracao: order.expiresInSeconds } : cobvCalendar(due),
    valor: due === undefined ? valor : { ...valor, ...cobvValue(due) },
    ...(billedTo && { devedor: debtorFrom(billedTo) }),
    chave: pixKey,
    solicitacaoPagador: order.payerNote,
  };
}

function debtorFrom({ name, document }: { readonly name: string; readonly document: string }) {
  return { ...(isCpf(document) ? { cpf: document } : { cnpj: document }), nome: name };
}
