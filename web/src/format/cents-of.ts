import { centsFromResponse } from '@jangada/contract';

/**
 * Converts an amount of the API, in BRL, into integer cents. The response schema has already refused any amount that is
 * not a whole number of cents, so the fallback 0 is never used.
 */
export const centsOf = (brl: number): number => centsFromResponse(brl) ?? 0;
