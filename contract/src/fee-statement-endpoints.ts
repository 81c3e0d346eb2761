// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import {
  adminFeeStatement,
  adminFeeStatementsPage,
  adminFeeStatementsQuery,
  feeStatementDetail,
  feeStatementPayment,
  feeStatementPix,
  feeStatementsPage,
  feeStatementsQuery,
} from './fee-statement.ts';

const idParams = z.object({ id: z.uuid() });

export const listFeeStatements = endpoint({
  name: 'listFeeStatements',
  method: 'GET',
  isBatchable: true,
  path: '/authed/fee-statements',
  access: 'session',
  permission: 'read-money',
  tag: 'Tarifas',
  summary: 'As faturas mensais de tarifas, da mais nova para a mais antiga, e o mês que ainda corre.',
  query: feeStatementsQuery,
  response: feeStatementsPage,
  refusals: [],
  isExtension: true,
});

export const getFeeStatement = endpoint({
  name: 'getFeeStatement',
  method: 'GET',
  path: '/authed/fee-statements/{id}',
  access: 'session',
  permission: 'read-money',
  tag: 'Tarifas',
  summary: 'Uma fatura de tarifas, dia a dia, com o código para pagar, se houver um válido.',
  params: idParams,
  response: feeStatementDetail,
  refusals: ['FEE_STATEMENT_NOT_FOUND'],
  isExtension: true,
});

/** A CSV file has the form that spreadsheets in Brazil open: a BOM, semicolons and decimal commas. */
export const exportFeeStatement = endpoint({
  name: 'exportFeeStatement',
  method: 'GET',
  path: '/authed/fee-statements/{id}/export/{format}',
  access: 'session',
  permission: 'read-money',
  tag: 'Tarifas',
  summary: 'Uma fatura de tarifas em CSV ou PDF.',
  params: z.object({ id: z.uuid(), format: z.enum(['csv', 'pdf']) }),
  response: z.string(),
  file: ['text/csv; charset=utf-8', 'application/pdf'],
  refusals: ['FEE_STATEMENT_NOT_FOUND'],
  isExtension: true,
});

export const payFeeStatement = endpoint({
  name: 'payFeeStatement',
  method: 'POST',
  path: '/authed/fee-statements/{id}/pix',
  access: 'session',
  permission: 'pay-fees',
  tag: 'Tarifas',
  summary: 'O Pix copia e cola para pagar uma fatura. O mesmo código volta enquanto valer.',
  params: idParams,
  response: feeStatementPix,
  refusals: ['FEE_STATEMENT_NOT_FOUND', 'FEE_STATEMENT_PAID', 'PAYMENT_PROCESSING_ERROR'],
  isExtension: true,
});

export const adminFeeStatements = endpoint({
  name: 'adminFeeStatements',
  method: 'GET',
  path: '/admin/fee-statements',
  access: 'staff',
  ability: 'read-operations',
  tag: 'Administração',
  summary: 'As faturas de tarifas dos lojistas com conta própria, do mês mais novo para o mais antigo.',
  query: adminFeeStatementsQuery,
  response: adminFeeStatementsPage,
  refusals: [],
  isExtension: true,
});

export const adminMarkFeeStatementPaid = endpoint({
  name: 'adminMarkFeeStatementPaid',
  method: 'POST',
  path: '/admin/fee-statements/{id}/paid',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Marca uma fatura como paga por outro meio, fora da conta do gateway no banco.',
  params: idParams,
  body: feeStatementPayment,
  response: adminFeeStatement,
  refusals: ['FEE_STATEMENT_NOT_FOUND', 'FEE_STATEMENT_PAID', 'OWN_ACCOUNT', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const feeStatementEndpoints = [
  listFeeStatements,
  getFeeStatement,
  exportFeeStatement,
  payFeeStatement,
  adminFeeStatements,
  adminMarkFeeStatementPaid,
] as const;
