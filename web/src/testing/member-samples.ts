// Sample accounts, members and invitations, for tests of screens.
import type {
  checkInvitation,
  getHandover,
  getSupportAccess,
  listAccounts,
  listMembers,
  ResponseOf,
  StoredUser,
} from '@jangada/contract';

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

/** Another owner than the holder. */
export const otherOwner: Members['members'][number] = {
  ...holder,
  id: '34',
  name: 'Lia Sereno',
  email: 'lia@example.com',
  holder: false,
};

/** The holder's proposal that the other owner hold the account. */
export const handover: NonNullable<ResponseOf<typeof getHandover>['handover']> = {
  offered_by: { id: holder.id, name: holder.name },
  offered_to: { id: otherOwner.id, name: otherOwner.name },
  created_at: '2026-11-21T12:00:00.000Z',
  expires_at: '2099-11-24T12:00:00.000Z',
};

export const noSupportAccess: ResponseOf<typeof getSupportAccess> = { access: null, visits: [] };

/** What an owner sees while support may look in, and after it did. */
export const supportAccess: ResponseOf<typeof getSupportAccess> = {
  access: {
    allowed_by: { id: holder.id, name: holder.name },
    allowed_at: '2026-11-21T12:00:00.000Z',
    expires_at: '2099-11-21T15:00:00.000Z',
  },
  visits: [
    {
      at: '2026-11-21T13:05:00.000Z',
      by: { id: '3', name: 'Teresa Lins' },
      reason: 'Chamado 4711: o extrato não bate com o caixa.',
    },
  ],
};

/** The account into which staff look. */
export const lookedIntoAccount: NonNullable<ResponseOf<typeof listAccounts>['looking_into']> = {
  account_id: '12',
  name: 'Empório Capibaribe',
  expires_at: '2099-11-21T15:00:00.000Z',
};
