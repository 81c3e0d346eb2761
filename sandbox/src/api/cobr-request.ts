import { pixAmountToCents } from '@jangada/pix';
import { z } from 'zod';
import type { SandboxCobr } from '../automatic/automatic-records.ts';
import { type CalendarDay, isCalendarDay } from '../bank-days.ts';
import { invalidAutomatic, parseAutomatic } from './automatic-operation.ts';

const cobrRequestSchema = z.object({
  idRec: z.string().regex(/^[a-zA-Z0-9]{29}$/),
  infoAdicional: z.string().max(140).optional(),
  calendario: z.object({ dataDeVencimento: z.string().refine(isCalendarDay) }),
  valor: z.object({
    original: z
      .string()
      .regex(/^\d{1,10}\.\d{2}$/)
      .refine((amount) => /[1-9]/.test(amount)),
  }),
  ajusteDiaUtil: z.boolean().default(true),
  devedor: z
    .object({
      email: z.string().optional(),
      logradouro: z.string().max(200).optional(),
      cidade: z.string().max(200).optional(),
      uf: z.string().max(2).optional(),
      cep: z.string().max(8).optional(),
    })
    .optional(),
  // The bank's accounts have no number, so it takes any as the receiver's own.
  recebedor: z.object({
    conta: z.string().min(1).max(20),
    tipoConta: z.enum(['CORRENTE', 'POUPANCA', 'PAGAMENTO']),
    agencia: z.string().max(4).optional(),
  }),
});

/** The parts of a recurring charge that its request says. */
export type CobrRequest = Pick<
  SandboxCobr,
  'idRec' | 'amountCents' | 'dueDate' | 'adjusts' | 'info' | 'debtor' | 'receiver'
>;

/** Reads the request for a recurring charge (BACEN's CobRSolicitada). Throws CobROperacaoInvalida. */
export function readCobrRequest(body: unknown, today: CalendarDay): CobrRequest {
  const request = parseAutomatic('cobr', cobrRequestSchema, body, [
    ...['calendario', 'valor', 'recebedor', 'devedor'],
  ]);
  const { idRec, infoAdicional, calendario, valor, ajusteDiaUtil, devedor, recebedor } = request;
  if (calendario.dataDeVencimento < today) {
    throw invalidAutomatic(
      'cobr',
      'calendario.dataDeVencimento',
      'O campo cobr.calendario.dataDeVencimento é anterior à data de criação da cobrança.',
      calendario.dataDeVencimento,
    );
  }
  return {
    idRec,
    amountCents: pixAmountToCents(valor.original),
    dueDate: calendario.dataDeVencimento,
    adjusts: ajusteDiaUtil,
    ...(infoAdicional !== undefined && { info: infoAdicional }),
    ...(devedor !== undefined && { debtor: devedor }),
    receiver: recebedor,
  };
}
