import * as z from 'zod/mini';
import { amount, moment, optionalId, truncatedText } from '../bacen/payloads.ts';

/**
 * The parts of Efí's API outside API Pix that we read (dev.efipay.com.br: Envio e Pagamento Pix, MED, Saldo). BACEN,
 * the central bank, does not standardise them.
 */

const status = z.enum(['EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO']);
const error = z.object({ codigo: z.nullish(truncatedText(50)), motivo: z.nullish(truncatedText(500)) });

/** Money of a sent Pix that came back to our account. */
const returned = z.object({
  rtrId: z.string().check(z.minLength(1), z.maxLength(64)),
  valor: amount,
  horario: z.union([z.object({ liquidacao: moment }), z.object({ solicitacao: moment })]),
  status: z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']),
});

/** The response to a payout order. */
export const orderedPayout = z.object({
  idEnvio: z.string(),
  e2eId: optionalId,
  valor: amount,
  horario: z.nullish(z.object({ solicitacao: z.nullish(moment) })),
  status,
});
export type OrderedPayoutPayload = z.infer<typeof orderedPayout>;

/** A sent Pix in the responses to look-ups and lists. A Pix that was not sent through the API may have no idEnvio. */
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

/** A dispute, called infração in the Pix rules. */
export const infracao = z.object({
  idInfracao: z.union([z.string().check(z.minLength(1), z.maxLength(64)), z.int()]),
  endToEndId: z.string().check(z.maxLength(64)),
  protocolo: z.nullish(z.union([truncatedText(100), z.int()])),
  valor: amount,
  status: z.enum(['ABERTA', 'EM_DEFESA', 'ACEITA', 'REJEITADA', 'CANCELADA_EFI']),
  razao: z.nullish(truncatedText(200)),
  tipoSituacao: z.nullish(truncatedText(200)),
  comentario: z.nullish(truncatedText(2000)),
  dadosAnalise: z.object({ abertura: moment, prazoFinalizacao: moment }),
});
export type InfracaoPayload = z.infer<typeof infracao>;

/** Unlike the amount of a Pix, a balance may be negative. */
const balanceAmount = z.string().check(z.regex(/^-?\d{1,10}\.\d{2}$/));

/** The account balance. `saldo` is the free balance, without the blocked amount. */
export const balance = z.object({
  saldo: balanceAmount,
  bloqueios: z.nullish(z.object({ total: balanceAmount })),
});
