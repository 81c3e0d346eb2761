import * as z from 'zod/mini';
import { amount, moment, truncatedText } from './payloads.ts';

/**
 * The parts of Pix Automático in BACEN's API Pix 2.9.0 that we read. The schemas also take what the examples of the
 * official file do against its own schemas, since banks build from the examples.
 */

/** The ids of the banks have 29 letters and digits. */
const bankId = z.string().check(z.regex(/^[A-Za-z0-9]{1,64}$/));
const day = z.iso.date();
const optional = <S extends z.ZodMiniType>(schema: S) => z.catch(z.nullish(schema), undefined);

/** Reads the items of a list one by one, and leaves out those that are malformed; no list counts as an empty one. */
const readableItems = <S extends z.ZodMiniType>(item: S) =>
  z.pipe(
    z.catch(z.nullish(z.array(z.unknown())), undefined),
    z.transform((items) =>
      (items ?? []).flatMap((value) => {
        const { data } = item.safeParse(value);
        return data === undefined ? [] : [data];
      }),
    ),
  );

const reason = { codigo: truncatedText(20), descricao: z.catch(truncatedText(400), '') };
/** How a mandate or a debit ended. */
const ending = optional(
  z.object({
    rejeicao: optional(z.object(reason)),
    cancelamento: optional(z.object({ ...reason, solicitante: optional(z.string()) })),
  }),
);

export const locationOfRec = z.object({ id: z.int(), location: optional(z.string()) });

/** A mandate (recorrência). */
export const rec = z.object({
  idRec: bankId,
  status: z.enum(['CRIADA', 'APROVADA', 'REJEITADA', 'EXPIRADA', 'CANCELADA']),
  vinculo: z.object({ contrato: truncatedText(64) }),
  calendario: z.object({
    dataInicial: day,
    dataFinal: optional(day),
    periodicidade: z.enum(['SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL']),
  }),
  /** A varying mandate has no `valorRec`. So a malformed one must not be taken for absent. */
  valor: z.nullish(z.object({ valorRec: z.nullish(amount) })),
  loc: optional(locationOfRec),
  ativacao: optional(
    z.object({
      tipoJornada: optional(z.string()),
      /** Examples have the journey in here. */
      dadosJornada: optional(z.object({ tipoJornada: optional(z.string()) })),
    }),
  ),
  encerramento: ending,
  /** Examples say `nome` for `status`. */
  atualizacao: readableItems(
    z.object({ status: optional(z.string()), nome: optional(z.string()), data: moment }),
  ),
  dadosQR: optional(z.object({ pixCopiaECola: optional(z.string()) })),
});
export type RecPayload = z.infer<typeof rec>;

/** The request for a mandate that is pushed into the payer's app (solicitação de recorrência). */
export const solicRec = z.object({
  idSolicRec: bankId,
  status: z.enum(['CRIADA', 'ENVIADA', 'RECEBIDA', 'ACEITA', 'REJEITADA', 'EXPIRADA', 'CANCELADA']),
});
export type SolicRecPayload = z.infer<typeof solicRec>;

/** The charge of one cycle (cobrança recorrente). */
export const cobr = z.object({
  idRec: bankId,
  txid: z.string(),
  status: z.enum(['CRIADA', 'ATIVA', 'CONCLUIDA', 'EXPIRADA', 'REJEITADA', 'CANCELADA']),
  calendario: z.object({ dataDeVencimento: day }),
  valor: z.object({ original: amount }),
  encerramento: ending,
  tentativas: readableItems(
    z.object({
      endToEndId: bankId,
      /** An example has the month in the place of the day. */
      dataLiquidacao: optional(day),
      tipo: optional(z.string()),
      /** An attempt with an unknown status may still debit. */
      status: z.catch(
        z.enum(['SOLICITADA', 'AGENDADA', 'PAGA', 'REJEITADA', 'CANCELADA', 'EXPIRADA']),
        'SOLICITADA',
      ),
      rejeicao: optional(z.object(reason)),
    }),
  ),
  pix: readableItems(z.object({ endToEndId: bankId })),
});
export type CobrPayload = z.infer<typeof cobr>;

/** An item of a notice about mandates, of which only the id is read. */
export const recItem = z.object({ idRec: bankId });
/** An item of a notice about debits, of which only the id is read. */
export const cobrItem = z.object({ txid: z.string().check(z.regex(/^[A-Za-z0-9]{1,35}$/)) });
