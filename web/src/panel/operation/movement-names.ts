import type { adminRecordBankMovement, BodyOf } from '@jangada/contract';

/** A change of the bank account other than a Pix, which the operator records by hand. */
export type MovementKind = BodyOf<typeof adminRecordBankMovement>['kind'];

/** The display names of the kinds. */
export const movementNames: Readonly<Record<MovementKind, string>> = {
  tariff: 'Tarifa do banco',
  'fees-taken': 'Retirada das tarifas ganhas',
  'top-up': 'Aporte do operador',
};
