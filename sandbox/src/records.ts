import { z } from 'zod';
import { automaticRecordSchemas, automaticWebhookKind } from './automatic/automatic-records.ts';
import { behaviourSchema } from './behaviour.ts';

// What the bank's journal stores. Journals on disk contain these field names and values, so none may change. A txid
// identifies a charge at the bank, an endToEndId one Pix nationwide, and an rtrId one return of a Pix nationwide.

const moment = z.int();
const cents = z.int().min(0);

const debtorSchema = z.object({ cpf: z.string().optional(), cnpj: z.string().optional(), nome: z.string() });

/** The parts of a charge that a revision can change. */
const termsSchema = z.object({
  amountCents: cents,
  /** Whether the payer may change the amount. */
  alterable: z.boolean(),
  expirySeconds: z.int().min(1),
  debtor: debtorSchema.optional(),
  payerRequest: z.string().optional(),
  additionalInfo: z.array(z.object({ nome: z.string(), valor: z.string() })).optional(),
});

const chargeStatusSchema = z.enum([
  'ATIVA',
  'CONCLUIDA',
  'REMOVIDA_PELO_USUARIO_RECEBEDOR',
  'REMOVIDA_PELO_PSP',
]);

/** An immediate charge, which BACEN calls cob. Times are in milliseconds since 1970. */
export const chargeSchema = z.object({
  txid: z.string(),
  key: z.string(),
  createdAt: moment,
  status: chargeStatusSchema,
  terms: termsSchema,
  /** The terms of all earlier revisions, oldest first. */
  earlier: z.array(termsSchema),
  locationId: z.int().optional(),
});

/** A day of the calendar, such as `2026-11-30`. */
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
/** A value in hundredths of a real or of a percent, as the modality says. */
const hundredths = z.int().min(0);
const rateSchema = z.object({ modality: z.int(), value: hundredths });

const cobvDebtorSchema = debtorSchema.extend({
  email: z.string().optional(),
  logradouro: z.string().optional(),
  cidade: z.string().optional(),
  uf: z.string().optional(),
  cep: z.string().optional(),
});

/** The parts of a charge with a due date that a revision can change. Modalities are BACEN's numbers. */
const cobvTermsSchema = z.object({
  amountCents: cents,
  /** As the receiver chose it, on a business day or not. */
  dueDate: day,
  /** Calendar days after the due date on which the charge may still be paid. */
  validityDays: z.int().min(0),
  debtor: cobvDebtorSchema,
  fine: rateSchema.optional(),
  interest: rateSchema.optional(),
  rebate: rateSchema.optional(),
  /** Has either `steps`, each good until its day, or one `value` for each day before the due date. */
  discount: z
    .object({
      modality: z.int(),
      steps: z.array(z.object({ until: day, value: hundredths })).optional(),
      value: hundredths.optional(),
    })
    .optional(),
  payerRequest: z.string().optional(),
  additionalInfo: z.array(z.object({ nome: z.string(), valor: z.string() })).optional(),
});

/** A charge with a due date, which BACEN calls cobv. */
const cobvSchema = chargeSchema.extend({ terms: cobvTermsSchema, earlier: z.array(cobvTermsSchema) });

const cobvBatchItemSchema = z.object({
  txid: z.string(),
  /** Of what was last requested for the charge. */
  status: z.enum(['EM_PROCESSAMENTO', 'CRIADA', 'NEGADA']),
  /** When the charge was created. */
  createdAt: moment.optional(),
  /** Why the request was refused. */
  problem: z.record(z.string(), z.unknown()).optional(),
  /** A request that is still to be worked off. */
  request: z.object({ method: z.enum(['PUT', 'PATCH']), body: z.record(z.string(), z.unknown()) }).optional(),
});

/** A batch of charges with a due date, which BACEN calls lote. It keeps the charges with which it was created. */
const cobvBatchSchema = z.object({
  id: z.string(),
  description: z.string(),
  createdAt: moment,
  items: z.array(cobvBatchItemSchema),
  /** When its requests are worked off; absent once they are. */
  dueAt: moment.optional(),
});

/** A URL that serves a charge's payload; `txid` is absent while no charge uses it. */
export const locationSchema = z.object({
  id: z.int(),
  token: z.string(),
  createdAt: moment,
  kind: z.enum(['cob', 'cobv']),
  txid: z.string().optional(),
});

const payerSchema = z.object({ name: z.string(), document: z.string() });

/** How the amount of a Pix that paid a charge with a due date is made up. */
const pixPartsSchema = z.object({
  originalCents: cents,
  fineCents: cents,
  interestCents: cents,
  rebateCents: cents,
  discountCents: cents,
  /** Set if the bank misbehaves and shows no parts, or parts that do not add up. */
  shown: z.enum(['left-out', 'wrong']).optional(),
});

/** A Pix received on the account. */
export const pixSchema = z.object({
  endToEndId: z.string(),
  txid: z.string().optional(),
  amountCents: cents,
  /** The key that received the Pix. */
  key: z.string(),
  at: moment,
  payer: payerSchema,
  message: z.string().optional(),
  /** Present if the Pix paid the code of a charge with a due date. A Pix that only has its txid does not pay it. */
  parts: pixPartsSchema.optional(),
});

/** A refund of a received Pix to its payer (devolução). */
export const refundSchema = z.object({
  endToEndId: z.string(),
  /** Unique among the refunds of a Pix. Chosen by the requester, or by the bank for the refund of a lost dispute. */
  id: z.string(),
  rtrId: z.string(),
  amountCents: cents,
  nature: z.enum(['ORIGINAL', 'MED_FRAUDE', 'MED_PIX_AUTOMATICO']),
  description: z.string().optional(),
  at: moment,
  status: z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']),
  settledAt: moment.optional(),
  /** The reason for the status. */
  reason: z.string().optional(),
  /** The outcome, which is decided when the bank accepts the refund. */
  fate: z.enum(['completes', 'fails']),
  /** When the bank next changes the status; absent once nothing more will happen. */
  dueAt: moment.optional(),
});

/** A Pix sent from the account to a key of another account. */
export const payoutSchema = z.object({
  /** Chosen by the requester; never accepted for a second payout. */
  idEnvio: z.string(),
  endToEndId: z.string(),
  amountCents: cents,
  /** The key of the account that pays. */
  key: z.string(),
  message: z.string().optional(),
  payee: z.object({ key: z.string(), name: z.string(), document: z.string() }),
  at: moment,
  status: z.enum(['EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO']),
  settledAt: moment.optional(),
  error: z.object({ code: z.string(), origin: z.string(), reason: z.string() }).optional(),
  /** Set when the payee's bank has returned the completed payout in full. */
  cameBack: z.object({ rtrId: z.string(), at: moment, reason: z.string() }).optional(),
  /**
   * The outcome, which is decided when the bank accepts the payout. A `misreported` payout fails, but the webhook is
   * notified that it is completed.
   */
  fate: z.enum(['completes', 'fails', 'returns', 'misreported']),
  /** When the bank next changes the status; absent once nothing more will happen. */
  dueAt: moment.optional(),
});

/** Money that entered or left the account other than by Pix. */
export const movementSchema = z.object({
  id: z.string(),
  kind: z.enum(['tariff', 'withdrawal', 'deposit']),
  amountCents: cents,
  description: z.string().optional(),
  at: moment,
});

/** A payer's claim that a Pix was fraudulent (MED), which the bank Efí calls infração. */
export const disputeSchema = z.object({
  id: z.string(),
  protocol: z.string(),
  endToEndId: z.string(),
  amountCents: cents,
  reason: z.string(),
  comment: z.string().optional(),
  status: z.enum(['ABERTA', 'EM_DEFESA', 'ACEITA', 'REJEITADA', 'CANCELADA_EFI']),
  openedAt: moment,
  /** The deadline for a defence. */
  deadlineAt: moment,
  changedAt: moment,
  defence: z
    .object({
      text: z.string(),
      files: z.array(z.object({ name: z.string(), type: z.string(), bytes: z.int(), sha256: z.string() })),
      at: moment,
    })
    .optional(),
  closedAt: moment.optional(),
});

/** The URL to which the notices of a key are sent. */
export const webhookSchema = z.object({ url: z.string(), createdAt: moment });

/** A notice to a webhook that is still to be delivered. */
export const noticeSchema = z.object({
  id: z.string(),
  /** The received Pix to report, in its state at the time of sending. */
  endToEndId: z.string(),
  dueAt: moment,
  /** Attempts made so far. */
  attempts: z.int(),
  /** Whether the notice is sent before older ones that are due at the same time. */
  reversed: z.boolean().optional(),
  /**
   * An item that is sent unchanged to the webhook of `key`, in place of the Pix. The name `told` is part of journals on
   * disk, so it must not change.
   */
  told: z
    .object({
      key: z.string(),
      item: z.record(z.string(), z.unknown()),
      /** Set for an item that goes to a webhook of Pix Automático, which has no key. */
      channel: automaticWebhookKind.optional(),
    })
    .optional(),
});

/** A change of the books. One line of the journal is an array of changes, of which all or none take effect. */
export const recordSchema = z.discriminatedUnion('t', [
  z.object({ t: z.literal('charge'), charge: chargeSchema }),
  z.object({ t: z.literal('cobv'), cobv: cobvSchema }),
  z.object({ t: z.literal('cobv-batch'), batch: cobvBatchSchema }),
  ...automaticRecordSchemas,
  z.object({ t: z.literal('location'), location: locationSchema }),
  z.object({
    t: z.literal('pix'),
    pix: pixSchema,
    /** The amount that the customer of the bank's app paid; absent or 0 if somebody else paid. */
    fromAppCents: cents.optional(),
    /** The amount by which the customer's account was topped up for this payment, because its balance was too low. */
    topUpCents: cents.optional(),
  }),
  z.object({ t: z.literal('refund'), refund: refundSchema }),
  z.object({ t: z.literal('payout'), payout: payoutSchema }),
  z.object({ t: z.literal('movement'), movement: movementSchema }),
  z.object({ t: z.literal('dispute'), dispute: disputeSchema }),
  z.object({ t: z.literal('webhook'), key: z.string(), webhook: webhookSchema.nullable() }),
  z.object({ t: z.literal('notice'), notice: noticeSchema }),
  z.object({ t: z.literal('notice-closed'), id: z.string(), delivered: z.boolean() }),
  z.object({ t: z.literal('behaviour'), behaviour: behaviourSchema }),
  z.object({ t: z.literal('clock'), offsetMs: z.int() }),
]);

export const recordsSchema = z.array(recordSchema);

export type Terms = z.infer<typeof termsSchema>;
export type SandboxCharge = z.infer<typeof chargeSchema>;
export type CobvTerms = z.infer<typeof cobvTermsSchema>;
export type SandboxCobv = z.infer<typeof cobvSchema>;
export type CobvBatchItem = z.infer<typeof cobvBatchItemSchema>;
export type CobvBatch = z.infer<typeof cobvBatchSchema>;
export type SandboxChargeStatus = z.infer<typeof chargeStatusSchema>;
export type Location = z.infer<typeof locationSchema>;
export type PixParts = z.infer<typeof pixPartsSchema>;
export type Pix = z.infer<typeof pixSchema>;
export type SandboxRefund = z.infer<typeof refundSchema>;
export type Payout = z.infer<typeof payoutSchema>;
export type SandboxMovement = z.infer<typeof movementSchema>;
export type SandboxDispute = z.infer<typeof disputeSchema>;
export type Webhook = z.infer<typeof webhookSchema>;
export type SandboxNotice = z.infer<typeof noticeSchema>;
export type BookRecord = z.infer<typeof recordSchema>;
