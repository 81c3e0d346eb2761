import * as z from 'zod/mini';
import { PAGE_SIZE } from './limits.ts';
import { withoutMisleadingCharacters } from './misleading-characters.ts';
import { brl } from './money.ts';
import { moment } from './user.ts';

/** The outcome is the merchant's: after a `lost` dispute, the bank returns the money to the payer. */
export const disputeStatuses = ['open', 'lost', 'won', 'cancelled'] as const;
export const disputeStatus = z.enum(disputeStatuses);
export type DisputeStatus = z.infer<typeof disputeStatus>;

/** A payment contested by its payer through MED, the special return mechanism of the banks. Amounts in BRL. */
export const dispute = z.object({
  id: z.string(),
  /** Null if the Pix belongs to no charge of the merchant. */
  payment_id: z.nullable(z.string()),
  end_to_end_id: z.string(),
  /** The bank's reference number of the dispute; empty if the bank gives none. */
  protocol: z.string(),
  status: disputeStatus,
  reason: z.string(),
  /** The amount claimed by the payer. */
  amount: brl,
  /** The part of the claimed amount that is blocked while the dispute is open. */
  blocked_amount: brl,
  /** The part of the claimed amount that could not be blocked. Incoming money covers it before anything else. */
  shortfall_amount: brl,
  /** The amount that the bank returned to the payer. */
  returned_amount: brl,
  /** The deadline for a defence. */
  deadline: moment,
  defended_at: z.nullable(moment),
  opened_at: moment,
  resolved_at: z.nullable(moment),
});
export type Dispute = z.infer<typeof dispute>;

export const disputeFile = z.object({ id: z.string(), name: z.string(), type: z.string(), size: z.int() });

export const disputeDetail = z.extend(dispute, {
  /** The text of the merchant's defence; null until one is sent. */
  defence: z.nullable(z.string()),
  files: z.array(disputeFile),
  /** Whether the bank receives the files of a defence. If false, it receives only the text. */
  takes_files: z.boolean(),
});
export type DisputeDetail = z.infer<typeof disputeDetail>;

export const disputesQuery = z.object({
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1),
  pageSize: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)), 10),
  status: z.optional(disputeStatus),
});

export const disputesPage = z.object({
  disputes: z.array(dispute),
  total: z.int(),
  page: z.int(),
  limit: z.int(),
  /** The number of open disputes, whatever the query selects. */
  open: z.int(),
});

export const DEFENCE_LIMITS = { maxLength: 4000, maxFiles: 5, maxFileBytes: 2 * 1024 * 1024 } as const;
/** Base64 has four characters for three bytes, and may end with padding. */
const maxFileCharacters = Math.ceil((DEFENCE_LIMITS.maxFileBytes * 4) / 3) + 4;
/** The maximum size of a request with a defence: all files in base64, and 64 KiB for their names and the text. */
export const DEFENCE_MAX_BYTES = DEFENCE_LIMITS.maxFiles * maxFileCharacters + 64 * 1024;

/** A defence: the merchant's text, and evidence as PDF, PNG or JPEG files in base64. */
export const defence = z.object({
  text: z
    .string({ error: 'Escreva a sua defesa.' })
    .check(
      z.trim(),
      z.minLength(1, 'Escreva a sua defesa.'),
      z.maxLength(DEFENCE_LIMITS.maxLength, 'A defesa tem no máximo 4.000 caracteres.'),
      withoutMisleadingCharacters(),
    ),
  files: z._default(
    z
      .array(
        z.object({
          name: z.string().check(z.minLength(1), z.maxLength(120)),
          content: z.string().check(z.maxLength(maxFileCharacters, 'Cada arquivo tem no máximo 2 MB.')),
        }),
      )
      .check(z.maxLength(DEFENCE_LIMITS.maxFiles, 'Envie no máximo 5 arquivos.')),
    [],
  ),
});
export type Defence = z.infer<typeof defence>;
