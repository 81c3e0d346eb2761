import { inTransaction } from '../src/db/transaction.ts';
import { invariant } from '../src/invariant.ts';
import { settleReceived } from '../src/payments/index.ts';
import type { TestGateway } from './gateway.ts';
import { type GivenMerchant, givenCharge } from './given.ts';

/** A Pix of another payer that waits for the merchant's decision, at the operator's own account. */
export async function givenHeldPix(
  gateway: TestGateway,
  merchant: GivenMerchant,
): Promise<{ id: string; chargeId: string; endToEndId: string }> {
  const { bank, deps } = gateway;
  const charge = await givenCharge(gateway, merchant, {
    amount: 25.9,
    payer: { name: 'Francisco da Silva', document: '529.982.247-25' },
    payer_rules: { other_payer: 'hold' },
  });
  const endToEndId = await bank.pay({ brCode: charge.content });
  const pix = await deps.psp.findReceivedPix(endToEndId);
  invariant(pix !== undefined, 'it was just paid');
  await inTransaction(deps, (tx) => settleReceived(tx, [pix], deps.connection));
  const { id } = await deps.db
    .selectFrom('held_pix')
    .select('id')
    .where('end_to_end_id', '=', endToEndId)
    .executeTakeFirstOrThrow();
  return { id, chargeId: charge.id, endToEndId };
}
