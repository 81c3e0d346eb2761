import { ApiError } from '../../api/api-error.ts';

/** The requested value exists, but is released only for the password. */
export class PasswordWanted extends Error {
  override readonly name = 'PasswordWanted';
}

/** True when the server requires the password again before the action. */
export function wantsPassword(failure: unknown): boolean {
  return (
    failure instanceof PasswordWanted || (failure instanceof ApiError && failure.code === 'PASSWORD_REQUIRED')
  );
}
