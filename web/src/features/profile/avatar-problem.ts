import { AVATAR_MAX_BYTES, errors } from '@jangada/contract';

export const AVATAR_TYPES = ['image/jpeg', 'image/png'] as const;

/** What speaks against a file as a picture, by what the browser takes it for; the gateway looks at its content. */
export function avatarProblem({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!AVATAR_TYPES.some((known) => known === type)) return errors.IMAGE_NOT_ACCEPTED.message;
  if (size > AVATAR_MAX_BYTES) return errors.AVATAR_TOO_LARGE.message;
  return undefined;
}
