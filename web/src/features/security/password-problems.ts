import { ApiError } from '../../api/api-error.ts';

/** The error for the password field when it is empty. The password confirms a change. */
export function passwordMissingProblem(password: string): { password?: string } {
  return password === '' ? { password: 'Informe a senha.' } : {};
}

/** The error for the password field when the gateway refused the password as wrong; any other error is thrown again. */
export function wrongPasswordProblem(error: unknown): { password: string } {
  if (error instanceof ApiError && error.code === 'PASSWORD_WRONG')
    return { password: error.serverMessage ?? 'Senha incorreta.' };
  throw error;
}
