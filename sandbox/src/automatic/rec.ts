import { centsToPixAmount, encodeDynamicBrCode, encodeRecurrenceBrCode } from '@jangada/pix';
import { type Bank, publicHost } from '../bank.ts';
import { formatMoment } from '../clock.ts';
import type { Subject } from '../notifier.ts';
import type { AutomaticEnding, RecLocation, RecTerms, SandboxRec } from './automatic-records.ts';

/** Returns a rec with a new status, which it has from `at` on. */
export function moveRec(
  { dueAt, ...rec }: SandboxRec,
  status: SandboxRec['status'],
  at: number,
  end?: AutomaticEnding,
): SandboxRec {
  return {
    ...rec,
    status,
    history: [...rec.history, { status, at }],
    ...(end !== undefined && { end }),
    // An approved rec still expires, one that has ended does not.
    ...(status === 'APROVADA' && dueAt !== undefined && { dueAt }),
  };
}

/** Whether a rec has ended, so that nothing about it can change. */
export function hasRecEnded({ status }: SandboxRec): boolean {
  return status !== 'CRIADA' && status !== 'APROVADA';
}

/** What the webhook of recs is told of a rec's last change. */
export function recSubject(rec: SandboxRec): Subject {
  return {
    id: `rec ${rec.idRec} ${rec.history.length}`,
    // Notices about recs concern no Pix.
    endToEndId: '',
    key: '',
    at: rec.history.at(-1)?.at ?? rec.createdAt,
    channel: 'rec',
    item: formatRecNotification(rec),
  };
}

/** Formats a rec as BACEN's RecNotification. */
function formatRecNotification(rec: SandboxRec): Record<string, unknown> {
  return {
    idRec: rec.idRec,
    status: rec.status,
    ...formatHistory(rec.history),
    ...formatEnding(rec.end),
    ...formatActivation(rec),
  };
}

/** Formats a rec as BACEN's RecGerada. */
export function formatRec(bank: Bank, rec: SandboxRec): object {
  const { document, name } = bank.account;
  const { agreement } = rec.terms;
  const location = recLocation(bank, rec);
  return {
    idRec: rec.idRec,
    ...formatRecTerms(rec.terms),
    recebedor: { cnpj: document, nome: name, ...(agreement !== undefined && { convenio: agreement }) },
    status: rec.status,
    ...(location !== undefined && { loc: formatRecLocation(bank, location) }),
    ...formatHistory(rec.history),
    ...formatEnding(rec.end),
    ...formatActivation(rec),
  };
}

/** Formats a rec with its payer and the requests to them, as BACEN's RecCompletaPesquisada. */
export function formatCompleteRec(bank: Bank, rec: SandboxRec): object {
  const requests = bank.books.automatic.solicRecsOf(rec.idRec);
  return {
    ...formatRec(bank, rec),
    ...(rec.payer !== undefined && {
      pagador: { ispbParticipante: rec.payer.ispb, ...formatDocumentOf(rec.payer.document) },
    }),
    ...(requests.length > 0 && {
      solicitacao: requests.map(({ idSolicRec, idRec, history, status, expiresAt, recipient }) => ({
        idSolicRec,
        idRec,
        calendario: { dataExpiracaoSolicitacao: formatMoment(expiresAt) },
        destinatario: recipient,
        status,
        ...formatHistory(history),
      })),
    }),
  };
}

/** Formats a rec as BACEN's RecPayload, which the payer's bank reads at the rec's location. */
export function formatRecPayload(bank: Bank, rec: SandboxRec): object {
  const { document, name, ispb } = bank.account;
  return {
    idRec: rec.idRec,
    ...formatRecTerms(rec.terms),
    recebedor: { cnpj: document, nome: name, ispbParticipante: ispb },
    ...formatHistory(rec.history),
  };
}

/** Formats what was agreed, which has the same form in a rec and in a payload. */
function formatRecTerms(terms: RecTerms): object {
  const { contract, object, debtor, firstDay, lastDay, period, fixedCents, floorCents, mayRetry } = terms;
  const hasValue = fixedCents !== undefined || floorCents !== undefined;
  return {
    vinculo: { contrato: contract, devedor: debtor, ...(object !== undefined && { objeto: object }) },
    calendario: {
      dataInicial: firstDay,
      ...(lastDay !== undefined && { dataFinal: lastDay }),
      periodicidade: period,
    },
    ...(hasValue && {
      valor: {
        ...(fixedCents !== undefined && { valorRec: centsToPixAmount(fixedCents) }),
        ...(floorCents !== undefined && { valorMinimoRecebedor: centsToPixAmount(floorCents) }),
      },
    }),
    politicaRetentativa: mayRetry ? 'PERMITE_3R_7D' : 'NAO_PERMITE',
  };
}

function formatActivation({ journey, journeyTxid, status }: SandboxRec): object {
  // By BACEN's rule the charge of journey 3 is forgotten if the payer approved by another one.
  const hasTxid = journeyTxid !== undefined && (status === 'CRIADA' || journey === 'JORNADA_3');
  return {
    ativacao: {
      tipoJornada: journey ?? 'AGUARDANDO_DEFINICAO',
      ...(hasTxid && { dadosJornada: { txid: journeyTxid } }),
    },
  };
}

/** Formats the history of anything, as BACEN's `atualizacao`. */
export function formatHistory(history: readonly { status: string; at: number }[]): object {
  return { atualizacao: history.map(({ status, at }) => ({ status, data: formatMoment(at) })) };
}

/** Formats why a rec or cobr ended, as BACEN's `encerramento`. */
export function formatEnding(end: AutomaticEnding | undefined): object {
  if (end === undefined) return {};
  const { requester, code, text } = end;
  const reason = { codigo: code, descricao: text };
  return {
    encerramento:
      requester === undefined
        ? { rejeicao: reason }
        : { cancelamento: { solicitante: requester, ...reason } },
  };
}

function formatDocumentOf(document: string): object {
  return document.length === 11 ? { cpf: document } : { cnpj: document };
}

/** Formats a location as BACEN's PayloadLocationRecCompleta. */
export function formatRecLocation(bank: Bank, location: RecLocation): object {
  return {
    id: location.id,
    location: recLocationUrl(bank, location),
    tipo: 'rec',
    criacao: formatMoment(location.createdAt),
    ...(location.idRec !== undefined && { idRec: location.idRec }),
  };
}

function recLocation(bank: Bank, { locationId }: SandboxRec): RecLocation | undefined {
  return locationId === undefined ? undefined : bank.books.automatic.locations.get(locationId);
}

/** Returns the URL of the payload of a rec, without a scheme. */
function recLocationUrl(bank: Bank, { token }: RecLocation): string {
  return `${publicHost(bank.site)}/qr/v2/rec/${token}`;
}

/**
 * Returns the code that asks the payer to approve a rec, and with `chargeUrl` to pay the charge at that location too;
 * undefined if the rec has no location.
 */
export function recBrCode(
  bank: Bank,
  rec: SandboxRec,
  charge?: { url: string; amountCents?: number | undefined },
): string | undefined {
  const location = recLocation(bank, rec);
  if (location === undefined) return undefined;
  const merchant = { merchantName: bank.account.name, merchantCity: bank.account.city };
  const recurrenceUrl = recLocationUrl(bank, location);
  return charge === undefined
    ? encodeRecurrenceBrCode({ ...merchant, recurrenceUrl })
    : encodeDynamicBrCode({ ...merchant, ...charge, recurrenceUrl });
}
