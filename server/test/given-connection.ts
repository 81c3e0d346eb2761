import type { BankConnection } from '@jangada/contract';
import { getConnection } from '@jangada/contract';
import { z } from 'zod';
import { makeChecks } from '../src/manage-connections/make-checks.ts';
import type { TestGateway } from './gateway.ts';
import { type GivenMerchant, parseSuccess } from './given.ts';

/** An account at Banco Sandbox besides the operator's, and what its owner enters to connect it. */
export type SandboxAccount = {
  readonly id: string;
  readonly key: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

const opened = z.object({
  id: z.string(),
  key: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
});

/** Opens another account at a Banco Sandbox, such as the gateway's. */
export async function openSandboxAccount(gateway: Pick<TestGateway, 'bank'>): Promise<SandboxAccount> {
  const response = await fetch(`${gateway.bank.url}/sandbox/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Empório Capibaribe', document: '11222333000181', city: 'RECIFE' }),
  });
  return opened.parse(await response.json());
}

/** The body with which a merchant enters an account. */
export function entryOf({ key, clientId, clientSecret }: SandboxAccount) {
  return { bank: 'sandbox', pix_key: key, client_id: clientId, client_secret: clientSecret };
}

/** Longer than the gateway itself lets a check take. */
const longestCheckMs = 60_000;

/** Makes the checks that were asked for, and waits until the one of this account has ended. */
export async function waitForCheck(
  gateway: TestGateway,
  { token }: Pick<GivenMerchant, 'token'>,
  id: string,
): Promise<BankConnection> {
  const givenUpAt = performance.now() + longestCheckMs;
  for (;;) {
    await makeChecks(gateway.deps);
    const response = await gateway.api('GET', `/authed/connections/${id}`, undefined, { token });
    const connection = parseSuccess(getConnection.response, response);
    if (connection.check === null || connection.check.result !== 'running') return connection;
    if (performance.now() > givenUpAt)
      throw new Error(`the check of account ${id} has not ended: ${JSON.stringify(connection.check)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** An account at Banco Sandbox that the merchant entered, checked and activated as its owner. */
export async function givenConnection(
  gateway: TestGateway,
  merchant: GivenMerchant,
  account?: SandboxAccount,
): Promise<{ readonly id: number; readonly account: SandboxAccount }> {
  const ownAccount = account ?? (await openSandboxAccount(gateway));
  const { token, password } = merchant;
  const created = await gateway.api('POST', '/authed/connections', entryOf(ownAccount), { token });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const { id } = parseSuccess(getConnection.response, { ...created, status: 200 });
  const checked = await waitForCheck(gateway, merchant, id);
  if (checked.check?.result !== 'passed') throw new Error(JSON.stringify(checked.check));
  const proof = { password };
  const path = `/authed/connections/${id}/activate`;
  parseSuccess(getConnection.response, await gateway.api('POST', path, proof, { token }));
  return { id: Number(id), account: ownAccount };
}
