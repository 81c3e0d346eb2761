/**
 * Why the payer's bank rejects an order, by BACEN's code. The official file lists the codes alone; the texts are how
 * banks explain them, and those of codes that no bank explains say no more than the code.
 */
const REJECTIONS = {
  AB10: 'Erro no participante do pagador.',
  AC05: 'A conta do pagador está encerrada.',
  AC06: 'A conta do pagador está bloqueada.',
  AM02: 'O valor passa do máximo que o pagador permite.',
  AM09: 'O valor não é o da recorrência.',
  DENC: 'A instrução não pode ser enviada nesta data.',
  DS27: 'O usuário recebedor não está habilitado.',
  DTED: 'A data não é compatível com a recorrência.',
  DTNT: 'A nova tentativa passa de sete dias depois do vencimento.',
  FBRD: 'Rejeitada por suspeita de fraude.',
  IRNT: 'A recorrência não permite novas tentativas.',
  MIDI: 'A recorrência não existe no participante do pagador.',
  MSUC: 'A recorrência não está confirmada.',
  NIEC: 'Há outra instrução em andamento para a mesma cobrança.',
  NIPA: 'A cobrança já foi paga.',
  NITX: 'O identificador da cobrança é inválido.',
  QUNT: 'A cobrança já teve três novas tentativas.',
  RC09: 'O participante recebedor é inválido.',
  UDEI: 'O documento do pagador é inválido.',
} as const;

export type RejectionCode = keyof typeof REJECTIONS;

/** The rejections that end the whole charge; after any other it stays open to another attempt (CobRTentativas). */
const ENDING_REJECTIONS: ReadonlySet<string> = new Set<RejectionCode>([
  ...(['AC05', 'AM09', 'DENC', 'DS27', 'DTED', 'MIDI', 'MSUC', 'NITX', 'RC09'] as const),
]);

export const REJECTION_CODES = Object.keys(REJECTIONS);

/** Returns a rejection with its text. */
export function rejectionOf(code: string): { code: string; text: string } {
  const texts: Readonly<Record<string, string>> = REJECTIONS;
  return { code, text: texts[code] ?? code };
}

/** Whether a rejection ends the charge, and not the attempt alone. */
export function endsCharge(code: string): boolean {
  return ENDING_REJECTIONS.has(code);
}

/** Why a rec or a charge was cancelled, by BACEN's code. */
const CANCELLATIONS: Readonly<Record<string, string>> = {
  ACCL: 'A conta do pagador foi encerrada.',
  CPCL: 'A empresa do recebedor foi encerrada.',
  DCSD: 'O pagador faleceu.',
  ERSL: 'A recorrência foi pedida por engano.',
  FRUD: 'Cancelada por suspeita de fraude.',
  PCFD: 'A confirmação não foi reconhecida pelo participante.',
  SLCR: 'O usuário recebedor cancelou.',
  SLDB: 'O usuário pagador cancelou.',
  ACCT: 'A conta do pagador não aceita o débito.',
  BLCK: 'A conta do pagador está bloqueada.',
  CCLD: 'A recorrência foi cancelada.',
  FAIL: 'O débito não pôde ser feito.',
  OTHR: 'Cancelada por outro motivo.',
  SLBD: 'O usuário pagador cancelou a cobrança.',
};

/** The codes with which a rec, and a charge, may be cancelled. */
export const REC_CANCELLATION_CODES = [
  'ACCL',
  'CPCL',
  'DCSD',
  'ERSL',
  'FRUD',
  'PCFD',
  'SLCR',
  'SLDB',
] as const;
export const COBR_CANCELLATION_CODES = ['ACCT', 'BLCK', 'CCLD', 'FAIL', 'OTHR', 'SLBD', 'SLCR'] as const;

export function cancellationText(code: string): string {
  return CANCELLATIONS[code] ?? code;
}
