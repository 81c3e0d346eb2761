import * as z from 'zod/mini';

/**
 * The parts of BACEN's API Pix 2.9.0 that we read (github.com/bacen/pix-api, openapi.yaml). Unused fields are not
 * checked and new ones are ignored: the specification calls both compatible.
 */

export const amount = z.string().check(z.regex(/^\d{1,10}\.\d{2}$/));
export const moment = z.iso.datetime({ offset: true });
/**
 * Text of any length, cut to `maxLength` characters: a long text from the bank must not keep money from being booked.
 */
export const truncatedText = (maxLength: number) =>
  z.pipe(
    z.string(),
    z.transform((text) => (text.length > maxLength ? text.slice(0, maxLength).toWellFormed() : text)),
  );
/** An id used only for look-ups. An id too long for a database index is treated as absent. */
export const optionalId = z.catch(z.nullish(z.string().check(z.maxLength(64))), undefined);

/** A return (devolução): money of a received Pix that goes back to its payer. */
const devolucaoFields = {
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  rtrId: optionalId,
  valor: amount,
  natureza: z.nullish(z.string()),
  horario: z.object({ solicitacao: moment, liquidacao: z.nullish(moment) }),
  motivo: z.nullish(truncatedText(500)),
};
const devolucaoStatus = z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']);
export const devolucao = z.object({ ...devolucaoFields, status: devolucaoStatus });
export type DevolucaoPayload = z.infer<typeof devolucao>;

/** A return with an unknown status must not hide its Pix: it counts as in processing and is queried again. */
const devolucaoOfPix = z.object({
  ...devolucaoFields,
  status: z.catch(devolucaoStatus, 'EM_PROCESSAMENTO'),
});

/** A malformed person is treated as absent: it must not keep the Pix from being booked. */
const person = z.catch(
  z.nullish(
    z.object({
      nome: z.nullish(z.string().check(z.maxLength(200))),
      cpf: z.nullish(z.string().check(z.maxLength(20))),
      cnpj: z.nullish(z.string().check(z.maxLength(20))),
    }),
  ),
  undefined,
);

export const receivedPix = z.object({
  endToEndId: z.string().check(z.minLength(1), z.maxLength(64)),
  pagador: person,
  /** Where Efí puts the payer. */
  gnExtras: z.catch(z.nullish(z.object({ pagador: person })), undefined),
  txid: z.nullish(truncatedText(100)),
  valor: amount,
  chave: z.nullish(truncatedText(100)),
  horario: moment,
  /** Explains the amount of a Pix that paid a charge with a due date. Malformed, it explains nothing. */
  componentesValor: z.catch(
    z.nullish(
      z.object({
        original: z.nullish(z.object({ valor: amount })),
        multa: z.nullish(z.object({ valor: amount })),
        juros: z.nullish(z.object({ valor: amount })),
        abatimento: z.nullish(z.object({ valor: amount })),
        desconto: z.nullish(z.object({ valor: amount })),
        saque: z.nullish(z.unknown()),
        troco: z.nullish(z.unknown()),
      }),
    ),
    undefined,
  ),
  /** A list according to BACEN's schema, but a single object in an example in its manual. */
  devolucoes: z.nullish(z.union([z.array(devolucaoOfPix), devolucaoOfPix])),
});
export type ReceivedPixPayload = z.infer<typeof receivedPix>;

const chargeFields = {
  txid: z.string(),
  status: z.enum(['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP']),
  valor: z.object({ original: amount }),
  chave: z.string(),
  location: z.nullish(z.string()),
  /** Also contains the location; some banks return it only here. */
  loc: z.catch(z.nullish(z.object({ location: z.nullish(z.string()) })), undefined),
  pixCopiaECola: z.nullish(z.string()),
  pix: z.nullish(z.array(receivedPix)),
};

/** A charge (cobrança imediata). */
export const cob = z.object({
  ...chargeFields,
  /** API Pix makes `expiracao` optional, with a default of one day. */
  calendario: z.object({ criacao: moment, expiracao: z._default(z.int(), 86_400) }),
});
/** A charge with a due date (cobrança com vencimento). */
export const cobv = z.object({
  ...chargeFields,
  calendario: z.object({ criacao: moment, dataDeVencimento: z.string() }),
});
export type CobPayload = z.infer<typeof cob> | z.infer<typeof cobv>;

/** A page of a list. Items are parsed one by one, so that a malformed one does not hide the others. */
export const page = z.object({
  parametros: z.object({
    paginacao: z.object({ paginaAtual: z.int(), quantidadeDePaginas: z.int() }),
  }),
  pix: z.optional(z.array(z.unknown())),
  cobs: z.optional(z.array(z.unknown())),
  infracoes: z.optional(z.array(z.unknown())),
  recs: z.optional(z.array(z.unknown())),
  cobsr: z.optional(z.array(z.unknown())),
});

/** A bank's refusal: Efí's format, or RFC 7807. */
export const refusal = z.union([
  z.object({ nome: truncatedText(100), mensagem: z.optional(truncatedText(500)) }),
  z.object({
    type: truncatedText(200),
    title: z.optional(truncatedText(500)),
    detail: z.optional(truncatedText(500)),
    violacoes: z.nullish(
      z.array(
        z.object({ razao: z.optional(truncatedText(500)), propriedade: z.optional(truncatedText(200)) }),
      ),
    ),
  }),
]);

/** Some banks do not state the scopes. */
export const token = z.object({
  access_token: z.string(),
  expires_in: z.int(),
  scope: z.catch(z.nullish(truncatedText(2000)), undefined),
});

export const webhook = z.object({ webhookUrl: z.string() });

/** The body of the bank's callbacks about payments, mandates and debits. Its items are parsed one by one. */
export const noticeBody = z.object({
  pix: z._default(z.array(z.unknown()), []),
  recs: z._default(z.array(z.unknown()), []),
  cobsr: z._default(z.array(z.unknown()), []),
});

/** Normally 32 letters and digits; examples published by banks are a few characters longer or shorter. */
const endToEndId = z.string().check(z.regex(/^[A-Za-z0-9]{20,40}$/));

/** An item about a received Pix. Only its id and time are read: money is booked from our own query of the bank. */
export const receivedItem = z.object({
  endToEndId,
  horario: z.catch(z.optional(moment), undefined),
  devolucoes: z.optional(z.unknown()),
});

/** An item in Efí's own format: Efí also sends callbacks about payouts and disputes to the URL for notices. */
export const efiItem = z.object({ tipo: z.enum(['SOLICITACAO', 'INFRACAO']) });
export const payoutItem = z.object({
  tipo: z.literal('SOLICITACAO'),
  gnExtras: z.object({ idEnvio: z.string().check(z.regex(/^[A-Za-z0-9]{1,35}$/)) }),
});
export const disputeItem = z.object({ tipo: z.literal('INFRACAO'), endToEndId });
