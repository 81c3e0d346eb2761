import { deviceName } from '@jangada/contract';

/** A User-Agent as people name it; what is unknown is said so. */
export function deviceWords(userAgent: string): string {
  return deviceName(userAgent) ?? 'Aparelho desconhecido';
}
