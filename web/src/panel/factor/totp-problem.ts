/** Strips the spaces from an authenticator code, which apps show in two groups. */
export function bareTotp(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}

/** The message for an invalid authenticator code; undefined when it can be sent. */
export function totpProblem(typed: string): string | undefined {
  const code = bareTotp(typed);
  if (code === '') return 'Informe o código.';
  return /^\d{6}$/.test(code) ? undefined : 'O código tem 6 dígitos.';
}
