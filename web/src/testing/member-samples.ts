// Sample accounts, members and invitations, for tests of screens.
import type { checkInvitation, listAccounts, listMembers, ResponseOf, StoredUser } from '@jangada/contract';

type Account = NonNullable<StoredUser['account']>;

/** The account of somebody else for which a member acts. */
export const shopAccount: Account = {
  id: '12',
  name: 'Empório Capibaribe',
  role: 'finance',
  own: false,
  frozen: false,
  approved: true,
};

/** The person's own account, as whoever has several sees it. */
export const ownAccount: Account = {
  id: 'u1',
  name: 'Marina Albuquerque',
  role: 'owner',
  own: true,
  frozen: false,
  approved: true,
};

export const accounts: ResponseOf<typeof listAccounts> = {
  accounts: [
    { account_id: 'u1', name: 'Marina Albuquerque', role: 'owner', own: true, current: false, frozen: false },
    {
      account_id: '12',
      name: 'Empório Capibaribe',
      role: 'finance',
      own: false,
      current: true,
      frozen: false,
    },
    {
      account_id: '15',
      name: 'Padaria da Aurora',
      role: 'cashier',
      own: false,
      current: false,
      frozen: true,
    },
  ],
};

type Members = ResponseOf<typeof listMembers>;

export const holder: Members['members'][number] = {
  id: 'u1',
  name: 'Marina Albuquerque',
  email: 'marina@example.com',
  role: 'owner',
  refund_limit: null,
  withdrawal_limit: null,
  holder: true,
  added_at: '2026-10-02T12:00:00.000Z',
};

export const finance: Members['members'][number] = {
  id: '31',
  name: 'Rafael Monteiro',
  email: 'rafael@example.com',
  role: 'finance',
  refund_limit: null,
  withdrawal_limit: 2500,
  holder: false,
  added_at: '2026-11-10T12:00:00.000Z',
};

export const cashier: Members['members'][number] = {
  id: '32',
  name: 'Joana Dias',
  email: 'joana@example.com',
  role: 'cashier',
  refund_limit: null,
  withdrawal_limit: null,
  holder: false,
  added_at: '2026-11-20T12:00:00.000Z',
};

export const invitation: Members['invitations'][number] = {
  id: '0193f1c0-0000-7000-8000-0000000000a1',
  email: 'contador@example.com',
  role: 'accountant',
  refund_limit: null,
  withdrawal_limit: null,
  invited_by: 'Marina Albuquerque',
  created_at: '2026-11-21T12:00:00.000Z',
  expires_at: '2026-11-28T12:00:00.000Z',
};

/** The invitation that a mailed link leads to. */
export const linkedInvitation: ResponseOf<typeof checkInvitation> = {
  account_name: 'Empório Capibaribe',
  email: 'rafael@example.com',
  role: 'finance',
  refund_limit: 300,
  withdrawal_limit: 2500,
  invited_by: 'Marina Albuquerque',
  expires_at: '2026-11-28T12:00:00.000Z',
  registered: true,
};
