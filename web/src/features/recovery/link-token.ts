/** The token in the address that a mailed link opens. */
export function linkTokenFrom({ token }: Record<string, unknown>): { token?: string | undefined } {
  return typeof token === 'string' && token !== '' ? { token } : {};
}
