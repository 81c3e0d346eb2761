import type { Brand } from '@jangada/contract';
import type { BrandRow } from './brand-store.ts';

/** The public address of a logo. */
export function logoAddress(logoId: string | null): string | null {
  return logoId === null ? null : `/api/brand-logos/${logoId}`;
}

export function brandOf({ displayName, colour, logoId }: BrandRow): Brand {
  return { display_name: displayName, colour, logo: logoAddress(logoId) };
}
