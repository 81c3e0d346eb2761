import * as z from 'zod/mini';
import { docType, moment } from './user.ts';

/** Pictures of a submission, by the multipart field that carries them. */
export const kycSides = ['document_front', 'document_back', 'selfie'] as const;
export type KycSide = (typeof kycSides)[number];

export const kycStatuses = ['none', 'pending', 'approved', 'rejected'] as const;
export const kycStatus = z.enum(kycStatuses);
export type KycStatus = z.infer<typeof kycStatus>;

/** Where somebody's verification stands. */
export const kycState = z.object({
  status: kycStatus,
  /** Why it was rejected. */
  reason: z.nullable(z.string()),
  submitted_at: z.nullable(moment),
  decided_at: z.nullable(moment),
});
export type KycState = z.infer<typeof kycState>;

/** A verification that waits for an administrator. Pictures are JPEG or WebP thumbnails in base64, at most 20 kB each. */
export const pendingKyc = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  document: z.object({
    number: z.string(),
    type: docType,
    createdAt: moment,
    front_side: z.string(),
    back_side: z.string(),
    selfie: z.string(),
    /** Names the submission that is seen, for the decision. */
    submission: z.uuid(),
  }),
});
export type PendingKyc = z.infer<typeof pendingKyc>;

/** The largest picture that is taken, in bytes. */
export const KYC_PICTURE_MAX_BYTES = 10 * 1024 * 1024;
/** The shorter side of a picture in pixels: below that nobody can read a document. */
export const KYC_PICTURE_MIN_SIDE = 300;
export const AVATAR_MAX_BYTES = 2 * 1024 * 1024;
