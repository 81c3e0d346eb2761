import * as z from 'zod/mini';
import { docType, moment } from './user.ts';

/** The pictures that a user submits to verify their identity (KYC). Each is named like its multipart field. */
export const kycSides = ['document_front', 'document_back', 'selfie'] as const;
export type KycSide = (typeof kycSides)[number];

/** The states of a verification: `none` before anything is submitted, `pending` until an administrator decides. */
export const kycStatuses = ['none', 'pending', 'approved', 'rejected'] as const;
export const kycStatus = z.enum(kycStatuses);
export type KycStatus = z.infer<typeof kycStatus>;

/** The state of a user's verification. */
export const kycState = z.object({
  status: kycStatus,
  /** Why an administrator rejected the submission; null unless it was rejected. */
  reason: z.nullable(z.string()),
  submitted_at: z.nullable(moment),
  decided_at: z.nullable(moment),
});
export type KycState = z.infer<typeof kycState>;

/**
 * A verification that awaits an administrator's decision. The pictures are JPEG or WebP thumbnails in base64, at most
 * 20 kB each.
 */
export const pendingKyc = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  document: z.object({
    number: z.string(),
    type: docType,
    createdAt: moment,
    front_side: z.string(),
    back_side: z.string(),
    selfie: z.string(),
    /** The id of this submission, to be sent back with the decision on it. */
    submission: z.uuid(),
  }),
});
export type PendingKyc = z.infer<typeof pendingKyc>;

/** The maximum size of a submitted picture, in bytes. */
export const KYC_PICTURE_MAX_BYTES = 10 * 1024 * 1024;
/** The minimum length in pixels of the shorter side of a picture. Documents on smaller pictures are unreadable. */
export const KYC_PICTURE_MIN_SIDE = 300;
/** The maximum size of an uploaded profile picture or logo, in bytes. */
export const AVATAR_MAX_BYTES = 2 * 1024 * 1024;
