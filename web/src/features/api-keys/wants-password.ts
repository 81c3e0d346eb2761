import { ApiError } from '../../api/api-error.ts';

/** Whether the server wants the password again before it does this. */
export function wantsPassword(failure: unknown): boolean {
  return failure instanceof ApiError && failure.code === 'PASSWORD_REQUIRED';
}
