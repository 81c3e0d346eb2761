/** Masks a secret except for its type prefix and last four characters. */
export function maskSecret(secret: string): string {
  const prefix = /^[a-z]+_/.exec(secret)?.[0] ?? '';
  return `${prefix}${'•'.repeat(8)}${secret.slice(-4)}`;
}
