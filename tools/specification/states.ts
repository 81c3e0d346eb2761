import {
  chargeStatuses,
  kycStatuses,
  publicWithdrawalStatuses,
  roles,
  withdrawalStatuses,
} from '@jangada/contract';
import { type Items, kept, otherwise } from './item.ts';

/** Values that the specification lists, and where ours are defined. */
export const lists: Readonly<
  Record<string, { says: string; values: readonly string[]; of: readonly string[]; at: string; by: string }>
> = {
  'status-transaction': {
    says: 'statuses of a transaction',
    values: ['pending', 'paid', 'expired', 'refunded', 'error'],
    of: chargeStatuses,
    at: 'chargeStatuses',
    by: 'a charge goes from status to status along the allowed paths, and along no other',
  },
  'status-withdrawal': {
    says: 'statuses of a withdrawal (besides `paid`, which another provider may say)',
    values: ['pending', 'processing', 'completed', 'failed'],
    of: withdrawalStatuses,
    at: 'withdrawalStatuses',
    by: 'that a status is not skipped, and none comes back',
  },
  'status-withdrawal-public': {
    says: 'statuses of a withdrawal for integrators',
    values: ['PENDING', 'PAID', 'ERROR'],
    of: publicWithdrawalStatuses,
    at: 'publicWithdrawalStatuses',
    by: 'asks what became of a withdrawal, in the words and cents of the call that made it',
  },
  'status-kyc': {
    says: 'states of a verification (besides `none`, before the first sending)',
    values: ['pending', 'approved', 'rejected'],
    of: kycStatuses,
    at: 'kycStatuses',
    by: 'wait, are rejected with a reason, are sent again and approve the account',
  },
  'status-role': {
    says: 'roles',
    values: ['USER', 'ADMIN', 'SUPPORT'],
    of: roles,
    at: 'roles',
    by: 'every endpoint answers every caller as it is stated',
  },
};

export const states: Items = {
  'auth-states': kept(
    'loading at the start; then authenticated with token and user, else unauthenticated',
    'session, startSession',
    'at start a stored token loads the profile, and any failure signs out',
  ),
  'auth-start': kept(
    'a stored token has its profile loaded; a failure ends the session',
    'startSession',
    'at start a stored token loads the profile, and any failure signs out',
    'a profile that cannot be loaded at the start signs out',
  ),
  'auth-login': kept(
    'a sign-in keeps the token, then loads the profile; any failure clears the session',
    'signIn',
    'signing in keeps the token, and of the user only what the frame needs',
    'a profile that cannot be loaded after login clears the session',
  ),
  'auth-logout': kept(
    'signing out removes token and user, and cancels a profile that is loading',
    'signOut',
    'signing out forgets at once and cancels a profile that is still loading',
  ),
  'pin-states': kept(
    'of the PIN: idle, loading, set, not_set, error',
    'web/src/session/pin-status.ts',
    'idle, then loading, then set or not_set',
  ),
  'pin-idle': kept(
    'idle without a token; idle again on signing in and out',
    'web/src/session/pin-status.ts',
    'idle without a token, and nothing is asked',
  ),
  'pin-cancelled': kept(
    'a check that was cancelled changes nothing',
    'checkPin',
    'a check that is cancelled leaves loading as loading, never error',
  ),
  'pin-defined': kept(
    'not_set becomes set with a definition that succeeded',
    'definePin',
    'not_set becomes set after a successful definition',
  ),
  'pin-for-withdrawal': kept(
    'a withdrawal takes a PIN that is set',
    'withdrawalProblems',
    'without a PIN it says so, refuses, and lets it be defined there',
  ),
  'failed-count': kept(
    'expired and refunded transactions count as failed on the overview',
    'figuresOf',
    'expired, refunded and broken charges count as failed',
  ),
  'withdrawal-words': kept(
    'the statuses of a withdrawal have words; one that is not known is shown raw',
    'withdrawalLook',
    'what another provider sends is read too: its own words for a status, its spelling, a key of no type',
    'each withdrawal stands with date, amount, key with its type, and status',
  ),
  'withdrawal-waits': otherwise(
    'a withdrawal is pending, then done or failed',
    kept(
      'a withdrawal waits, then is done or has failed',
      'withdrawalStatuses',
      'that it fails after completion when all of it came back, and not before',
    ),
  ),
  'key-states': kept(
    'no API key; then one that is active or not',
    'apiKeyStatus, KeyStatus',
    'a new key is shown once, in a dialog',
    'an inactive key sends to the support',
  ),
  'key-revoked': kept(
    'revoking ends a key at once',
    'revokeApiKey',
    'stops at once when another is generated, and when it is revoked',
  ),
  'key-inactive': kept(
    'an inactive key sends to the support',
    'ApiKeysPage',
    'an inactive key sends to the support',
  ),
  'account-approved': kept(
    'an account waits for approval, which administrators give and take',
    'updateUser',
    'changes the allowed fields, and of the rest nothing',
  ),
  'kyc-decided': kept(
    'a verification waits, then is approved or rejected with a reason',
    'adminAcceptKyc, adminRejectKyc',
    'wait, are rejected with a reason, are sent again and approve the account',
  ),
  'push-permission': kept(
    'of notifications: default, granted, denied',
    'PushPermission',
    'blocked by the browser, its settings are named; without support, that is said',
    'a device is registered once permission was given, and is unregistered by a press',
  ),
  'sidebar-groups': kept(
    'groups of the sidebar turn from open to closed by a press',
    'SidebarContent',
    'panel-layout › on a large screen the menu is a sidebar of 64 units, and each group opens and closes',
  ),
};
