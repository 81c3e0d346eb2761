import * as z from 'zod/mini';
import { amount, moment, optionalId, words } from '../bacen/payloads.ts';

/**
 * What we read of what Efí publishes beside API Pix (dev.efipay.com.br: Envio e Pagamento Pix, MED, Saldo). BACEN
 * standardises none of it.
 */

const status = z.enum(['EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO']);
const error = z.object({ codigo: z.nullish(words(50)), motivo: z.nullish(words(500)) });

const returned = z.object({
  rtrId: z.string().check(z.minLength(1), z.maxLength(64)),
  valor: amount,
  horario: z.union([z.object({ liquidacao: moment }), z.object({ solicitacao: moment })]),
  status: z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']),
});

/** The answer to an order. */
export const orderedPayout = z.object({
  idEnvio: z.string(),
  e2eId: optionalId,
  valor: amount,
  horario: z.nullish(z.object({ solicitacao: z.nullish(moment) })),
  status,
});
export type OrderedPayoutPayload = z.infer<typeof orderedPayout>;

/** A Pix that was sent, as look-ups and lists show it. One that was made without the API may have no idEnvio. */
export const sentPix = z
  .object({
    idEnvio: optionalId,
    endToEndId: optionalId,
    valor: amount,
    status,
    horario: z.nullish(z.object({ solicitacao: z.nullish(moment) })),
    favorecido: z.nullish(z.object({ chave: z.nullish(z.string()) })),
    gnExtras: z.nullish(z.object({ erro: z.nullish(error) })),
    devolucoes: z.nullish(z.union([z.array(returned), returned])),
  })
  .check(z.refine(({ idEnvio, endToEndId }) => Boolean(idEnvio || endToEndId)));
export type SentPixPayload = z.infer<typeof sentPix>;

/** A dispute: what the arrangement calls an infração. */
export const infracao = z.object({
  idInfracao: z.union([z.string().check(z.minLength(1), z.maxLength(64)), z.int()]),
  endToEndId: z.string().check(z.maxLength(64)),
  protocolo: z.nullish(z.union([words(100), z.int()])),
  valor: amount,
  status: z.enum(['ABERTA', 'EM_DEFESA', 'ACEITA', 'REJEITADA', 'CANCELADA_EFI']),
  razao: z.nullish(words(200)),
  tipoSituacao: z.nullish(words(200)),
  comentario: z.nullish(words(2000)),
  dadosAnalise: z.object({ abertura: moment, prazoFinalizacao: moment }),
});
export type InfracaoPayload = z.infer<typeof infracao>;

/** Unlike the amount of a Pix it may be below zero. */
const balanceAmount = z.string().check(z.regex(/^-?\d{1,10}\.\d{2}$/));

/** `saldo` is what may be moved; what is blocked stands beside it. */
export const balance = z.object({
  saldo: balanceAmount,
  bloqueios: z.nullish(z.object({ total: balanceAmount })),
});
