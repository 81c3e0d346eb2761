import { randomBytes } from 'node:crypto';
import { enterAccount, type MemberRole } from '@jangada/contract';
import { inTransaction } from '../src/db/transaction.ts';
import { createAccount } from '../src/identity/index.ts';
import { openSession } from '../src/identity/open-session.ts';
import type { TestGateway } from './gateway.ts';
import { cheapPasswordHash, givenPassword, parseSuccess } from './given.ts';
import { newClientInfo } from './people.ts';
import { randomCpf } from './random-cpf.ts';

export type GivenMember = {
  readonly id: number;
  readonly email: string;
  readonly username: string;
  readonly password: string;
  /** A session that acts for the account of which the person is a member. */
  readonly token: string;
};

export type MemberLimits = { readonly refundCents?: number; readonly withdrawalCents?: number };

/** Somebody with an account of their own, who is signed in there. */
export async function givenNewcomer({ deps }: TestGateway): Promise<GivenMember> {
  const mark = randomBytes(6).toString('hex');
  const person = { username: `gente-${mark}`, email: `gente-${mark}@example.com`, name: 'Beatriz Nogueira' };
  const passwordHash = await cheapPasswordHash();
  return inTransaction(deps, async (tx) => {
    const id = await createAccount(tx, { ...person, document: randomCpf(), docType: 'CPF', passwordHash });
    const token = await openSession(tx, id, newClientInfo());
    return { ...person, id, password: givenPassword, token };
  });
}

/** Makes a person a member of an account, without an invitation. */
export async function addMember(
  { deps }: TestGateway,
  accountId: number,
  {
    id,
    role,
    limits = {},
  }: { readonly id: number; readonly role: MemberRole; readonly limits?: MemberLimits },
): Promise<void> {
  await deps.db
    .insertInto('members')
    .values({
      merchant_id: accountId,
      user_id: id,
      role,
      refund_limit_cents: limits.refundCents ?? null,
      withdrawal_limit_cents: limits.withdrawalCents ?? null,
      added_at: deps.clock.now(),
      added_by: accountId,
    })
    .execute();
}

/** Lets the session of a person act for an account. */
export async function enter(gateway: TestGateway, token: string, accountId: number): Promise<void> {
  const body = { account_id: String(accountId) };
  parseSuccess(enterAccount.response, await gateway.api('POST', '/authed/accounts/enter', body, { token }));
}

/** A member of an account, whose session acts for it. */
export async function givenMember(
  gateway: TestGateway,
  accountId: number,
  role: MemberRole,
  limits: MemberLimits = {},
): Promise<GivenMember> {
  const person = await givenNewcomer(gateway);
  await addMember(gateway, accountId, { id: person.id, role, limits });
  await enter(gateway, person.token, accountId);
  return person;
}
