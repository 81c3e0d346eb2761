import { pixAmountToCents } from '@jangada/pix';
import { z } from 'zod';
import type { Terms } from '../records.ts';
import { invalidOperation } from './charge-operation.ts';
import { isBareCnpj, isBareCpf, readCommonTerms, requireOwnKey } from './charge-terms.ts';

const MAX_INT32 = 2_147_483_647;
const DEFAULT_EXPIRY_SECONDS = 86_400;

/** Returns the error message for a field that violates BACEN's schema. */
const notInSchema = (field: string) => ({ error: `O campo ${field} não respeita o schema.` });

/** A debtor has a CPF or a CNPJ, never both. */
const debtorSchema = z.xor(
  [
    z.object({
      cpf: z.string().refine(isBareCpf),
      cnpj: z.undefined().optional(),
      nome: z.string().min(1).max(200),
    }),
    z.object({
      cnpj: z.string().refine(isBareCnpj),
      cpf: z.undefined().optional(),
      nome: z.string().min(1).max(200),
    }),
  ],
  { error: 'O objeto cob.devedor não respeita o schema.' },
);

const amountSchema = z
  .object({
    original: z
      .string(notInSchema('cob.valor.original'))
      .regex(/^\d{1,10}\.\d{2}$/, notInSchema('cob.valor.original')),
    modalidadeAlteracao: z
      .union([z.literal(0), z.literal(1)], notInSchema('cob.valor.modalidadeAlteracao'))
      .optional(),
    retirada: z.undefined({ error: 'Pix Saque e Pix Troco não são oferecidos.' }).optional(),
  })
  .refine((amount) => amount.modalidadeAlteracao === 1 || /[1-9]/.test(amount.original), {
    error: 'O campo cob.valor.original é zero.',
    path: ['original'],
  });

const calendarSchema = z.object({
  expiracao: z
    .int(notInSchema('cob.calendario.expiracao'))
    .min(1, { error: 'O campo cob.calendario.expiracao é igual ou menor que zero.' })
    .max(MAX_INT32, notInSchema('cob.calendario.expiracao'))
    .optional(),
});

const commonFields = {
  devedor: debtorSchema.optional(),
  solicitacaoPagador: z.string().max(140, notInSchema('solicitacaoPagador')).optional(),
  infoAdicionais: z
    .array(z.object({ nome: z.string().max(50), valor: z.string().max(200) }), {
      error: 'O objeto infoAdicionais não respeita o schema.',
    })
    .max(50)
    .optional(),
  loc: z.object({ id: z.int() }).optional(),
};

const keySchema = z.string().max(77, notInSchema('cob.chave'));

const chargeRequestSchema = z.object({
  ...commonFields,
  calendario: calendarSchema,
  valor: amountSchema,
  chave: keySchema,
});

const chargeRevisionSchema = z.object({
  ...commonFields,
  calendario: calendarSchema.optional(),
  valor: amountSchema.optional(),
  chave: keySchema.optional(),
  status: z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR', notInSchema('cob.status')).optional(),
});

/** A validated request for a charge. `locationId` is set if the charge is to use an existing location. */
export interface ChargeRequest {
  readonly key: string;
  readonly terms: Terms;
  readonly locationId?: number;
}

/**
 * Reads the request for a new charge (BACEN's CobSolicitada). `ownKey` is the account's Pix key, the only one that a
 * charge may name. Throws CobOperacaoInvalida with every violation.
 */
export function readChargeRequest(body: unknown, ownKey: string): ChargeRequest {
  const request = parseOrRefuse(chargeRequestSchema, body);
  requireOwnKey('cob', request.chave, ownKey);
  return {
    key: request.chave,
    terms: {
      ...readCommonTerms(request),
      amountCents: pixAmountToCents(request.valor.original),
      alterable: request.valor.modalidadeAlteracao === 1,
      expirySeconds: request.calendario.expiracao ?? DEFAULT_EXPIRY_SECONDS,
    },
    ...(request.loc !== undefined && { locationId: request.loc.id }),
  };
}

/**
 * Reads the request to change a charge (BACEN's CobRevisada), and returns the current terms with the changes applied;
 * or `remove`, if the request only removes the charge. Throws CobOperacaoInvalida with every violation.
 */
export function readChargeRevision(
  body: unknown,
  currentTerms: Terms,
  ownKey: string,
): { remove: true } | { remove: false; terms: Terms; locationId?: number } {
  const { status, ...changes } = parseOrRefuse(chargeRevisionSchema, body);
  if (status !== undefined) {
    if (Object.values(changes).some((value) => value !== undefined)) {
      throw invalidOperation('cob', [
        {
          razao: 'A remoção não pode vir junto com outras alterações.',
          propriedade: 'cob.status',
          valor: status,
        },
      ]);
    }
    return { remove: true };
  }
  if (changes.chave !== undefined) requireOwnKey('cob', changes.chave, ownKey);
  const terms = {
    ...currentTerms,
    ...readCommonTerms(changes),
    ...(changes.valor !== undefined && {
      amountCents: pixAmountToCents(changes.valor.original),
      alterable: changes.valor.modalidadeAlteracao === 1,
    }),
    ...(changes.calendario?.expiracao !== undefined && { expirySeconds: changes.calendario.expiracao }),
  };
  return { remove: false, terms, ...(changes.loc !== undefined && { locationId: changes.loc.id }) };
}

function parseOrRefuse<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data;
  throw invalidOperation(
    'cob',
    error.issues.map(({ message, path }) => ({ razao: message, propriedade: ['cob', ...path].join('.') })),
  );
}
