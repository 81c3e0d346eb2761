import { AVATAR_MAX_BYTES, errors } from '@jangada/contract';

export const AVATAR_TYPES = ['image/jpeg', 'image/png'] as const;

/** The error for an unsuitable picture file, by the browser's file type; the gateway checks the content. */
export function avatarProblem({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!AVATAR_TYPES.some((known) => known === type)) return errors.IMAGE_NOT_ACCEPTED.message;
  if (size > AVATAR_MAX_BYTES) return errors.AVATAR_TOO_LARGE.message;
  return undefined;
}
