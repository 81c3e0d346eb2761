// Sample responses of a gateway to its administrators, for tests of screens.
import type { AdminUser, PendingKyc } from '@jangada/contract';
import { user } from './samples.ts';

/** A picture of one pixel, as base64. */
const PIXEL_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** The picture of one pixel as a file. */
export function pixel(): Blob {
  const bytes = Uint8Array.from(atob(PIXEL_BASE64), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: 'image/png' });
}

export const pendingKyc: PendingKyc = {
  user: { id: '12', name: 'Severino Bartolomeu de Albuquerque Maranhão Neto', email: 'severino@example.com' },
  document: {
    number: '52998224725',
    type: 'CPF',
    createdAt: '2026-11-18T12:14:00.000Z',
    front_side: PIXEL_BASE64,
    back_side: PIXEL_BASE64,
    selfie: PIXEL_BASE64,
    submission: '6d1c8a52-7c41-4d0e-9b3a-61f2d8c07a55',
  },
};

export const adminUser: AdminUser = {
  ...user,
  id: '12',
  name: 'Severino Maranhão',
  username: 'severino',
  email: 'severino@example.com',
  document: '52998224725',
  balance: 250.4,
  version: 3,
  kyc: 'none',
  second_factor: false,
  frozen_at: null,
  frozen_because: null,
  closing_requested_at: null,
  closing_reason: null,
  merchant_kind: 'pooled',
};
