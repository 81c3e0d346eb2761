import { ApiError } from '../../api/api-error.ts';

/** What was asked for is there, but only for the password. */
export class PasswordWanted extends Error {
  override readonly name = 'PasswordWanted';
}

/** Whether the server wants the password again before it does this. */
export function wantsPassword(failure: unknown): boolean {
  return (
    failure instanceof PasswordWanted || (failure instanceof ApiError && failure.code === 'PASSWORD_REQUIRED')
  );
}
