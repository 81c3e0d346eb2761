// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { staffApprovalRefusals } from './approval-errors.ts';
import { endpoint } from './endpoint.ts';
import { brl, brlSum, positiveBrl } from './money.ts';
import { reserveSchedule, statement, statementExportQuery, statementQuery } from './statement.ts';
import { moment } from './user.ts';

export const getStatement = endpoint({
  name: 'getStatement',
  method: 'GET',
  isBatchable: true,
  path: '/authed/statement',
  access: 'session',
  permission: 'read-money',
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
  permission: 'read-money',
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
  isBatchable: true,
  path: '/authed/reserves',
  access: 'session',
  permission: 'read-money',
  tag: 'Conta',
  summary: 'O que está retido na reserva, pelo dia em que é liberado.',
  response: reserveSchedule,
  refusals: [],
  isExtension: true,
});

// The operator's view of the bank

/**
 * A discrepancy that the operator must examine: for example, the bank's records differ from ours, the outcome of an
 * order to the bank is unknown, or the bank balance is too low. An administrator closes the item with evidence, or the
 * gateway closes it once the cause is gone; a closed one is still called an open item.
 */
export const openItem = z.object({
  id: z.string(),
  /** Such as `withdrawal-in-doubt` or `balance-differs`. */
  kind: z.string(),
  /** The id, ours or the bank's, of what the discrepancy is about. */
  reference: z.string(),
  /** Null if the item concerns no particular merchant. */
  user_id: z.nullable(z.string()),
  /** The facts that the operator needs. Amounts in integer cents. */
  detail: z.record(z.string(), z.unknown()),
  opened_at: moment,
  /** This and `evidence` are null until the item is closed. */
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
    /** Whether to list the closed items, instead of those that are still open. */
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
  // ITEM_STANDS: our records show that the cause still exists, such as a withdrawal that is still unfinished.
  refusals: ['NOT_FOUND', 'ITEM_CLOSED', 'ITEM_STANDS', 'STEP_UP_REQUIRED', ...staffApprovalRefusals],
  stepUp: true,
  isExtension: true,
});

/**
 * A movement of money in the bank account that is not a Pix payment; the operator records it:
 * - `tariff`: the bank charged for its services
 * - `fees-taken`: the operator took money that the platform had earned in fees
 * - `top-up`: the operator added money
 */
export const bankMovement = z.object({
  id: z.string(),
  kind: z.enum(['tariff', 'fees-taken', 'top-up']),
  /** Always positive: the kind says whether the money left the account (`tariff`, `fees-taken`) or came in. */
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
    /**
     * The platform's own money in the bank account, in BRL: the fees that it earned, less tariffs and fees taken, plus
     * top-ups. May be negative.
     */
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
    /** By default the time of the call. */
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
        /** The sum of the Pix that the bank account received on this day. */
        received: brlSum,
        /** The part of `received` that has gone back to the payers, on this day or later. */
        returned: brlSum,
        /** The sum of the payouts that were requested on this day and that the bank completed. */
        sent: brlSum,
        /** How many differences from our records no administrator has explained. */
        differences: z.int(),
      }),
    ),
    /**
     * The latest comparison of the bank balance with the books. Null while no comparison covers every recorded bank
     * movement: before the first comparison, and from each new movement to the next comparison.
     */
    balance: z.nullable(
      z.object({
        compared_at: moment,
        /** The bank balance less the balance in our books; null if money kept moving during the comparison. */
        difference: z.nullable(brlSum),
      }),
    ),
  }),
  refusals: [],
  isExtension: true,
});

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
