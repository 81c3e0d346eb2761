/** What happened, and what the merchant can do about it. */
export type ReasonText = { readonly what: string; readonly advice: string };

const ANOTHER_MANDATE =
  'Se a pessoa continua com você, crie outra assinatura e envie a página para ela autorizar.';
const OTHER_WAY = 'Envie uma cobrança com código para esta vez.';
const NOTHING = 'Você não precisa fazer nada.';

/**
 * What the banks' codes mean for a merchant. The official file of the API Pix lists the codes alone; the meanings are
 * those by which banks explain them. Those of AP13, AP14, DENC, NITX, PCFD and RC09 rest on few explanations.
 */
const reasonTexts: Readonly<Record<string, ReasonText>> = {
  // A mandate that was rejected.
  AP13: {
    what: 'O pagador recusou: não reconheceu quem está cobrando.',
    advice: 'Fale com a pessoa, diga com que nome você aparece no banco, e crie outra assinatura.',
  },
  AP14: {
    what: 'O pagador recusou o débito automático.',
    advice: 'Combine outra forma de pagar, ou crie outra assinatura se a pessoa mudar de ideia.',
  },
  // A mandate that was cancelled.
  ACCL: {
    what: 'A conta do pagador foi encerrada no banco.',
    advice: 'Peça à pessoa que autorize por outra conta: crie outra assinatura e envie a página.',
  },
  CPCL: {
    what: 'Para o banco, a empresa que recebe foi encerrada.',
    advice: 'Confira a situação do seu CNPJ e fale com o seu banco antes de criar outras assinaturas.',
  },
  DCSD: {
    what: 'O banco informou o falecimento do pagador.',
    advice: 'Não haverá mais débitos. Fale com a família antes de qualquer outra cobrança.',
  },
  ERSL: { what: 'A autorização foi pedida por engano.', advice: ANOTHER_MANDATE },
  FRUD: {
    what: 'O banco cancelou por suspeita de fraude.',
    advice: 'Fale com o seu banco antes de cobrar esta pessoa de novo, e guarde o contrato com ela.',
  },
  PCFD: {
    what: 'A confirmação não chegou ao banco do pagador.',
    advice: 'Crie outra assinatura e peça à pessoa que autorize de novo.',
  },
  SLCR: { what: 'Você cancelou, ou o seu banco cancelou por você.', advice: NOTHING },
  SLDB: { what: 'O pagador cancelou a autorização no banco dele.', advice: ANOTHER_MANDATE },
  // A debit that was rejected.
  AB10: {
    what: 'O banco do pagador teve uma falha.',
    advice: 'A falha não é da pessoa. Se não houver outra tentativa, envie uma cobrança com código.',
  },
  AC05: {
    what: 'A conta do pagador está encerrada.',
    advice: 'Envie uma cobrança com código, e crie outra assinatura para outra conta da pessoa.',
  },
  AC06: {
    what: 'A conta do pagador está bloqueada.',
    advice: 'Avise a pessoa para falar com o banco dela. Para esta vez, envie uma cobrança com código.',
  },
  AM02: {
    what: 'O valor passa do máximo que o pagador escolheu no banco dele.',
    advice: 'Peça que aumente o máximo no aplicativo do banco. Para esta vez, envie uma cobrança com código.',
  },
  AM09: {
    what: 'O valor não é o que o pagador autorizou.',
    advice: 'Envie uma cobrança com código. Para mudar o valor, crie outra assinatura.',
  },
  DENC: { what: 'O banco não aceita esta cobrança nesta data.', advice: OTHER_WAY },
  DS27: {
    what: 'O seu banco não está habilitado a cobrar por Pix Automático.',
    advice: 'Fale com o seu banco: até lá, nenhuma assinatura é debitada.',
  },
  DTED: {
    what: 'A data não combina com a autorização.',
    advice: `${OTHER_WAY} Se acontecer de novo, fale com o suporte.`,
  },
  DTNT: { what: 'O prazo para tentar de novo passou: são sete dias.', advice: OTHER_WAY },
  FBRD: {
    what: 'O banco do pagador recusou por suspeita de fraude.',
    advice: 'Peça à pessoa que fale com o banco dela. Para esta vez, envie uma cobrança com código.',
  },
  IRNT: {
    what: 'Esta autorização não permite tentar de novo.',
    advice: `${OTHER_WAY} Nas próximas assinaturas, escolha tentar de novo.`,
  },
  MIDI: { what: 'O banco do pagador não encontra a autorização.', advice: `${OTHER_WAY} ${ANOTHER_MANDATE}` },
  MSUC: {
    what: 'A autorização ainda não foi confirmada pelo banco do pagador.',
    advice: `Confira se a pessoa autorizou. ${OTHER_WAY}`,
  },
  NIEC: {
    what: 'Há outro débito desta mesma cobrança em andamento.',
    advice: 'Espere o resultado do outro.',
  },
  NIPA: { what: 'Esta cobrança já foi paga.', advice: NOTHING },
  NITX: {
    what: 'O banco do pagador não reconheceu o identificador da cobrança.',
    advice: `${OTHER_WAY} Se acontecer de novo, fale com o suporte.`,
  },
  QUNT: { what: 'O banco já tentou três vezes, e não tenta mais.', advice: OTHER_WAY },
  RC09: {
    what: 'O banco do pagador não reconheceu o seu banco.',
    advice: `${OTHER_WAY} Fale com o seu banco.`,
  },
  UDEI: {
    what: 'O CPF ou CNPJ não é o do titular da conta.',
    advice: `Confira o documento com a pessoa. ${ANOTHER_MANDATE}`,
  },
  // A debit that was cancelled.
  ACCT: { what: 'A conta do pagador não aceita este débito.', advice: OTHER_WAY },
  BLCK: {
    what: 'A conta do pagador foi bloqueada.',
    advice: 'Avise a pessoa para falar com o banco dela. Para esta vez, envie uma cobrança com código.',
  },
  CCLD: { what: 'A autorização foi cancelada, e o débito com ela.', advice: ANOTHER_MANDATE },
  FAIL: { what: 'O banco não conseguiu fazer o débito.', advice: OTHER_WAY },
  OTHR: { what: 'O banco cancelou o débito e não disse por quê.', advice: OTHER_WAY },
  SLBD: { what: 'O pagador cancelou este débito no banco dele.', advice: `Fale com a pessoa. ${OTHER_WAY}` },
};

/** The codes that have a text. */
export const knownReasonCodes = Object.keys(reasonTexts);

/**
 * What the code of a bank means. `text` is the bank's own sentence, which is all that there is to a code that nobody
 * listed.
 */
export function reasonTextOf({ code, text }: { readonly code: string; readonly text: string }): ReasonText {
  const known = Object.hasOwn(reasonTexts, code) ? reasonTexts[code] : undefined;
  if (known !== undefined) return known;
  const words = text.trim();
  return {
    what:
      words === '' || words === code ? `O banco informou só o código ${code}.` : `O banco informou: ${words}`,
    advice: 'Pergunte ao seu banco o que o código quer dizer. Para esta vez, envie uma cobrança com código.',
  };
}
