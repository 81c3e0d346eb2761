import {
  adminFeeStatements,
  adminMarkFeeStatementPaid,
  getFeeStatement,
  listFeeStatements,
  ownBank,
  payFeeStatement,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { paidIntoOwnBank } from '../../web/src/testing/connection-samples.ts';
import {
  adminFeesPageOf,
  detailOf,
  feePix,
  feesPageOf,
  ofMerchant,
  openStatement,
  overdueStatement,
  paidStatement,
} from '../../web/src/testing/fee-samples.ts';
import { admin, LONG, openDetails, skeleton, withStubs } from './admin.ts';
import { answer, fail, refuse, type Screen, type StubbedCall, stall } from './screen.ts';

const direct = answer(ownBank, paidIntoOwnBank);
type Options = Partial<Omit<Screen, 'name' | 'visitor' | 'path' | 'shows'>>;
const fees = (
  name: string,
  path: string,
  shows: Screen['shows'],
  stubs: readonly StubbedCall[],
  options: Options = {},
): Screen => ({
  name: `fees${name}`,
  visitor: 'merchant',
  path,
  shows,
  stubs: [direct, ...stubs],
  ...options,
});
const PATH = '/fees';
const pathOf = ({ id }: { id: string }) => `${PATH}?id=${id}`;
const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click();
const manyDays = Array.from({ length: 30 }, (_, index) => ({
  day: `2026-11-${String(index + 1).padStart(2, '0')}`,
  fees: 1 + ((index * 37) % 400),
  amount: (100 + ((index * 911) % 40_000)) / 100,
}));
const all = [openStatement, overdueStatement, paidStatement];

/** The screens of the fees of a merchant who is paid into own accounts, in their states. */
export const merchantFees: readonly Screen[] = [
  fees('', PATH, 'Dezembro de 2026 até agora', [answer(listFeeStatements, feesPageOf(all, { total: 30 }))]),
  fees('-stopped', PATH, 'Novas cobranças paradas.', [
    answer(listFeeStatements, feesPageOf(all, { stops_charges: true })),
  ]),
  fees('-empty', PATH, 'Nenhuma fatura ainda', [answer(listFeeStatements, feesPageOf([]))]),
  fees('-empty-pooled', PATH, /são descontadas na hora/, [
    answer(ownBank, { ...paidIntoOwnBank, is_paid_into_own: false, has_own_accounts: false }),
    answer(
      listFeeStatements,
      feesPageOf([], { running: { month: '2026-12', fees: 0, amount: 0, days: [] } }),
    ),
  ]),
  fees('-loading', PATH, (page) => page.locator('main .skeleton'), [stall(listFeeStatements)], {
    isLoading: true,
  }),
  fees('-error', PATH, 'Erro ao buscar as faturas', [fail(listFeeStatements)]),
  fees('-statement', pathOf(openStatement), 'Gerar código Pix', [
    answer(getFeeStatement, { ...detailOf(openStatement), days: manyDays }),
  ]),
  fees('-statement-code', pathOf(overdueStatement), 'Copiar código Pix', [
    answer(getFeeStatement, detailOf(overdueStatement, feePix())),
  ]),
  fees(
    '-statement-refused',
    pathOf(openStatement),
    /O banco não confirmou/,
    [answer(getFeeStatement, detailOf(openStatement)), refuse(payFeeStatement, 'PAYMENT_PROCESSING_ERROR')],
    { steps: press('Gerar código Pix') },
  ),
  fees('-statement-paid', pathOf(paidStatement), 'Paga por Pix.', [
    answer(getFeeStatement, detailOf(paidStatement)),
  ]),
  fees('-statement-paid-elsewhere', pathOf(paidStatement), /por outro meio/, [
    answer(
      getFeeStatement,
      detailOf({
        ...paidStatement,
        end_to_end_id: null,
        paid_reference: 'TED 4711 de 03/12/2026, do Banco da Praça da Conceição',
      }),
    ),
  ]),
  fees(
    '-statement-loading',
    pathOf(openStatement),
    (page) => page.locator('main .skeleton'),
    [stall(getFeeStatement)],
    { isLoading: true },
  ),
  fees('-statement-not-there', pathOf(openStatement), 'Fatura não encontrada.', [
    refuse(getFeeStatement, 'FEE_STATEMENT_NOT_FOUND'),
  ]),
  fees('-statement-error', pathOf(openStatement), 'Erro ao buscar a fatura', [fail(getFeeStatement)]),
];

const ADMIN_PATH = '/admin/fee-statements';
const adminAll = [
  ofMerchant(openStatement, LONG),
  ofMerchant(overdueStatement),
  ofMerchant(paidStatement, LONG),
];
const list = answer(adminFeeStatements, adminFeesPageOf(adminAll, { total: 45 }));
const openMarking = async (page: Page) => {
  await openDetails(page);
  await page.getByRole('button', { name: 'Marcar como paga' }).click();
};

/** The administrators' screens of all fee statements, in their states. */
export const adminFees: readonly Screen[] = [
  admin('fees', ADMIN_PATH, /1–3 de 45/, withStubs(list)),
  admin(
    'fees-empty',
    ADMIN_PATH,
    'Nenhuma fatura ainda',
    withStubs(answer(adminFeeStatements, adminFeesPageOf([], { open_amount: 0 }))),
  ),
  admin(
    'fees-no-result',
    `${ADMIN_PATH}?status=overdue&search=zzz`,
    'Limpar filtros',
    withStubs(answer(adminFeeStatements, adminFeesPageOf([]))),
  ),
  admin('fees-loading', ADMIN_PATH, skeleton, { ...withStubs(stall(adminFeeStatements)), isLoading: true }),
  admin('fees-error', ADMIN_PATH, 'Erro ao buscar as faturas.', withStubs(fail(adminFeeStatements))),
  admin('fees-detail', ADMIN_PATH, 'Novas cobranças param em', { ...withStubs(list), steps: openDetails }),
  admin('fees-mark-paid', ADMIN_PATH, /Diga como foi pago/, {
    ...withStubs(list, fail(adminMarkFeeStatementPaid)),
    steps: async (page) => {
      await openMarking(page);
      await page.getByRole('button', { name: 'Marcar como paga' }).click();
    },
  }),
  admin('fees-mark-refused', ADMIN_PATH, 'Esta fatura de tarifas já está paga.', {
    ...withStubs(list, refuse(adminMarkFeeStatementPaid, 'FEE_STATEMENT_PAID')),
    steps: async (page) => {
      await openMarking(page);
      await page.getByLabel('Referência do pagamento').fill('TED 4711 de 03/12');
      await page.getByRole('button', { name: 'Marcar como paga' }).click();
    },
  }),
];
