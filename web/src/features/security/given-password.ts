import { ApiError } from '../../api/api-error.ts';

/** The field error when the password that confirms a change is empty. */
export function passwordMissingProblem(password: string): { password?: string } {
  return password === '' ? { password: 'Informe a senha.' } : {};
}

/** The field error when the gateway refused the password as wrong; any other error is thrown again. */
export function wrongPasswordProblem(error: unknown): { password: string } {
  if (error instanceof ApiError && error.code === 'PASSWORD_WRONG')
    return { password: error.serverMessage ?? 'Senha incorreta.' };
  throw error;
}
