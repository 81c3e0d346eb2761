// The calls that decide who controls an account: handing it over to another owner, and letting the operator's support
// look in. `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { staffReason } from './admin-endpoints.ts';
import { endpoint, successResponse } from './endpoint.ts';
import { SUPPORT_ACCESS_HOURS } from './limits.ts';
import { moment } from './user.ts';

const person = z.object({ id: z.string(), name: z.string() });

/** A holder's proposal that another owner hold the account in their place. */
const handover = z.object({
  offered_by: person,
  offered_to: person,
  created_at: moment,
  /** Until when the other owner can confirm it. */
  expires_at: moment,
});

export const getHandover = endpoint({
  name: 'getHandover',
  method: 'GET',
  path: '/authed/account-handover',
  access: 'session',
  permission: 'manage-members',
  tag: 'Membros',
  summary: 'Diz se o titular propôs passar a conta a outro dono.',
  response: z.object({ handover: z.nullable(handover) }),
  refusals: [],
  isExtension: true,
});

export const offerAccount = endpoint({
  name: 'offerAccount',
  method: 'POST',
  path: '/authed/account-handover',
  access: 'session',
  permission: 'manage-members',
  tag: 'Membros',
  summary: 'O titular propõe passar a conta a outro dono, que confirma em até 72 horas.',
  body: z.object({ member_id: z.string({ error: 'Informe o membro.' }).check(z.maxLength(20)) }),
  status: 201,
  response: z.object({ handover }),
  refusals: ['STEP_UP_REQUIRED', 'NOT_HOLDER', 'MEMBER_NOT_FOUND', 'HANDOVER_NEEDS_OWNER'],
  stepUp: true,
  isExtension: true,
});

export const confirmHandover = endpoint({
  name: 'confirmHandover',
  method: 'POST',
  path: '/authed/account-handover/confirm',
  access: 'session',
  permission: 'manage-members',
  tag: 'Membros',
  summary: 'O outro dono confirma e passa a ser o titular. Os saques da conta ficam suspensos por 24 horas.',
  response: successResponse,
  refusals: ['STEP_UP_REQUIRED', 'HANDOVER_NOT_FOUND'],
  stepUp: true,
  isExtension: true,
});

export const endHandover = endpoint({
  name: 'endHandover',
  method: 'DELETE',
  path: '/authed/account-handover',
  access: 'session',
  permission: 'manage-members',
  tag: 'Membros',
  summary: 'Desfaz a proposta: o titular desiste dela, ou o outro dono a recusa.',
  response: successResponse,
  refusals: ['HANDOVER_NOT_FOUND'],
  isExtension: true,
});

/** Whether the operator's support may look into the account, and who did lately. */
const supportAccess = z.object({
  /** Null if support may not look in. */
  access: z.nullable(z.object({ allowed_by: person, allowed_at: moment, expires_at: moment })),
  /** When support looked in, the newest first. */
  visits: z.array(z.object({ at: moment, by: z.nullable(person), reason: z.nullable(z.string()) })),
});

export const getSupportAccess = endpoint({
  name: 'getSupportAccess',
  method: 'GET',
  path: '/authed/support-access',
  access: 'session',
  permission: 'manage-account',
  tag: 'Membros',
  summary: 'Diz se o suporte pode olhar a conta, até quando, e quando alguém olhou.',
  response: supportAccess,
  refusals: [],
  isExtension: true,
});

export const allowSupport = endpoint({
  name: 'allowSupport',
  method: 'POST',
  path: '/authed/support-access',
  access: 'session',
  permission: 'manage-account',
  tag: 'Membros',
  summary: 'Deixa o suporte olhar a conta por 1 hora, 24 horas ou 7 dias, sem alterar nada.',
  body: z.object({ hours: z.literal(SUPPORT_ACCESS_HOURS, { error: 'São 1, 24 ou 168 horas.' }) }),
  response: supportAccess,
  refusals: ['STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const revokeSupport = endpoint({
  name: 'revokeSupport',
  method: 'DELETE',
  path: '/authed/support-access',
  access: 'session',
  permission: 'manage-account',
  tag: 'Membros',
  summary: 'Encerra na hora o acesso do suporte.',
  response: supportAccess,
  refusals: [],
  isExtension: true,
});

const userParams = z.object({ userId: z.string() });

export const adminLookIn = endpoint({
  name: 'adminLookIn',
  method: 'POST',
  path: '/admin/users/{userId}/look-in',
  access: 'staff',
  ability: 'look-into-accounts',
  tag: 'Administração',
  summary: 'Esta sessão passa a olhar uma conta cujo dono deixou, só para ler e até o fim do prazo.',
  params: userParams,
  body: z.object({ reason: staffReason }),
  response: z.object({ account_id: z.string(), name: z.string(), expires_at: moment }),
  refusals: ['USER_NOT_FOUND', 'SUPPORT_NOT_ALLOWED', 'ACCOUNT_FROZEN', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const adminConfirmIdentity = endpoint({
  name: 'adminConfirmIdentity',
  method: 'POST',
  path: '/admin/users/{userId}/identity-reviewed',
  access: 'staff',
  ability: 'decide-kyc',
  tag: 'Administração',
  summary: 'Registra que a identidade de quem controla a conta foi conferida depois que ela mudou de mãos.',
  params: userParams,
  body: z.object({ reason: staffReason }),
  response: successResponse,
  refusals: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'NOTHING_TO_REVIEW', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const accountControlEndpoints = [
  getHandover,
  offerAccount,
  confirmHandover,
  endHandover,
  getSupportAccess,
  allowSupport,
  revokeSupport,
  adminLookIn,
  adminConfirmIdentity,
] as const;
