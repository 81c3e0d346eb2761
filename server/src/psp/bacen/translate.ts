import { pixAmountToCents } from '@jangada/pix';
import type { BankCharge, BankReceivedPix, BankReturn } from '../psp.ts';
import type { CobPayload, DevolucaoPayload, ReceivedPixPayload } from './payloads.ts';
import { type BrCodePayee, readVerifiedBrCode } from './verified-br-code.ts';

const chargeStatuses = {
  ATIVA: 'active',
  CONCLUIDA: 'completed',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'removed',
  REMOVIDA_PELO_PSP: 'removed',
} as const;

/** Translates BACEN's charge (cob or cobv) into ours. */
export function chargeFromCob(cob: CobPayload, payee: BrCodePayee): BankCharge {
  return {
    txid: cob.txid,
    status: chargeStatuses[cob.status],
    amountCents: pixAmountToCents(cob.valor.original),
    pixKey: cob.chave,
    createdAt: new Date(cob.calendario.criacao),
    expiresInSeconds: 'expiracao' in cob.calendario ? cob.calendario.expiracao : undefined,
    dueDate: 'dataDeVencimento' in cob.calendario ? cob.calendario.dataDeVencimento : undefined,
    brCode: readVerifiedBrCode(cob, payee),
    received: (cob.pix ?? []).map((pix) => receivedFromPix({ ...pix, txid: pix.txid ?? cob.txid })),
  };
}

/** Translates BACEN's received Pix into ours. */
export function receivedFromPix(pix: ReceivedPixPayload): BankReceivedPix {
  return {
    endToEndId: pix.endToEndId,
    amountCents: pixAmountToCents(pix.valor),
    paidAt: new Date(pix.horario),
    // Banks send a missing txid as null or as an empty string.
    txid: pix.txid ? pix.txid : undefined,
    pixKey: pix.chave ?? undefined,
    payer: payerFrom(pix.pagador ?? pix.gnExtras?.pagador),
    parts: partsFrom(pix.componentesValor),
    returns: [pix.devolucoes ?? []].flat().map(returnFromDevolucao),
  };
}

function partsFrom(parts: ReceivedPixPayload['componentesValor']): BankReceivedPix['parts'] {
  // A Pix with cash for the payer (saque, troco) pays no charge of ours.
  if (parts?.original == null || parts.saque != null || parts.troco != null) return undefined;
  const centsOf = (part: { readonly valor: string } | null | undefined) =>
    part == null ? 0 : pixAmountToCents(part.valor);
  return {
    originalCents: centsOf(parts.original),
    fineCents: centsOf(parts.multa),
    interestCents: centsOf(parts.juros),
    rebateCents: centsOf(parts.abatimento),
    discountCents: centsOf(parts.desconto),
  };
}

function payerFrom(person: ReceivedPixPayload['pagador']): BankReceivedPix['payer'] {
  const name = person?.nome || undefined;
  const document = person?.cpf || person?.cnpj || undefined;
  return name === undefined && document === undefined ? undefined : { name, document };
}

const returnStatuses = {
  EM_PROCESSAMENTO: 'processing',
  DEVOLVIDO: 'completed',
  NAO_REALIZADO: 'refused',
} as const;

/** Translates BACEN's return of a received Pix (devolução) into ours. */
export function returnFromDevolucao(devolucao: DevolucaoPayload): BankReturn {
  const { solicitacao, liquidacao } = devolucao.horario;
  return {
    refundId: devolucao.id,
    rtrId: devolucao.rtrId || undefined,
    amountCents: pixAmountToCents(devolucao.valor),
    // MED, the banks' special return mechanism, is how payers dispute a Pix.
    nature: devolucao.natureza?.startsWith('MED_') ? 'dispute' : 'requested',
    status: returnStatuses[devolucao.status],
    at: new Date(liquidacao ?? solicitacao),
    reason: devolucao.motivo || undefined,
  };
}
