import { pixAmountToCents } from '@jangada/pix';
import { z } from 'zod';
import { dayAt, isCalendarDay } from '../bank-days.ts';
import type { CobvTerms } from '../records.ts';
import type { Violation } from '../refusal.ts';
import { invalidOperation } from './charge-operation.ts';
import { isBareCnpj, isBareCpf, readPayerTexts, requireOwnKey } from './charge-terms.ts';
import { findCobvViolations } from './cobv-rules.ts';

const MAX_INT32 = 2_147_483_647;
const DEFAULT_VALIDITY_DAYS = 30;

const amount = z.string().regex(/^\d{1,10}\.\d{2}$/);
const day = z.string().refine(isCalendarDay);

/** A modality is a number according to BACEN's schema, but a text of digits in its example. */
const modality = (highest: number) =>
  z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,2}$/)
        .transform(Number),
    ])
    .pipe(z.int().min(1).max(highest));

const rate = (highestModality: number) =>
  z.object({ modalidade: modality(highestModality), valorPerc: amount });

const discountSchema = z.object({
  modalidade: modality(6),
  descontoDataFixa: z
    .array(z.object({ data: day, valorPerc: amount }))
    .max(3)
    .refine((steps) => new Set(steps.map((step) => JSON.stringify(step))).size === steps.length)
    .nullish(),
  valorPerc: amount.nullish(),
});

const debtorFields = {
  nome: z.string().min(1).max(200),
  email: z.string().optional(),
  logradouro: z.string().max(200).optional(),
  cidade: z.string().max(200).optional(),
  uf: z.string().max(2).optional(),
  cep: z.string().max(8).optional(),
};

/** A debtor has a CPF or a CNPJ, never both. */
const debtorSchema = z.xor([
  z.object({ ...debtorFields, cpf: z.string().refine(isBareCpf), cnpj: z.undefined().optional() }),
  z.object({ ...debtorFields, cnpj: z.string().refine(isBareCnpj), cpf: z.undefined().optional() }),
]);

const calendarSchema = z.object({
  dataDeVencimento: day,
  validadeAposVencimento: z.int().max(MAX_INT32).optional(),
});

const valueFields = {
  multa: rate(2).optional(),
  juros: rate(8).optional(),
  abatimento: rate(2).optional(),
  desconto: discountSchema.optional(),
};

const commonFields = {
  solicitacaoPagador: z.string().max(140).optional(),
  infoAdicionais: z
    .array(z.object({ nome: z.string().max(50), valor: z.string().max(200) }))
    .max(50)
    .optional(),
  loc: z.object({ id: z.int() }).optional(),
};

const cobvRequestSchema = z.object({
  ...commonFields,
  calendario: calendarSchema,
  devedor: debtorSchema,
  valor: z.object({ ...valueFields, original: amount }),
  chave: z.string().max(77),
});

const cobvRevisionSchema = z.object({
  ...commonFields,
  calendario: calendarSchema.optional(),
  devedor: debtorSchema.optional(),
  valor: z.object({ ...valueFields, original: amount.optional() }).optional(),
  chave: z.string().max(77).optional(),
  status: z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR').optional(),
});

/** A validated request for a charge with a due date. `locationId` is set if it is to use an existing location. */
export interface CobvRequest {
  readonly key: string;
  readonly terms: CobvTerms;
  readonly locationId?: number;
}

/**
 * Reads the request for a new charge with a due date, or for other terms of one (BACEN's CobVSolicitada). `ownKey` is
 * the account's Pix key, the only one that a charge may name, and `createdAt` when the charge was or is created. Throws
 * CobVOperacaoInvalida with every violation.
 */
export function readCobvRequest(body: unknown, ownKey: string, createdAt: number): CobvRequest {
  const request = parseOrRefuse(cobvRequestSchema, body);
  requireOwnKey('cobv', request.chave, ownKey);
  const { calendario, valor } = request;
  const terms: CobvTerms = {
    amountCents: pixAmountToCents(valor.original),
    dueDate: calendario.dataDeVencimento,
    validityDays: calendario.validadeAposVencimento ?? DEFAULT_VALIDITY_DAYS,
    debtor: request.devedor,
    ...readParts(valor),
    ...readPayerTexts(request),
  };
  refuseInvalidTerms(terms, createdAt);
  return {
    key: request.chave,
    terms,
    ...(request.loc !== undefined && { locationId: request.loc.id }),
  };
}

/**
 * Reads the request to change a charge with a due date (BACEN's CobVRevisada), and returns the current terms with the
 * changes applied; or `remove`, if the request only removes the charge. A part of the value that is not named stays.
 * Throws CobVOperacaoInvalida with every violation.
 */
export function readCobvRevision(
  body: unknown,
  current: { readonly terms: CobvTerms; readonly createdAt: number },
  ownKey: string,
): { remove: true } | { remove: false; terms: CobvTerms; locationId?: number } {
  const { status, ...changes } = parseOrRefuse(cobvRevisionSchema, body);
  if (status !== undefined) {
    if (Object.values(changes).every((value) => value === undefined)) return { remove: true };
    throw invalidOperation('cobv', [
      {
        razao: 'A remoção não pode vir junto com outras alterações.',
        propriedade: 'cobv.status',
        valor: status,
      },
    ]);
  }
  if (changes.chave !== undefined) requireOwnKey('cobv', changes.chave, ownKey);
  const { calendario, valor, devedor, loc } = changes;
  const terms: CobvTerms = {
    ...current.terms,
    ...(calendario !== undefined && { dueDate: calendario.dataDeVencimento }),
    ...(calendario?.validadeAposVencimento !== undefined && {
      validityDays: calendario.validadeAposVencimento,
    }),
    ...(devedor !== undefined && { debtor: devedor }),
    ...(valor?.original !== undefined && { amountCents: pixAmountToCents(valor.original) }),
    ...(valor !== undefined && readParts(valor)),
    ...readPayerTexts(changes),
  };
  refuseInvalidTerms(terms, current.createdAt);
  return { remove: false, terms, ...(loc !== undefined && { locationId: loc.id }) };
}

interface Parts {
  readonly multa?: z.infer<ReturnType<typeof rate>> | undefined;
  readonly juros?: z.infer<ReturnType<typeof rate>> | undefined;
  readonly abatimento?: z.infer<ReturnType<typeof rate>> | undefined;
  readonly desconto?: z.infer<typeof discountSchema> | undefined;
}

/** Reads what is added to the original amount and taken off it. */
function readParts({ multa, juros, abatimento, desconto }: Parts): Partial<CobvTerms> {
  return {
    ...(multa !== undefined && { fine: readRate(multa) }),
    ...(juros !== undefined && { interest: readRate(juros) }),
    ...(abatimento !== undefined && { rebate: readRate(abatimento) }),
    ...(desconto !== undefined && { discount: readDiscount(desconto) }),
  };
}

function readRate({ modalidade, valorPerc }: z.infer<ReturnType<typeof rate>>) {
  return { modality: modalidade, value: pixAmountToCents(valorPerc) };
}

function readDiscount({ modalidade, descontoDataFixa, valorPerc }: z.infer<typeof discountSchema>) {
  const steps = descontoDataFixa?.map((step) => ({
    until: step.data,
    value: pixAmountToCents(step.valorPerc),
  }));
  return {
    modality: modalidade,
    ...(steps !== undefined && { steps }),
    ...(typeof valorPerc === 'string' && { value: pixAmountToCents(valorPerc) }),
  };
}

function refuseInvalidTerms(terms: CobvTerms, createdAt: number): void {
  const violations = findCobvViolations(terms, dayAt(createdAt));
  if (violations.length > 0) throw invalidOperation('cobv', violations);
}

function parseOrRefuse<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data;
  const properties = new Set(error.issues.map(({ path }) => propertyAt(path.map(String))));
  throw invalidOperation('cobv', [...properties].map(describeViolation));
}

/** The objects that BACEN's list of violations names as a whole, whatever is wrong inside. */
const WHOLE_OBJECTS = ['devedor', 'valor.multa', 'valor.juros', 'valor.abatimento', 'valor.desconto'];

function propertyAt(path: readonly string[]): string {
  const text = path.join('.');
  const object = WHOLE_OBJECTS.find((name) => text === name || text.startsWith(`${name}.`));
  return ['cobv', object ?? text].filter((part) => part !== '').join('.');
}

function describeViolation(propriedade: string): Violation {
  const isObject = WHOLE_OBJECTS.some((name) => propriedade === `cobv.${name}`);
  return { razao: `O ${isObject ? 'objeto' : 'campo'} ${propriedade} não respeita o schema.`, propriedade };
}
