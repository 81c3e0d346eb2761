import { randomBytes } from 'node:crypto';
import {
  type FeeStatement,
  getFeeStatement,
  listFeeStatements,
  login,
  payFeeStatement,
} from '@jangada/contract';
import { calendarDayOf, daysAfter, startOfDay } from '../src/calendar-day.ts';
import type { Clock } from '../src/clock.ts';
import type { Db } from '../src/db/pool.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { closeFeeStatements } from '../src/fee-statements/index.ts';
import { readMerchant } from '../src/identity/index.ts';
import { invariant } from '../src/invariant.ts';
import { newChargeIds } from '../src/payments/bank-ids.ts';
import { buildChargeForPix } from '../src/payments/credit-counters.ts';
import { settleReceived } from '../src/payments/index.ts';
import { insertCharge } from '../src/payments/store.ts';
import type { Connection } from '../src/psp/index.ts';
import { insertConnection } from './connection-row.ts';
import type { TestGateway } from './gateway.ts';
import { type GivenMerchant, type GivenMerchantOptions, givenMerchant, parseSuccess } from './given.ts';

/** An account of a merchant's own, whose bank no test reaches. */
export type OwnAccount = { readonly merchantId: number; readonly connection: Connection };

/** Fees of 0.99 % and 20 centavos for a payment, and R$ 1.50 for a withdrawal. */
const ownTerms = {
  taxes: {
    pix: { in: 0.99, out: 0, fixIn: 0.2, fixOut: 1.5 },
    crypto: 0,
    reserve: { enabled: false, percentage: 0, liberationTime: 0 },
  },
};

/** A signed-in merchant who is paid into an account of their own. */
export async function givenDirectMerchant(
  gateway: TestGateway,
  options: GivenMerchantOptions = {},
): Promise<GivenMerchant & { readonly account: OwnAccount }> {
  const merchant = await givenMerchant(gateway, { ...options, account: { ...ownTerms, ...options.account } });
  return { ...merchant, account: await givenOwnAccount(gateway.deps.db, merchant.id) };
}

export async function givenOwnAccount(db: Db, merchantId: number): Promise<OwnAccount> {
  const pixKey = `${randomBytes(6).toString('hex')}@example.com`;
  return { merchantId, connection: { id: await insertConnection(db, merchantId, pixKey), pixKey } };
}

/** Settles a payment in an account of the merchant's own, under the merchant's terms. Returns the fee in cents. */
export async function receiveOwn(
  deps: { readonly db: Db; readonly clock: Clock },
  { merchantId, connection }: OwnAccount,
  amountCents: number,
): Promise<number> {
  const merchant = await readMerchant(deps.db, merchantId);
  invariant(merchant !== undefined, 'a merchant that was stored');
  const now = deps.clock.now();
  const charge = {
    ...buildChargeForPix(merchant, amountCents, now),
    ...newChargeIds(merchantId, now),
    connectionId: connection.id,
    reserveCents: 0,
    reserveDays: 0,
  };
  await insertCharge({ db: deps.db, now }, { charge, terms: merchant, nextCheckAt: now });
  const pix = {
    endToEndId: `E${randomBytes(15).toString('hex')}`,
    amountCents,
    paidAt: now,
    txid: charge.txid,
    pixKey: connection.pixKey,
    returns: [],
  };
  await inTransaction(deps, (tx) => settleReceived(tx, [pix], connection));
  return charge.feeCents;
}

/** The same gateway at another time, for work that a test wants to have happened then. */
export function at<D extends { readonly clock: Clock }>(deps: D, moment: Date): D {
  return { ...deps, clock: { ...deps.clock, now: () => moment } };
}

/** Moves the clocks to half past midnight of the first day of the next month in Brasília. */
export async function advanceToNextMonth(gateway: TestGateway): Promise<void> {
  const now = gateway.deps.clock.now();
  const firstDay = `${daysAfter(`${calendarDayOf(now).slice(0, 7)}-01`, 31).slice(0, 7)}-01`;
  await gateway.advance(Math.ceil((startOfDay(firstDay).getTime() - now.getTime()) / 1000) + 1800);
}

/** The merchant with a new session, because sessions end while the clock is moved by weeks. */
export async function signInAgain<M extends GivenMerchant>(gateway: TestGateway, merchant: M): Promise<M> {
  const { username, password } = merchant;
  const answer = await gateway.api('POST', '/login', { username, password });
  return { ...merchant, token: parseSuccess(login.response, answer).token };
}

type Token = Pick<GivenMerchant, 'token'>;

export async function listStatementsOf(gateway: TestGateway, { token }: Token) {
  return parseSuccess(
    listFeeStatements.response,
    await gateway.api('GET', '/authed/fee-statements', undefined, { token }),
  );
}

export async function readStatement(gateway: TestGateway, { token }: Token, id: string) {
  return parseSuccess(
    getFeeStatement.response,
    await gateway.api('GET', `/authed/fee-statements/${id}`, undefined, { token }),
  );
}

/** The code by which a statement is paid. */
export async function makePix(gateway: TestGateway, { token }: Token, { id }: Pick<FeeStatement, 'id'>) {
  return parseSuccess(
    payFeeStatement.response,
    await gateway.api('POST', `/authed/fee-statements/${id}/pix`, undefined, { token }),
  );
}

/** A merchant with an account of their own, and the statement of a month in which one payment of R$ 100 arrived. */
export async function givenClosedStatement(gateway: TestGateway) {
  const newcomer = await givenDirectMerchant(gateway);
  const feeCents = await receiveOwn(gateway.deps, newcomer.account, 100_00);
  await advanceToNextMonth(gateway);
  await closeFeeStatements(gateway.deps);
  const merchant = await signInAgain(gateway, newcomer);
  const [statement] = (await listStatementsOf(gateway, merchant)).statements;
  invariant(statement !== undefined, 'the month was closed');
  return { merchant, statement, feeCents };
}

/**
 * A statement of last month's fees of a merchant who had none, and who now has an account of their own. Nothing else of
 * the merchant changes, and the clock stays. Returns its id.
 */
export async function givenStatementOf({ deps }: TestGateway, merchantId: number): Promise<string> {
  const account = await givenOwnAccount(deps.db, merchantId);
  const setFee = (cents: number) =>
    deps.db.updateTable('users').set({ fix_in_cents: cents }).where('id', '=', merchantId).execute();
  const lastMonth = new Date(
    startOfDay(`${calendarDayOf(deps.clock.now()).slice(0, 7)}-01`).getTime() - 3_600_000,
  );
  const { fix_in_cents: feeCents } = await deps.db
    .selectFrom('users')
    .select('fix_in_cents')
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow();
  await setFee(80);
  await receiveOwn(at(deps, lastMonth), account, 100_00);
  await setFee(feeCents);
  await closeFeeStatements(deps);
  const { id } = await deps.db
    .selectFrom('fee_statements')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return id;
}
