// The calls by which a person acts for the accounts of which they are a member, and an owner looks after the members.
import * as z from 'zod/mini';
import { approvalRefusals } from './approval-errors.ts';
import { endpoint, successResponse } from './endpoint.ts';
import { memberRole } from './members.ts';
import { brl } from './money.ts';
import { newEmail } from './registration.ts';
import { moment } from './user.ts';

/** The number of an account. */
const accountId = z
  .string({ error: 'Informe a conta.' })
  .check(z.minLength(1, 'Informe a conta.'), z.maxLength(20, 'Conta inválida.'));

/** An account of which the caller is a member, with their role in it. */
const membership = z.object({
  account_id: z.string(),
  name: z.string(),
  role: memberRole,
  /** Whether it is the account that began with the caller. */
  own: z.boolean(),
  /** Whether the caller holds it: it began with them, and was not handed over; or it was handed over to them. */
  holder: z.optional(z.boolean()),
  /** Whether this session acts for it. */
  current: z.boolean(),
  /** Whether an administrator froze it. */
  frozen: z.boolean(),
});

export const listAccounts = endpoint({
  name: 'listAccounts',
  method: 'GET',
  isBatchable: true,
  path: '/authed/accounts',
  access: 'session',
  permission: 'own',
  tag: 'Membros',
  summary: 'As contas de que a pessoa é membro, com o papel dela em cada uma.',
  response: z.object({
    accounts: z.array(membership),
    /** The account into which this session looks for the operator's support; null if it does not. */
    looking_into: z.optional(
      z.nullable(z.object({ account_id: z.string(), name: z.string(), expires_at: moment })),
    ),
  }),
  refusals: [],
  isExtension: true,
});

export const enterAccount = endpoint({
  name: 'enterAccount',
  method: 'POST',
  path: '/authed/accounts/enter',
  access: 'session',
  permission: 'own',
  tag: 'Membros',
  summary: 'Passa a agir por outra conta de que a pessoa é membro, nesta sessão.',
  body: z.object({ account_id: accountId }),
  response: z.object({ account: membership }),
  refusals: ['MEMBERSHIP_NOT_FOUND', 'ACCOUNT_FROZEN'],
  isExtension: true,
});

// Calls of an owner

/** The most that a member may move in one calendar day, in BRL; null for no limit of their own. */
const dayLimit = z.nullable(brl.check(z.refine((value) => value >= 0, 'O limite não pode ser negativo.')));

/** The role of a member, and their limits in one calendar day. An owner has none. */
const memberTerms = {
  role: z.enum(memberRole.options, { error: 'Escolha o papel.' }),
  refund_limit: z._default(dayLimit, null),
  withdrawal_limit: z._default(dayLimit, null),
};
type MemberLimits = { role: string; refund_limit: number | null; withdrawal_limit: number | null };
const ownerIsUnlimited = z.refine<MemberLimits>(
  ({ role, refund_limit, withdrawal_limit }) =>
    role !== 'owner' || (refund_limit === null && withdrawal_limit === null),
  { error: 'Um dono não tem limite por dia.', path: ['role'] },
);

const storedTerms = {
  role: memberRole,
  refund_limit: z.nullable(brl),
  withdrawal_limit: z.nullable(brl),
};

const member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  ...storedTerms,
  /** Whether this person holds the account, and therefore remains an owner. */
  holder: z.boolean(),
  added_at: moment,
});

const invitation = z.object({
  id: z.string(),
  email: z.string(),
  ...storedTerms,
  invited_by: z.string(),
  created_at: moment,
  expires_at: moment,
});

export const listMembers = endpoint({
  name: 'listMembers',
  method: 'GET',
  path: '/authed/members',
  access: 'session',
  permission: 'manage-members',
  tag: 'Membros',
  summary: 'Os membros da conta e os convites que ainda valem.',
  response: z.object({ members: z.array(member), invitations: z.array(invitation) }),
  refusals: [],
  isExtension: true,
});

export const inviteMember = endpoint({
  name: 'inviteMember',
  method: 'POST',
  path: '/authed/member-invitations',
  access: 'session',
  permission: 'manage-members',
  tag: 'Membros',
  summary: 'Convida alguém pelo e-mail. O link vai só no e-mail, serve uma vez e vale por 7 dias.',
  body: z.object({ email: newEmail, ...memberTerms }).check(ownerIsUnlimited),
  status: 201,
  response: z.object({ invitation }),
  refusals: [
    'STEP_UP_REQUIRED',
    'ACCOUNT_NOT_APPROVED',
    'INVITATIONS_OFF',
    'MEMBER_EXISTS',
    'MEMBERS_FULL',
    ...approvalRefusals,
  ],
  stepUp: true,
  isExtension: true,
});

export const withdrawInvitation = endpoint({
  name: 'withdrawInvitation',
  method: 'DELETE',
  path: '/authed/member-invitations/{id}',
  access: 'session',
  permission: 'manage-members',
  tag: 'Membros',
  summary: 'Desfaz um convite: o link deixa de valer.',
  params: z.object({ id: z.uuid() }),
  response: successResponse,
  refusals: ['INVITATION_NOT_FOUND'],
  isExtension: true,
});

const memberId = z.object({ id: z.string() });

export const changeMember = endpoint({
  name: 'changeMember',
  method: 'PUT',
  path: '/authed/members/{id}',
  access: 'session',
  permission: 'manage-members',
  tag: 'Membros',
  summary: 'Troca o papel e os limites de um membro.',
  params: memberId,
  body: z.object(memberTerms).check(ownerIsUnlimited),
  response: z.object({ member }),
  refusals: ['MEMBER_NOT_FOUND', 'STEP_UP_REQUIRED', 'HOLDER_STAYS', ...approvalRefusals],
  stepUp: true,
  isExtension: true,
});

export const removeMember = endpoint({
  name: 'removeMember',
  method: 'POST',
  path: '/authed/members/{id}/remove',
  access: 'session',
  permission: 'manage-members',
  tag: 'Membros',
  summary: 'Remove um membro na hora. Diz se as chaves de API que ele criou continuam.',
  params: memberId,
  body: z.object({
    keys: z.enum(['keep', 'revoke'], {
      error: 'Diga se as chaves de API desta pessoa continuam (keep) ou são revogadas (revoke).',
    }),
  }),
  response: z.object({ success: z.literal(true), revoked_keys: z.int() }),
  refusals: ['MEMBER_NOT_FOUND', 'STEP_UP_REQUIRED', 'HOLDER_STAYS'],
  stepUp: true,
  isExtension: true,
});

// Calls of a person who was invited, and of a member who leaves

const linkToken = z.string({ error: 'O link está incompleto.' }).check(z.minLength(20), z.maxLength(100));

export const checkInvitation = endpoint({
  name: 'checkInvitation',
  method: 'POST',
  path: '/invitations/link',
  access: 'public',
  tag: 'Membros',
  summary: 'Diz para que conta, papel e e-mail é um convite, sem gastar o link.',
  body: z.object({ token: linkToken }),
  response: z.object({
    account_name: z.string(),
    email: z.string(),
    ...storedTerms,
    invited_by: z.string(),
    expires_at: moment,
    /** Whether somebody is registered with this e-mail, who only has to sign in. */
    registered: z.boolean(),
  }),
  refusals: ['LINK_EXPIRED'],
  isExtension: true,
});

export const acceptInvitation = endpoint({
  name: 'acceptInvitation',
  method: 'POST',
  path: '/authed/invitations/accept',
  access: 'session',
  permission: 'own',
  tag: 'Membros',
  summary: 'Aceita um convite, em uma sessão do usuário que tem o e-mail convidado.',
  body: z.object({ token: linkToken }),
  response: z.object({ account: membership }),
  refusals: ['LINK_EXPIRED', 'INVITATION_OF_OTHER', 'MEMBER_EXISTS', 'ACCOUNT_FROZEN'],
  isExtension: true,
});

export const leaveAccount = endpoint({
  name: 'leaveAccount',
  method: 'POST',
  path: '/authed/accounts/leave',
  access: 'session',
  permission: 'own',
  tag: 'Membros',
  summary: 'Deixa de ser membro de uma conta. As chaves de API que a pessoa criou nela são revogadas.',
  body: z.object({ account_id: accountId }),
  response: successResponse,
  refusals: ['MEMBERSHIP_NOT_FOUND', 'HOLDER_STAYS', 'APPROVERS_TOO_FEW'],
  isExtension: true,
});

export const memberEndpoints = [
  listAccounts,
  enterAccount,
  leaveAccount,
  listMembers,
  inviteMember,
  withdrawInvitation,
  changeMember,
  removeMember,
  checkInvitation,
  acceptInvitation,
] as const;
