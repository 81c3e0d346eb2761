import { deviceName } from '@jangada/contract';

/** A readable name for a User-Agent; says so when it is unknown. */
export function deviceWords(userAgent: string): string {
  return deviceName(userAgent) ?? 'Aparelho desconhecido';
}
