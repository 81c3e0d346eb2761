import type { TaxesModel } from '@jangada/contract';

/** For how many days a part of each payment is kept; null where nothing is. */
export function reserveDaysOf(taxes: TaxesModel | undefined): number | null {
  return taxes?.reserve.enabled && taxes.reserve.days > 0 ? taxes.reserve.days : null;
}
