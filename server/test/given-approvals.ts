import {
  type ApprovalDetail,
  approvalOptions,
  approve,
  listApprovals,
  type MemberRole,
  type PixKeyTypeName,
  setApprovalPolicy,
} from '@jangada/contract';
import type { Authenticator } from './authenticator.ts';
import type { ApiAnswer, TestGateway } from './gateway.ts';
import { defaultPin, type GivenMerchant, parseSuccess } from './given.ts';
import { givenPasskey } from './given-factor.ts';
import { type GivenMember, givenMember } from './given-member.ts';

/** Somebody who approves with a passkey. */
export type GivenApprover = GivenMember & {
  readonly passkey: Authenticator & { readonly passkeyId: string };
};

/** A member of an account with a passkey. */
export async function givenApprover(
  gateway: TestGateway,
  accountId: number,
  role: MemberRole = 'finance',
): Promise<GivenApprover> {
  const member = await givenMember(gateway, accountId, role);
  return { ...member, passkey: await givenPasskey(gateway, member) };
}

export type PolicyTerms = {
  readonly from?: number;
  readonly approvals?: number;
  readonly expires_hours?: number;
  readonly passkeys_only?: boolean;
};

/** Switches the policy of the owner's account on; the owner needs a factor that was given a moment ago. */
export async function givenPolicy(
  gateway: TestGateway,
  owner: { readonly token: string },
  terms: PolicyTerms = {},
): Promise<void> {
  const body = { enabled: true, ...terms };
  const answer = await gateway.api('PUT', '/authed/approval-policy', body, { token: owner.token });
  parseSuccess(setApprovalPolicy.response, answer);
}

/** An account with an owner who has a passkey, other approvers, and a policy. */
export async function givenPolicyAccount(
  gateway: TestGateway,
  owner: GivenMerchant,
  { others = 1, ...terms }: PolicyTerms & { readonly others?: number } = {},
): Promise<{
  readonly owner: GivenMerchant & { readonly passkey: GivenApprover['passkey'] };
  readonly approvers: GivenApprover[];
}> {
  const passkey = await givenPasskey(gateway, owner);
  const approvers: GivenApprover[] = [];
  for (let index = 0; index < others; index += 1) approvers.push(await givenApprover(gateway, owner.id));
  await givenPolicy(gateway, owner, terms);
  return { owner: { ...owner, passkey }, approvers };
}

export function askWithdrawal(
  gateway: TestGateway,
  { token }: { readonly token: string },
  amount: number,
  pixKey = 'maria@example.com',
  pix_key_type: PixKeyTypeName = 'email',
): Promise<ApiAnswer> {
  const body = { amount, pixKey, pix_key_type, withdrawal_pin: defaultPin };
  return gateway.api('POST', '/authed/withdraw', body, { token });
}

/** The requests of an account that wait. */
export async function openRequests(gateway: TestGateway, { token }: { readonly token: string }) {
  const answer = await gateway.api('GET', '/authed/approvals', undefined, { token });
  return parseSuccess(listApprovals.response, answer);
}

/** The only request that waits. */
export async function onlyRequest(gateway: TestGateway, person: { readonly token: string }) {
  const { open } = await openRequests(gateway, person);
  const [request] = open;
  if (request === undefined || open.length > 1) throw new Error(`${open.length} requests wait`);
  return request;
}

/** The signature of a person over a request, without sending it. */
export async function signRequest(
  gateway: TestGateway,
  { token, passkey }: Pick<GivenApprover, 'token' | 'passkey'>,
  id: string,
): Promise<Record<string, unknown>> {
  const answer = await gateway.api('POST', `/authed/approvals/${id}/options`, {}, { token });
  const { options } = parseSuccess(approvalOptions.response, answer);
  if (typeof options?.['challenge'] !== 'string') throw new Error('no passkey may sign');
  return passkey.get({ ...options, challenge: options['challenge'] });
}

/** Sends the approval of a person. */
export async function tryApprove(
  gateway: TestGateway,
  person: Pick<GivenApprover, 'token' | 'passkey'>,
  id: string,
): Promise<ApiAnswer> {
  const credential = await signRequest(gateway, person, id);
  return gateway.api('POST', `/authed/approvals/${id}/approve`, { credential }, { token: person.token });
}

export async function approveAs(
  gateway: TestGateway,
  person: Pick<GivenApprover, 'token' | 'passkey'>,
  id: string,
): Promise<ApprovalDetail> {
  return parseSuccess(approve.response, await tryApprove(gateway, person, id)).approval;
}
