/** The digits of a code of an authenticator app, which shows them with a space between. */
export function bareTotp(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}

/** What is wrong with a code of an authenticator app; undefined when it can be sent. */
export function totpProblem(typed: string): string | undefined {
  const code = bareTotp(typed);
  if (code === '') return 'Informe o código.';
  return /^\d{6}$/.test(code) ? undefined : 'O código tem 6 dígitos.';
}
