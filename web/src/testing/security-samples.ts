// Sample responses of a gateway about the security of an account, for tests of screens.
import type { SecurityState, SessionItem } from '@jangada/contract';

/** The security of an account without a second factor. */
export const security: SecurityState = {
  totp: false,
  passkeys: [],
  recovery_codes_left: 0,
  demanded: false,
  given: false,
  password_changed_at: '2026-10-15T12:00:00.000Z',
  pending_email: null,
  closing_requested_at: null,
};

export const session: SessionItem = {
  id: '3f0c9a52-1111-4d0e-9b3a-61f2d8c07a55',
  current: true,
  created_at: '2026-11-21T12:00:00.000Z',
  last_seen_at: '2026-11-21T16:00:00.000Z',
  address: '187.64.12.9',
  user_agent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  second_factor: false,
};

export const otherSession: SessionItem = {
  ...session,
  id: '4f0c9a52-2222-4d0e-9b3a-61f2d8c07a55',
  current: false,
  user_agent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
};

export const recoveryCodes = ['K7QX-M2RD-9T', 'W4NP-H8CF-3J'];
