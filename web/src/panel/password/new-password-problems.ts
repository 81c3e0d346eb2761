import { newPassword } from '@jangada/contract';

export type NewPassword = { password: string; confirmation: string };

/** The errors of a new password and its confirmation, by field. */
export function newPasswordProblems({ password, confirmation }: NewPassword): Partial<NewPassword> {
  const problem = newPassword.safeParse(password).error?.issues[0]?.message;
  return {
    ...(problem !== undefined && { password: problem }),
    ...(problem === undefined && password !== confirmation && { confirmation: 'As senhas não coincidem' }),
  };
}
