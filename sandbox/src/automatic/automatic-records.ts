import { z } from 'zod';

// What the journal stores of Pix Automático. As with the other records, no name or value that is on disk may change.
// The names are BACEN's: a rec is a payer's mandate, a solicrec the push that asks for one, and a cobr the charge of
// one cycle, with its attempts to debit.

const moment = z.int();
const cents = z.int().min(0);
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);

/** Who ended something: the payer or the receiver, or the bank of either. */
const requesterSchema = z.enum(['PSP_PAGADOR', 'USUARIO_PAGADOR', 'PSP_RECEBEDOR', 'USUARIO_RECEBEDOR']);

/** Why a rec or cobr ended. Cancellations name who asked, rejections do not. */
const endingSchema = z.object({
  requester: requesterSchema.optional(),
  code: z.string(),
  text: z.string(),
});

const recStatusSchema = z.enum(['CRIADA', 'APROVADA', 'REJEITADA', 'EXPIRADA', 'CANCELADA']);

const recTermsSchema = z.object({
  contract: z.string(),
  object: z.string().optional(),
  debtor: z.object({ cpf: z.string().optional(), cnpj: z.string().optional(), nome: z.string() }),
  firstDay: day,
  lastDay: day.optional(),
  period: z.enum(['SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL']),
  /** Set if every charge has this amount. */
  fixedCents: cents.optional(),
  /** The least maximum that the payer may set. */
  floorCents: cents.optional(),
  /** Whether the receiver may order further attempts after the due date. */
  mayRetry: z.boolean(),
  agreement: z.string().optional(),
});

/** Who debits a rec pays, and the account that is debited. */
const recPayerSchema = z.object({
  name: z.string(),
  document: z.string(),
  ispb: z.string(),
  /** The maximum that the payer allows for one charge. */
  maxCents: cents.optional(),
});

/** How the payer's bank treats the debits of a rec. Tests and the bank's app set it. */
const debitSettingsSchema = z.object({
  account: z.enum(['open', 'blocked', 'closed']),
  /** The funds from each hour of the day on, in São Paulo. Before the first of them, and without any, they suffice. */
  funds: z.array(z.object({ fromHour: z.int().min(0).max(23), cents })),
  /** The code with which the payer's bank rejects every order. */
  rejects: z.string().optional(),
});

export const recSchema = z.object({
  idRec: z.string(),
  createdAt: moment,
  status: recStatusSchema,
  history: z.array(z.object({ status: recStatusSchema, at: moment })),
  terms: recTermsSchema,
  locationId: z.int().optional(),
  /** By which journey the payer approved. */
  journey: z.enum(['JORNADA_1', 'JORNADA_2', 'JORNADA_3', 'JORNADA_4']).optional(),
  /** The immediate charge whose payment approves the rec (journey 3). */
  journeyTxid: z.string().optional(),
  payer: recPayerSchema.optional(),
  debits: debitSettingsSchema,
  end: endingSchema.optional(),
  /** When the rec expires; absent if it never does, or no longer. */
  dueAt: moment.optional(),
});

const solicRecStatusSchema = z.enum([
  'CRIADA',
  'ENVIADA',
  'RECEBIDA',
  'REJEITADA',
  'ACEITA',
  'EXPIRADA',
  'CANCELADA',
]);

export const solicRecSchema = z.object({
  idSolicRec: z.string(),
  idRec: z.string(),
  createdAt: moment,
  expiresAt: moment,
  status: solicRecStatusSchema,
  history: z.array(z.object({ status: solicRecStatusSchema, at: moment })),
  recipient: z.object({
    cpf: z.string().optional(),
    cnpj: z.string().optional(),
    conta: z.string(),
    agencia: z.string().optional(),
    ispbParticipante: z.string(),
  }),
  dueAt: moment.optional(),
});

const attemptStatusSchema = z.enum(['SOLICITADA', 'AGENDADA', 'PAGA', 'CANCELADA', 'REJEITADA', 'EXPIRADA']);

const attemptSchema = z.object({
  endToEndId: z.string(),
  /** The day of the debit. */
  day,
  kind: z.enum(['AGND', 'NTAG']),
  status: attemptStatusSchema,
  history: z.array(z.object({ status: attemptStatusSchema, at: moment })),
  rejection: z.object({ code: z.string(), text: z.string() }).optional(),
});

const cobrStatusSchema = z.enum(['CRIADA', 'ATIVA', 'CONCLUIDA', 'EXPIRADA', 'REJEITADA', 'CANCELADA']);

export const cobrSchema = z.object({
  txid: z.string(),
  idRec: z.string(),
  createdAt: moment,
  status: cobrStatusSchema,
  history: z.array(z.object({ status: cobrStatusSchema, at: moment })),
  amountCents: cents,
  /** The due date as the receiver chose it, on a business day or not. */
  dueDate: day,
  /** Whether a due date that is no business day moves to the next one. */
  adjusts: z.boolean(),
  info: z.string().optional(),
  debtor: z
    .object({
      email: z.string().optional(),
      logradouro: z.string().optional(),
      cidade: z.string().optional(),
      uf: z.string().optional(),
      cep: z.string().optional(),
    })
    .optional(),
  receiver: z.object({ conta: z.string(), tipoConta: z.string(), agencia: z.string().optional() }),
  attempts: z.array(attemptSchema),
  end: endingSchema.optional(),
  /** When the bank next does something about the charge; absent once nothing more will happen. */
  dueAt: moment.optional(),
});

/** A URL that serves the payload of a rec; `idRec` is absent while no rec uses it. */
export const recLocationSchema = z.object({
  id: z.int(),
  token: z.string(),
  createdAt: moment,
  idRec: z.string().optional(),
});

/** The kinds of webhook that an account has one of, in place of one for each key. */
export const automaticWebhookKind = z.enum(['rec', 'cobr']);

export const automaticRecordSchemas = [
  z.object({ t: z.literal('rec'), rec: recSchema }),
  z.object({ t: z.literal('solicrec'), solicRec: solicRecSchema }),
  z.object({ t: z.literal('cobr'), cobr: cobrSchema }),
  z.object({ t: z.literal('rec-location'), recLocation: recLocationSchema }),
  z.object({
    t: z.literal('automatic-webhook'),
    kind: automaticWebhookKind,
    webhook: z.object({ url: z.string(), createdAt: moment }).nullable(),
  }),
] as const;

export type SandboxRec = z.infer<typeof recSchema>;
export type RecTerms = z.infer<typeof recTermsSchema>;
export type RecPayer = z.infer<typeof recPayerSchema>;
export type DebitSettings = z.infer<typeof debitSettingsSchema>;
export type AutomaticEnding = z.infer<typeof endingSchema>;
export type AutomaticRequester = z.infer<typeof requesterSchema>;
export type SandboxSolicRec = z.infer<typeof solicRecSchema>;
export type SandboxCobr = z.infer<typeof cobrSchema>;
export type CobrAttempt = z.infer<typeof attemptSchema>;
export type RecLocation = z.infer<typeof recLocationSchema>;
export type AutomaticWebhookKind = z.infer<typeof automaticWebhookKind>;
export type AutomaticRecord = z.infer<(typeof automaticRecordSchemas)[number]>;
