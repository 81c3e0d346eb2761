/** A secret by its ends: the prefix that names its kind and the last four characters. */
export function maskSecret(secret: string): string {
  const prefix = /^[a-z]+_/.exec(secret)?.[0] ?? '';
  return `${prefix}${'•'.repeat(8)}${secret.slice(-4)}`;
}
