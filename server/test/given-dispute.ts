import { getDispute, listDisputes } from '@jangada/contract';
import { pollDisputes, rereadDisputeList } from '../src/disputes/poll-disputes.ts';
import { processDueDisputes } from '../src/disputes/process-due-disputes.ts';
import type { TestGateway } from './gateway.ts';
import { type GivenMerchant, parseSuccess } from './given.ts';

type Token = Pick<GivenMerchant, 'token'>;

/** Has the payer dispute a payment at the bank, and waits until the gateway knows of the dispute. */
export async function givenDispute(
  gateway: TestGateway,
  merchant: Token,
  contested: { readonly endToEndId: string; readonly amountCents?: number },
) {
  const bankId = await gateway.bank.openDispute(contested);
  for (;;) {
    await pollDisputes(gateway.deps);
    // Without a hint the gateway reads disputes once a minute, and time stands still unless a test moves it.
    await rereadDisputeList(gateway.deps);
    const { disputes } = parseSuccess(
      listDisputes.response,
      await call(gateway, merchant, '/authed/disputes'),
    );
    const dispute = disputes.find(
      (one) => one.end_to_end_id === contested.endToEndId && one.status === 'open',
    );
    if (dispute !== undefined) return { ...dispute, bankId };
    // The bank's clock may be ahead of the gateway's, and the gateway lists disputes only up to its own time.
    await gateway.advance(1);
  }
}

/** A dispute as its merchant sees it. */
export async function getDisputeAsMerchant(
  gateway: TestGateway,
  merchant: Token,
  { id }: { readonly id: string },
) {
  return parseSuccess(getDispute.response, await call(gateway, merchant, `/authed/disputes/${id}`));
}

/** One pass of the background work on disputes. */
export async function processDisputes(gateway: TestGateway): Promise<void> {
  await pollDisputes(gateway.deps);
  await processDueDisputes(gateway.deps);
}

function call(gateway: TestGateway, { token }: Token, path: string) {
  return gateway.api('GET', path, undefined, { token });
}
