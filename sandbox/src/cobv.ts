import { centsToPixAmount, encodeDynamicBrCode } from '@jangada/pix';
import type { SandboxAccount } from './account.ts';
import type { Bank } from './bank.ts';
import { chargeLocation, formatLocation, locationUrl } from './charge.ts';
import { formatMoment } from './clock.ts';
import { formatPix } from './pix.ts';
import type { CobvTerms, SandboxCobv } from './records.ts';

/**
 * Returns the "Pix copia e cola" of a charge with a due date; undefined if the charge has no location. The code carries
 * no amount, because what is owed changes from day to day.
 */
function cobvBrCode(bank: Bank, cobv: SandboxCobv): string | undefined {
  const location = chargeLocation(bank, cobv);
  if (location === undefined) return undefined;
  return encodeDynamicBrCode({
    url: locationUrl(bank, location),
    merchantName: bank.account.name,
    merchantCity: bank.account.city,
  });
}

/** Formats the current or an earlier revision of a charge with a due date as BACEN's CobVGerada. */
export function formatCobv(bank: Bank, cobv: SandboxCobv, revision = cobv.earlier.length): object {
  const terms = cobv.earlier[revision] ?? cobv.terms;
  const location = chargeLocation(bank, cobv);
  return {
    calendario: { criacao: formatMoment(cobv.createdAt), ...formatDueDate(terms) },
    txid: cobv.txid,
    revisao: revision,
    ...(location !== undefined && {
      loc: formatLocation(bank, location),
      location: locationUrl(bank, location),
      pixCopiaECola: cobvBrCode(bank, cobv),
    }),
    status: cobv.status,
    devedor: terms.debtor,
    recebedor: formatReceiver(bank.account),
    valor: formatValue(terms),
    ...formatCobvTexts(terms),
    chave: cobv.key,
  };
}

/** Formats a charge with a due date and the Pix that came for it, as BACEN's CobVCompleta. */
export function formatCompleteCobv(bank: Bank, cobv: SandboxCobv, revision?: number): object {
  const received = bank.books.pixByTxid.get(cobv.txid);
  return {
    ...formatCobv(bank, cobv, revision),
    ...(received !== undefined && { pix: received.map((pix) => formatPix(bank.books, pix)) }),
  };
}

/** Formats the due date, which has the same form in a cobv and in a payload. */
export function formatDueDate({ dueDate, validityDays }: CobvTerms): object {
  return { dataDeVencimento: dueDate, validadeAposVencimento: validityDays };
}

/** Formats what the payer is shown, which has the same form in a cobv and in a payload. */
export function formatCobvTexts({ payerRequest, additionalInfo }: CobvTerms): object {
  return {
    ...(payerRequest !== undefined && { solicitacaoPagador: payerRequest }),
    ...(additionalInfo !== undefined && { infoAdicionais: additionalInfo }),
  };
}

/** Formats the account's holder as BACEN's DadosRecebedor. The bank knows the city alone, so the rest is made up. */
export function formatReceiver({ name, document, city }: SandboxAccount): object {
  return {
    logradouro: 'Rua da Aurora, 1',
    cidade: city,
    uf: 'PE',
    cep: '50050000',
    cnpj: document,
    nome: name,
  };
}

function formatValue({ amountCents, fine, interest, rebate, discount }: CobvTerms): object {
  return {
    original: centsToPixAmount(amountCents),
    ...(fine !== undefined && { multa: formatRate(fine) }),
    ...(interest !== undefined && { juros: formatRate(interest) }),
    ...(rebate !== undefined && { abatimento: formatRate(rebate) }),
    ...(discount !== undefined && { desconto: formatDiscount(discount) }),
  };
}

function formatRate({ modality, value }: { modality: number; value: number }): object {
  return { modalidade: modality, valorPerc: centsToPixAmount(value) };
}

function formatDiscount({ modality, steps, value }: NonNullable<CobvTerms['discount']>): object {
  return {
    modalidade: modality,
    ...(steps !== undefined && {
      descontoDataFixa: steps.map((step) => ({
        data: step.until,
        valorPerc: centsToPixAmount(step.value),
      })),
    }),
    ...(value !== undefined && { valorPerc: centsToPixAmount(value) }),
  };
}
