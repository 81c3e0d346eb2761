import * as z from 'zod/mini';

/**
 * What we read of BACEN's API Pix 2.9.0 (github.com/bacen/pix-api, openapi.yaml). Fields that we do not use are not
 * looked at, and new ones are ignored: the specification calls both compatible.
 */

export const amount = z.string().check(z.regex(/^\d{1,10}\.\d{2}$/));
export const moment = z.iso.datetime({ offset: true });
/** Words of any length, cut to what we keep. Nobody's money waits because a bank has much to say. */
export const words = (most: number) =>
  z.pipe(
    z.string(),
    z.transform((text) => (text.length > most ? text.slice(0, most).toWellFormed() : text)),
  );
/** A name that is only looked up, not told: one that is too long to be kept in an index is none. */
export const optionalId = z.catch(z.nullish(z.string().check(z.maxLength(64))), undefined);

/** Where it is part of a Pix, a status that is new to us hides no money: it is not final, and asked for again. */
const devolucaoFields = {
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  rtrId: optionalId,
  valor: amount,
  natureza: z.nullish(z.string()),
  horario: z.object({ solicitacao: moment, liquidacao: z.nullish(moment) }),
  motivo: z.nullish(words(500)),
};
const devolucaoStatus = z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']);
export const devolucao = z.object({ ...devolucaoFields, status: devolucaoStatus });
export type DevolucaoPayload = z.infer<typeof devolucao>;

const devolucaoOfPix = z.object({
  ...devolucaoFields,
  status: z.catch(devolucaoStatus, 'EM_PROCESSAMENTO'),
});

/** Nobody's money waits for a name: an odd one is none. */
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
  /** Where Efí names the payer. */
  gnExtras: z.catch(z.nullish(z.object({ pagador: person })), undefined),
  txid: z.nullish(words(100)),
  valor: amount,
  chave: z.nullish(words(100)),
  horario: moment,
  /** A list by the schema, one alone in an example of the manual. */
  devolucoes: z.nullish(z.union([z.array(devolucaoOfPix), devolucaoOfPix])),
});
export type ReceivedPixPayload = z.infer<typeof receivedPix>;

export const cob = z.object({
  txid: z.string(),
  status: z.enum(['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP']),
  calendario: z.object({ criacao: moment, expiracao: z._default(z.int(), 86_400) }),
  valor: z.object({ original: amount }),
  chave: z.string(),
  location: z.nullish(z.string()),
  /** Tells the location too, and at some banks alone. */
  loc: z.catch(z.nullish(z.object({ location: z.nullish(z.string()) })), undefined),
  pixCopiaECola: z.nullish(z.string()),
  pix: z.nullish(z.array(receivedPix)),
});
export type CobPayload = z.infer<typeof cob>;

/** The page of a list. Items are read one by one, so that an odd one does not hide the others. */
export const page = z.object({
  parametros: z.object({
    paginacao: z.object({ paginaAtual: z.int(), quantidadeDePaginas: z.int() }),
  }),
  pix: z.optional(z.array(z.unknown())),
  infracoes: z.optional(z.array(z.unknown())),
});

/** How a bank says no: Efí's form, and that of RFC 7807. */
export const refusal = z.union([
  z.object({ nome: words(100), mensagem: z.optional(words(500)) }),
  z.object({
    type: words(200),
    title: z.optional(words(500)),
    detail: z.optional(words(500)),
    violacoes: z.nullish(
      z.array(z.object({ razao: z.optional(words(500)), propriedade: z.optional(words(200)) })),
    ),
  }),
]);

export const token = z.object({ access_token: z.string(), expires_in: z.int() });

export const webhook = z.object({ webhookUrl: z.string() });

/** A notice as the bank sends it: its items are looked at one by one. */
export const notice = z.object({ pix: z.array(z.unknown()) });

/** Ids have 32 letters and digits, or nearly so: the examples that banks publish differ by some. */
const endToEndId = z.string().check(z.regex(/^[A-Za-z0-9]{20,40}$/));

/** Only the id is read, and where to look for it: what is booked comes from our own query. */
export const receivedItem = z.object({
  endToEndId,
  horario: z.catch(z.optional(moment), undefined),
  devolucoes: z.optional(z.unknown()),
});

/** Efí tells of what we send, and of disputes, by the same call. */
export const ownKinds = z.object({ tipo: z.enum(['SOLICITACAO', 'INFRACAO']) });
export const payoutItem = z.object({
  tipo: z.literal('SOLICITACAO'),
  gnExtras: z.object({ idEnvio: z.string().check(z.regex(/^[A-Za-z0-9]{1,35}$/)) }),
});
export const disputeItem = z.object({ tipo: z.literal('INFRACAO'), endToEndId });
