import { getStatement, type StatementLine } from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenMerchant,
  givenBalance,
  givenMerchant,
  givenPin,
  givenWithdrawal,
  parseSuccess,
} from '../../test/given.ts';
import { backgroundLoops } from '../background-work.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  merchant = await givenMerchant(gateway);
  await givenPin(gateway, merchant);
});
afterAll(() => gateway.stop());

/** Runs all background work until nothing is pending, and moves the clock meanwhile. */
async function runUntilSettled(): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    for (const { work } of backgroundLoops) await work(gateway.deps);
    const { rows } = await sql<{ open: number }>`
      select (select count(*) from bank_hints)
           + (select count(*) from withdrawals where status in ('pending', 'processing'))
           + (select count(*) from refunds where status = 'processing') as open`.execute(gateway.deps.db);
    if (Number(rows[0]?.open) === 0) return;
    await gateway.advance(1);
  }
  throw new Error('something stays pending');
}

async function readLines(account: string): Promise<StatementLine[]> {
  const response = await gateway.api('GET', `/authed/statement?account=${account}`, undefined, merchant);
  return parseSuccess(getStatement.response, response).lines;
}

const descriptionAndSubject = ({ description, subject_type, subject_id }: StatementLine) => [
  description,
  subject_type,
  subject_id,
];

test('a line leads to its payment, withdrawal or dispute', async () => {
  const paid = await givenBalance(gateway, merchant, 100);
  const contested = await givenBalance(gateway, merchant, 80);
  const refundRequest = { amount: 10, reason: 'Troca' };
  await gateway.api('POST', `/pix/${paid.chargeId}/refund`, refundRequest, { apiKey: merchant.apiKey });
  await runUntilSettled();
  await gateway.bank.setBehaviour({ payouts: 'returned' });
  const withdrawal = await givenWithdrawal(gateway, merchant, { amount: 20 });
  await runUntilSettled();
  await gateway.advance(120);
  await runUntilSettled();
  const bankDispute = await gateway.bank.openDispute({ endToEndId: contested.endToEndId });
  await runUntilSettled();
  const { id: dispute } = await gateway.deps.db.selectFrom('disputes').select('id').executeTakeFirstOrThrow();
  await gateway.bank.resolveDispute(bankDispute, { accepted: true, returnSeconds: 0 });
  await gateway.advance(120);
  await runUntilSettled();

  const payeeAndFee = ': maria@example.com, tarifa de R$\u00a01,50';
  expect((await readLines('available')).map(descriptionAndSubject)).toEqual([
    ['Valor bloqueado por disputa', 'dispute', dispute],
    [`Saque devolvido pelo banco${payeeAndFee}`, 'withdrawal', withdrawal.id],
    [`Saque solicitado${payeeAndFee}`, 'withdrawal', withdrawal.id],
    ['Estorno solicitado', 'payment', paid.chargeId],
    ['Pagamento recebido', 'payment', contested.chargeId],
    ['Pagamento recebido', 'payment', paid.chargeId],
  ]);
  expect((await readLines('blocked')).map(descriptionAndSubject)).toEqual([
    ['Disputa perdida: devolvido ao pagador', 'payment', contested.chargeId],
    ['Valor bloqueado por disputa', 'dispute', dispute],
  ]);
});
