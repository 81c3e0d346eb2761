import type { adminRecordBankMovement, BodyOf } from '@jangada/contract';

export type MovementKind = BodyOf<typeof adminRecordBankMovement>['kind'];

export const movementNames: Readonly<Record<MovementKind, string>> = {
  tariff: 'Tarifa do banco',
  'fees-taken': 'Retirada das tarifas ganhas',
  'top-up': 'Aporte do operador',
};
