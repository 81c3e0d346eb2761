import { ApiError } from '../../api/api-error.ts';

/** The error of a password entered as confirmation. */
export function passwordMissing(password: string): { password?: string } {
  return password === '' ? { password: 'Informe a senha.' } : {};
}

/** The refusal of a wrong password, as the problem of its field; anything else is thrown on. */
export function wrongPassword(error: unknown): { password: string } {
  if (error instanceof ApiError && error.code === 'PASSWORD_WRONG')
    return { password: error.serverMessage ?? 'Senha incorreta.' };
  throw error;
}
