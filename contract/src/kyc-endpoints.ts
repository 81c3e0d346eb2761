// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { endpoint, successResponse } from './endpoint.ts';
import { AVATAR_MAX_BYTES, KYC_PICTURE_MAX_BYTES, kycSides, kycState, pendingKyc } from './kyc.ts';

const pageNumber = z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1);

// The profile picture

export const uploadAvatar = endpoint({
  name: 'uploadAvatar',
  method: 'POST',
  path: '/authed/user/avatar',
  access: 'session',
  permission: 'own',
  tag: 'Conta',
  summary: 'Troca a foto do perfil: JPEG ou PNG de até 2 MB, no campo avatar.',
  upload: {
    fields: ['avatar'],
    maxFileBytes: AVATAR_MAX_BYTES,
    missing: 'IMAGE_NOT_ACCEPTED',
    tooLarge: 'AVATAR_TOO_LARGE',
  },
  response: z.object({ success: z.literal(true), avatar: z.string() }),
  refusals: ['IMAGE_NOT_ACCEPTED', 'AVATAR_TOO_LARGE'],
});

export const removeAvatar = endpoint({
  name: 'removeAvatar',
  method: 'DELETE',
  path: '/authed/user/avatar',
  access: 'session',
  permission: 'own',
  tag: 'Conta',
  summary: 'Remove a foto do perfil.',
  response: successResponse,
  refusals: [],
  isExtension: true,
});

export const avatarPicture = endpoint({
  name: 'avatarPicture',
  method: 'GET',
  path: '/avatars/{id}',
  access: 'public',
  tag: 'Conta',
  summary: 'A foto de um perfil, em WebP de 256 pixels.',
  params: z.object({ id: z.uuid() }),
  response: z.string(),
  file: ['image/webp'],
  refusals: ['PICTURE_NOT_FOUND'],
  isExtension: true,
});

// Verification of identity (KYC)

export const verifyCpf = endpoint({
  name: 'verifyCpf',
  method: 'POST',
  path: '/authed/verify/cpf',
  access: 'session',
  permission: 'own',
  tag: 'Verificação',
  summary: 'Envia os documentos de uma pessoa: frente, verso e uma selfie com o documento.',
  upload: {
    fields: kycSides,
    maxFileBytes: KYC_PICTURE_MAX_BYTES,
    missing: 'KYC_INCOMPLETE',
    tooLarge: 'PICTURE_TOO_LARGE',
  },
  response: z.object({ success: z.literal(true), ...kycState.shape }),
  refusals: [
    'NOT_HOLDER',
    'KYC_INCOMPLETE',
    'KYC_COMPANY',
    'KYC_PENDING',
    'KYC_APPROVED',
    'PICTURE_NOT_ACCEPTED',
    'PICTURE_TOO_LARGE',
    'PICTURE_TOO_SMALL',
    'KYC_SAME_PICTURE',
  ],
});

export const getKyc = endpoint({
  name: 'getKyc',
  method: 'GET',
  path: '/authed/verify',
  access: 'session',
  permission: 'own',
  tag: 'Verificação',
  summary: 'Onde está a verificação da conta.',
  response: kycState,
  refusals: [],
  isExtension: true,
});

export const adminPendingKyc = endpoint({
  name: 'adminPendingKyc',
  method: 'GET',
  path: '/admin/users/pending-kyc',
  access: 'staff',
  ability: 'decide-kyc',
  tag: 'Administração',
  summary: 'As verificações que esperam, da mais antiga à mais nova, com miniaturas.',
  query: z.object({ page: pageNumber }),
  response: z.object({ items: z.array(pendingKyc), total: z.int(), page: z.int(), limit: z.int() }),
  refusals: [],
});

/** Names the submission that the administrator reviewed. The decision is refused if a newer one has replaced it. */
const reviewedSubmission = { submission: z.optional(z.uuid()) };

export const adminAcceptKyc = endpoint({
  name: 'adminAcceptKyc',
  method: 'POST',
  path: '/admin/users/kyc/accept/{userId}',
  access: 'staff',
  ability: 'decide-kyc',
  tag: 'Administração',
  summary: 'Aprova a verificação e, com ela, a conta.',
  params: z.object({ userId: z.string() }),
  body: z._default(z.object(reviewedSubmission), {}),
  response: successResponse,
  refusals: ['USER_NOT_FOUND', 'KYC_NOT_PENDING', 'KYC_DECIDED', 'OWN_ACCOUNT', 'STEP_UP_REQUIRED'],
  stepUp: true,
});

export const adminRejectKyc = endpoint({
  name: 'adminRejectKyc',
  method: 'POST',
  path: '/admin/users/kyc/reject/{userId}',
  access: 'staff',
  ability: 'decide-kyc',
  tag: 'Administração',
  summary: 'Rejeita a verificação, com o motivo que o usuário lê.',
  params: z.object({ userId: z.string() }),
  body: z.object({
    ...reviewedSubmission,
    reason: z
      .string({ error: 'Informe o motivo da rejeição.' })
      .check(z.trim(), z.minLength(1, 'Informe o motivo da rejeição.'), z.maxLength(500)),
  }),
  response: successResponse,
  refusals: ['USER_NOT_FOUND', 'KYC_NOT_PENDING', 'KYC_DECIDED', 'OWN_ACCOUNT'],
});

/** Every view of a picture is recorded in the audit log. */
export const adminKycPicture = endpoint({
  name: 'adminKycPicture',
  method: 'GET',
  path: '/admin/users/{userId}/kyc/images/{side}',
  access: 'staff',
  ability: 'decide-kyc',
  tag: 'Administração',
  summary: 'Uma foto da última verificação de um usuário, inteira.',
  params: z.object({ userId: z.string(), side: z.enum(kycSides) }),
  response: z.string(),
  file: ['image/webp'],
  refusals: ['USER_NOT_FOUND', 'PICTURE_NOT_FOUND'],
  isExtension: true,
});

export const kycEndpoints = [
  uploadAvatar,
  removeAvatar,
  avatarPicture,
  verifyCpf,
  getKyc,
  adminPendingKyc,
  adminAcceptKyc,
  adminRejectKyc,
  adminKycPicture,
] as const;
