import type { DebitAccount } from '@jangada/contract';
import { centsToPixAmount, isCpf } from '@jangada/pix';
import * as z from 'zod/mini';
import { PspUnknown } from '../psp.ts';
import type { DebitOrder, MandateOrder, NoticeUrls, PixRecurring, PushOrder } from '../recurring.ts';
import { type BacenCall, type BacenClient, RefusedResponse } from './client.ts';
import { listPages } from './list-pages.ts';
import { webhook } from './payloads.ts';
import { cobr, locationOfRec, rec, solicRec } from './recurring-payloads.ts';
import { debitFromCobr, mandateFromRec, pushFromSolicRec } from './recurring-translate.ts';
import type { BrCodePayee } from './verified-br-code.ts';

type RecurringOptions = {
  readonly itemsPerPage?: number;
  /** Headers with which the URLs for notices are registered. */
  readonly noticeUrlHeaders?: Readonly<Record<string, string>>;
};

/**
 * Pix Automático at any bank that implements BACEN's API Pix. Debits name the `account` that they are paid into, which
 * has to be the receiver's own.
 */
export function createBacenRecurring(
  client: BacenClient,
  account: DebitAccount,
  payee: BrCodePayee,
  { itemsPerPage = 100, noticeUrlHeaders }: RecurringOptions = {},
): PixRecurring {
  /** An order. The bank may not let us do this, although it lets us do all else. */
  const order = async <S extends z.ZodMiniType>(call: Omit<BacenCall, 'scopes'>, schema: S) => {
    const response = await client.call({ ...call, scopes: 'recurring', mayLackScope: true }, schema);
    if (response === undefined) throw new PspUnknown(`the bank gave no answer to ${call.method}`);
    return response;
  };
  /** A look-up. "Not found" leads to a second order, so it has to be the bank itself that says so. */
  const find = <S extends z.ZodMiniType>(path: string, schema: S) =>
    client.call({ method: 'GET', path, scopes: 'recurring', needsReason: true }, schema);

  const recPath = (idRec: string) => `/rec/${encodeURIComponent(idRec)}`;
  const cobrPath = (txid: string) => `/cobr/${encodeURIComponent(txid)}`;
  const solicRecPath = (id: string) => `/solicrec/${encodeURIComponent(id)}`;
  const cancelled = { status: 'CANCELADA' };

  const findDebit: PixRecurring['findDebit'] = async (txid) => {
    const response = await find(cobrPath(txid), cobr);
    if (response === undefined) return undefined;
    if (response.txid !== txid) throw new PspUnknown('the bank answered with another debit');
    return debitFromCobr(response);
  };
  const listMandates: PixRecurring['listMandates'] = (from, to) =>
    listPages(client, {
      ...listOfMandates({ from, to, itemsPerPage }),
      translate: (item) => mandateFromRec(item, payee),
    });
  const noticesAt = (path: string): NoticeUrls => ({
    async findNoticeUrl() {
      const response = await client.call({ method: 'GET', path, scopes: 'recurring' }, webhook);
      return response?.webhookUrl;
    },
    async registerNoticeUrl(url) {
      await client.call(
        {
          ...{ method: 'PUT', path, body: { webhookUrl: url }, scopes: 'recurring', mayLackScope: true },
          ...(noticeUrlHeaders && { headers: noticeUrlHeaders }),
        },
        z.unknown(),
      );
    },
  });

  return {
    async createLocation() {
      const call = {
        method: 'POST',
        path: '/locrec',
        body: { tipo: 'rec' },
        mayFailFast: true,
        needsReason: true,
      } as const;
      const { id } = await order(call, locationOfRec);
      return { id };
    },
    async createMandate(mandate) {
      const body = mandateRequest(mandate);
      const call = { method: 'POST', path: '/rec', body, mayFailFast: true, needsReason: true } as const;
      const response = await order(call, rec);
      if (response.vinculo.contrato !== mandate.contract)
        throw new PspUnknown('the bank answered with another mandate');
      return mandateFromRec(response, payee);
    },
    async findMandate(idRec, charge) {
      const query = charge === undefined ? '' : `?${new URLSearchParams({ txid: charge.txid })}`;
      const response = await find(recPath(idRec) + query, rec);
      if (response === undefined) return undefined;
      if (response.idRec !== idRec) throw new PspUnknown('the bank answered with another mandate');
      return mandateFromRec(response, payee, charge);
    },
    async findMandateByContract(contract, from, to) {
      for await (const page of listMandates(from, to)) {
        const mandate = page.find((listed) => listed.contract === contract);
        if (mandate !== undefined) return mandate;
      }
      return undefined;
    },
    async cancelMandate(idRec) {
      const call = { method: 'PATCH', path: recPath(idRec), body: cancelled, needsReason: true } as const;
      const response = await order(call, rec);
      if (response.idRec !== idRec) throw new PspUnknown('the bank answered with another mandate');
      return mandateFromRec(response, payee);
    },
    async pushToPayer(push) {
      const body = pushRequest(push);
      const call = { method: 'POST', path: '/solicrec', body, mayFailFast: true, needsReason: true } as const;
      return pushFromSolicRec(await order(call, solicRec));
    },
    async findPush(id) {
      const response = await find(solicRecPath(id), solicRec);
      return response && pushFromSolicRec(response);
    },
    async cancelPush(id) {
      const call = { method: 'PATCH', path: solicRecPath(id), body: cancelled, needsReason: true } as const;
      return pushFromSolicRec(await order(call, solicRec));
    },
    async createDebit(debit) {
      const { txid, idRec } = debit;
      const body = debitRequest(debit, account);
      const call = { method: 'PUT', path: cobrPath(txid), body, needsReason: true } as const;
      try {
        const response = await order(call, cobr);
        if (response.txid !== txid || response.idRec !== idRec)
          throw new PspUnknown('the bank answered with another debit');
        return debitFromCobr(response);
      } catch (error) {
        if (!(error instanceof RefusedResponse)) throw error;
        // The bank refuses a txid in use like any invalid field, so this debit may have been accepted earlier.
        const existingDebit = await findDebit(txid);
        if (existingDebit !== undefined) return existingDebit;
        if (isInUse(error))
          throw new PspUnknown('the bank has the txid of the debit, and does not find it yet', {
            cause: error,
          });
        throw error;
      }
    },
    findDebit,
    async cancelDebit(txid) {
      const response = await order(
        { method: 'PATCH', path: cobrPath(txid), body: cancelled, needsReason: true },
        cobr,
      );
      if (response.txid !== txid) throw new PspUnknown('the bank answered with another debit');
      return debitFromCobr(response);
    },
    async retryDebit(txid, date) {
      const path = `${cobrPath(txid)}/retentativa/${encodeURIComponent(date)}`;
      const response = await order({ method: 'POST', path, needsReason: true }, cobr);
      if (response.txid !== txid) throw new PspUnknown('the bank answered with another debit');
      return debitFromCobr(response);
    },
    listMandates,
    listDebits: (from, to) =>
      listPages(client, {
        path: '/cobr',
        scopes: 'recurring',
        from,
        to,
        itemsPerPage,
        field: 'cobsr',
        item: cobr,
        translate: debitFromCobr,
      }),
    mandateNotices: noticesAt('/webhookrec'),
    debitNotices: noticesAt('/webhookcobr'),
  };
}

type ListWindow = { readonly from: Date; readonly to: Date; readonly itemsPerPage: number };

const listOfMandates = (window: ListWindow) =>
  ({ path: '/rec', scopes: 'recurring', ...window, field: 'recs', item: rec }) as const;

/** Lists the ids of the mandates that were created in the window. Needs no account into which debits are paid. */
export function listMandateIds(client: BacenClient, window: ListWindow): AsyncIterable<string[]> {
  return listPages(client, { ...listOfMandates(window), translate: ({ idRec }) => idRec });
}

/** Returns whether the bank refused the txid because it already has a debit under it. */
function isInUse({ status, violatedFields }: RefusedResponse): boolean {
  return status === 409 || violatedFields.some((field) => field === 'txid' || field.endsWith('.txid'));
}

const periods = {
  weekly: 'SEMANAL',
  monthly: 'MENSAL',
  quarterly: 'TRIMESTRAL',
  semiannual: 'SEMESTRAL',
  annual: 'ANUAL',
} as const;

function mandateRequest(order: MandateOrder) {
  const { payer, amountCents, minMaximumCents, locationId, firstChargeTxid } = order;
  return {
    vinculo: {
      contrato: order.contract,
      devedor: { ...documentField(payer.document), nome: payer.name },
      objeto: order.object,
    },
    calendario: {
      dataInicial: order.firstDay,
      ...(order.lastDay !== undefined && { dataFinal: order.lastDay }),
      periodicidade: periods[order.period],
    },
    ...(amountCents !== undefined && { valor: { valorRec: centsToPixAmount(amountCents) } }),
    // A fixed amount leaves the payer no maximum to choose, and the bank refuses both together.
    ...(amountCents === undefined &&
      minMaximumCents !== undefined && {
        valor: { valorMinimoRecebedor: centsToPixAmount(minMaximumCents) },
      }),
    politicaRetentativa: order.allowsRetries ? 'PERMITE_3R_7D' : 'NAO_PERMITE',
    ...(locationId !== undefined && { loc: locationId }),
    ...(firstChargeTxid !== undefined && { ativacao: { dadosJornada: { txid: firstChargeTxid } } }),
  };
}

function pushRequest({ idRec, expiresAt, payer, account }: PushOrder) {
  return {
    idRec,
    calendario: { dataExpiracaoSolicitacao: expiresAt.toISOString() },
    destinatario: {
      ...documentField(payer.document),
      conta: account.number,
      ispbParticipante: account.ispb,
      ...(account.branch !== undefined && { agencia: account.branch }),
    },
  };
}

const accountTypes = { checking: 'CORRENTE', savings: 'POUPANCA', payment: 'PAGAMENTO' } as const;

function debitRequest(order: DebitOrder, { branch, number, type }: DebitAccount) {
  return {
    idRec: order.idRec,
    ...(order.note !== '' && { infoAdicional: order.note }),
    calendario: { dataDeVencimento: order.dueDate },
    valor: { original: centsToPixAmount(order.amountCents) },
    ajusteDiaUtil: true,
    recebedor: {
      ...(branch !== undefined && { agencia: branch }),
      conta: number,
      tipoConta: accountTypes[type],
    },
  };
}

function documentField(document: string) {
  return isCpf(document) ? { cpf: document } : { cnpj: document };
}
