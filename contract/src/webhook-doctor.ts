import * as z from 'zod/mini';

/**
 * The possible findings of the webhook doctor, which explains to an integrator why the signature of a webhook does not
 * verify. The findings `computed-…` are about the signature that the integrator's own code computed.
 */
export const doctorVerdicts = [
  'valid',
  'header-missing',
  'header-misspelt',
  'id-changed',
  'timestamp-not-a-number',
  'timestamp-in-milliseconds',
  'timestamp-old',
  'timestamp-in-future',
  'signature-malformed',
  'signature-without-version',
  'signature-hex',
  'body-empty',
  'body-bom',
  'body-trailing-newline',
  'body-charset',
  'body-line-endings',
  'body-reserialised',
  'body-changed',
  'timestamp-changed',
  'secret-of-account',
  'secret-of-endpoint',
  'secret-rotated',
  'computed-right',
  'computed-hex',
  'computed-secret-not-decoded',
  'computed-without-id',
  'computed-without-timestamp',
  'computed-body-only',
  'computed-body-parsed',
  'computed-wrong',
  'unknown',
] as const;
export type DoctorVerdict = (typeof doctorVerdicts)[number];

export const doctorFinding = z.object({
  code: z.enum(doctorVerdicts),
  message: z.string(),
  hint: z.string(),
});
export type DoctorFinding = z.infer<typeof doctorFinding>;

/** A webhook as an integrator received it, for the doctor to examine. */
export const doctorQuestion = z.object({
  /** The headers as received: an object, or raw lines `name: value`. */
  headers: z.union(
    [
      z.string().check(z.maxLength(16_384, 'Os cabeçalhos são longos demais.')),
      z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    ],
    { error: 'Informe os cabeçalhos, como objeto ou como texto.' },
  ),
  /** The body as received, unchanged. */
  body: z
    .string({ error: 'Informe o corpo como chegou.' })
    .check(z.maxLength(32_768, 'O corpo é longo demais.')),
  /** The endpoint that received the webhook. Without an endpoint, the doctor tries all secrets of the account. */
  endpoint: z.optional(z.uuid()),
  /** The signature computed by the caller's own code. */
  computed: z.optional(z.string().check(z.maxLength(1024))),
});

export const doctorAnswer = z.object({
  /** Whether a correct verifier would accept the webhook now. */
  ok: z.boolean(),
  /** The most likely cause. */
  verdict: z.enum(doctorVerdicts),
  findings: z.array(doctorFinding),
});
export type DoctorAnswer = z.infer<typeof doctorAnswer>;
