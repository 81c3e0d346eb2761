import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { brl, brlSum, positiveBrl } from './money.ts';
import { reserveSchedule, statement, statementExportQuery, statementQuery } from './statement.ts';
import { moment } from './user.ts';

export const getStatement = endpoint({
  name: 'getStatement',
  method: 'GET',
  path: '/authed/statement',
  access: 'session',
  tag: 'Conta',
  summary: 'O extrato: cada movimento com o saldo depois dele, do mais novo para o mais antigo.',
  query: statementQuery,
  response: statement,
  refusals: ['PERIOD_INVALID'],
  isExtension: true,
});

/**
 * The file is OFX 1.02, or CSV in the form that spreadsheets in Brazil open: with a BOM, semicolons and decimal commas.
 * The oldest movement comes first.
 */
export const exportStatement = endpoint({
  name: 'exportStatement',
  method: 'GET',
  path: '/authed/statement/export/{format}',
  access: 'session',
  tag: 'Conta',
  summary: 'O extrato de um período em CSV ou OFX.',
  params: z.object({ format: z.enum(['csv', 'ofx']) }),
  query: statementExportQuery,
  response: z.string(),
  file: ['text/csv; charset=utf-8', 'application/x-ofx'],
  refusals: ['PERIOD_INVALID', 'EXPORT_TOO_LONG'],
  isExtension: true,
});

export const getReserves = endpoint({
  name: 'getReserves',
  method: 'GET',
  path: '/authed/reserves',
  access: 'session',
  tag: 'Conta',
  summary: 'O que está retido na reserva, pelo dia em que é liberado.',
  response: reserveSchedule,
  refusals: [],
  isExtension: true,
});

// The operator's view of the bank

/** A discrepancy that the operator examines and closes with evidence. */
export const openItem = z.object({
  id: z.string(),
  kind: z.string(),
  /** The id, ours or the bank's, of what the discrepancy is about. */
  reference: z.string(),
  user_id: z.nullable(z.string()),
  detail: z.record(z.string(), z.unknown()),
  opened_at: moment,
  closed_at: z.nullable(moment),
  evidence: z.nullable(z.string()),
});

export const adminOpenItems = endpoint({
  name: 'adminOpenItems',
  method: 'GET',
  path: '/admin/open-items',
  access: 'staff',
  ability: 'read-operations',
  tag: 'Administração',
  summary: 'O que o operador precisa olhar: diferenças com o banco, desfechos desconhecidos, alarmes.',
  query: z.object({
    closed: z._default(z.stringbool(), false),
    page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1),
  }),
  response: z.object({ items: z.array(openItem), total: z.int(), page: z.int(), limit: z.int() }),
  refusals: [],
  isExtension: true,
});

export const adminCloseItem = endpoint({
  name: 'adminCloseItem',
  method: 'POST',
  path: '/admin/open-items/{id}/close',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Encerra um item, com a prova do que foi visto.',
  params: z.object({ id: z.uuid() }),
  body: z.object({
    evidence: z
      .string({ error: 'Descreva o que foi visto.' })
      .check(z.trim(), z.minLength(10, 'Descreva o que foi visto.'), z.maxLength(1000)),
  }),
  response: openItem,
  refusals: ['NOT_FOUND', 'ITEM_CLOSED', 'ITEM_STANDS', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

/**
 * A change of the bank account other than Pix, recorded by the operator:
 * - `tariff`: the bank charged for its services
 * - `fees-taken`: the operator withdrew fees that the platform earned
 * - `top-up`: the operator added money
 */
export const bankMovement = z.object({
  id: z.string(),
  kind: z.enum(['tariff', 'fees-taken', 'top-up']),
  amount: brl,
  description: z.string(),
  happened_at: moment,
  recorded_at: moment,
});

export const adminBankMovements = endpoint({
  name: 'adminBankMovements',
  method: 'GET',
  path: '/admin/bank-movements',
  access: 'staff',
  ability: 'read-operations',
  tag: 'Administração',
  summary: 'O que se moveu na conta do banco além de Pix, como o operador registrou.',
  query: z.object({ page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1) }),
  response: z.object({
    movements: z.array(bankMovement),
    total: z.int(),
    page: z.int(),
    limit: z.int(),
    /** The fees, in BRL, that the platform earned and the operator has not yet withdrawn from the bank account. */
    fees_balance: brlSum,
  }),
  refusals: [],
  isExtension: true,
});

export const adminRecordBankMovement = endpoint({
  name: 'adminRecordBankMovement',
  method: 'POST',
  path: '/admin/bank-movements',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Registra uma tarifa do banco, uma retirada das tarifas ganhas ou um aporte do operador.',
  body: z.object({
    kind: z.enum(['tariff', 'fees-taken', 'top-up'], { error: 'O tipo é tariff, fees-taken ou top-up.' }),
    amount: positiveBrl,
    description: z
      .string({ error: 'Descreva o movimento.' })
      .check(z.trim(), z.minLength(3, 'Descreva o movimento.'), z.maxLength(300)),
    happened_at: z.optional(moment),
  }),
  status: 201,
  response: bankMovement,
  refusals: ['AMOUNT_INVALID', 'STEP_UP_REQUIRED'],
  stepUp: true,
  idempotent: true,
  isExtension: true,
});

export const adminReconciliation = endpoint({
  name: 'adminReconciliation',
  method: 'GET',
  path: '/admin/reconciliation',
  access: 'staff',
  ability: 'read-operations',
  tag: 'Administração',
  summary: 'Os dias comparados com o extrato do banco.',
  response: z.object({
    days: z.array(
      z.object({
        day: z.iso.date(),
        compared_at: moment,
        received: brlSum,
        returned: brlSum,
        sent: brlSum,
        differences: z.int(),
      }),
    ),
    /**
     * The latest comparison of the bank balance with the books. Null before the first comparison, and also after a
     * movement was recorded, until the next comparison takes that movement into account.
     */
    balance: z.nullable(
      z.object({
        compared_at: moment,
        /** The bank balance less the balance in our books; null if money moved too often for a comparison. */
        difference: z.nullable(brlSum),
      }),
    ),
  }),
  refusals: [],
  isExtension: true,
});

/* @__PURE__ */
export const statementEndpoints = [
  getStatement,
  exportStatement,
  getReserves,
  adminOpenItems,
  adminCloseItem,
  adminBankMovements,
  adminRecordBankMovement,
  adminReconciliation,
] as const;
