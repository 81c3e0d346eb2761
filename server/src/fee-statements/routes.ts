import {
  adminFeeStatements,
  adminMarkFeeStatementPaid,
  brlFromCents,
  exportFeeStatement,
  getFeeStatement,
  listFeeStatements,
  payFeeStatement,
} from '@jangada/contract';
import { calendarDayOf } from '../calendar-day.ts';
import type { Deps } from '../deps.ts';
import { FileResponse } from '../http/file-response.ts';
import { type Route, route } from '../http/route.ts';
import { readMerchant, requireFactor } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { Refusal } from '../refusal.ts';
import { listAllStatements, readMerchantOf } from './admin-list.ts';
import { findValidCharge } from './charge-store.ts';
import { readDueFees } from './due-fees-store.ts';
import { formatStatementCsv } from './export-csv.ts';
import { formatStatementPdf } from './export-pdf.ts';
import { monthOf, type StoredFeeStatement, sumCents, sumFees } from './fee-statement.ts';
import { makeStatementCharge } from './make-charge.ts';
import { markStatementPaidByOperator } from './mark-paid.ts';
import type { StatementDocument } from './statement-document.ts';
import { toDayResponse, toPixResponse, toStatementResponse } from './statement-response.ts';
import { findStatement, listStatementDays, listStatements } from './store.ts';
import { feesAreOverdue } from './warn-overdue.ts';

export function feeStatementRoutes(deps: Deps): Route[] {
  const { db } = deps;
  return [
    route(listFeeStatements, async ({ query: { page, pageSize }, caller }) => {
      const today = calendarDayOf(deps.clock.now());
      const [{ statements, total, openCents, oldestOpen }, stops, { unclosedDays }] = await Promise.all([
        listStatements(db, caller.accountId, { limit: pageSize, offset: (page - 1) * pageSize }),
        feesAreOverdue(deps, caller.accountId),
        readDueFees(db, caller.accountId),
      ]);
      return {
        statements: statements.map((statement) => toStatementResponse(statement, shownOn(deps))),
        total,
        page,
        limit: pageSize,
        open_amount: brlFromCents(openCents),
        oldest_open: oldestOpen === undefined ? null : toStatementResponse(oldestOpen, shownOn(deps)),
        stops_charges: stops,
        running: {
          month: monthOf(today),
          fees: sumFees(unclosedDays),
          amount: brlFromCents(sumCents(unclosedDays)),
          days: unclosedDays.map(toDayResponse),
        },
      };
    }),
    route(getFeeStatement, async ({ params, caller }) => {
      const statement = await findOrRefuse(deps, caller.accountId, params.id);
      const { days, charge } = await readParts(deps, statement);
      return {
        ...toStatementResponse(statement, shownOn(deps)),
        days: days.map(toDayResponse),
        pix: charge === undefined ? null : toPixResponse(charge, statement),
      };
    }),
    route(exportFeeStatement, async ({ params, caller }) => {
      const statement = await findOrRefuse(deps, caller.accountId, params.id);
      const document = await documentOf(deps, statement);
      const fileName = `fatura-de-tarifas-${statement.number}.${params.format}`;
      return params.format === 'csv'
        ? new FileResponse({
            contentType: 'text/csv; charset=utf-8',
            fileName,
            content: Buffer.from(formatStatementCsv(document)),
          })
        : new FileResponse({
            contentType: 'application/pdf',
            fileName,
            content: await formatStatementPdf(document),
          });
    }),
    route(payFeeStatement, async ({ params, caller }) => {
      const { statement, charge } = await makeStatementCharge(deps, caller.accountId, params.id);
      return toPixResponse(charge, statement);
    }),
    ...operatorRoutes(deps),
  ];
}

function operatorRoutes(deps: Deps): Route[] {
  const { db } = deps;
  return [
    route(adminFeeStatements, async ({ query }) => {
      const today = calendarDayOf(deps.clock.now());
      const { statements, total, openCents, overdue } = await listAllStatements(db, query, today);
      return {
        statements: statements.map(({ statement, merchant }) => ({
          ...toStatementResponse(statement, shownOn(deps)),
          merchant,
        })),
        total,
        page: query.page,
        limit: query.pageSize,
        open_amount: brlFromCents(openCents),
        overdue,
      };
    }),
    route(adminMarkFeeStatementPaid, async ({ params, body, caller, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      const request = { id: params.id, actorId: caller.userId, reference: body.reference };
      const statement = await markStatementPaidByOperator(deps, request);
      return {
        ...toStatementResponse(statement, shownOn(deps)),
        merchant: await readMerchantOf(db, statement),
      };
    }),
  ];
}

function shownOn({ clock, config }: Pick<Deps, 'clock' | 'config'>) {
  return { today: calendarDayOf(clock.now()), overdueDays: config.feesOverdueDays };
}

async function findOrRefuse({ db }: Deps, merchantId: number, id: string): Promise<StoredFeeStatement> {
  const statement = await findStatement(db, merchantId, id);
  if (statement === undefined) throw new Refusal('FEE_STATEMENT_NOT_FOUND');
  return statement;
}

/** The days of a statement, and the charge by which it can be paid now, if the bank has confirmed one. */
async function readParts({ db, clock }: Deps, statement: StoredFeeStatement) {
  const days = await listStatementDays(db, statement);
  const charge = statement.state === 'paid' ? undefined : await findValidCharge(db, statement, clock.now());
  return { days, charge: charge?.brCode === '' ? undefined : charge };
}

async function documentOf(deps: Deps, statement: StoredFeeStatement): Promise<StatementDocument> {
  const { days, charge } = await readParts(deps, statement);
  const merchant = await readMerchant(deps.db, statement.merchantId);
  invariant(merchant !== undefined, 'a statement without its account');
  const { publicUrl, adminEmail } = deps.config;
  return {
    statement,
    days,
    charge,
    merchant,
    operator: { host: new URL(publicUrl).host, email: adminEmail },
  };
}
