import {
  apiKeyStatus,
  createdPayment,
  generateApiKey,
  login,
  notification,
  paymentEvent,
  pendingKyc,
  register,
  registration,
  type Schema,
  taxes,
  transaction,
  user,
  walletStats,
  withdrawalDetail,
  withdrawalEvent,
  withdrawalItem,
  withdrawalPin,
  withdrawalsPage,
  withdrawRequest,
} from '@jangada/contract';

/** Fields of an entity, held against our schema of it; and other spellings of them that we read from other providers. */
export type Entity = {
  readonly schema: Schema;
  readonly fields: readonly string[];
  readonly alsoRead?: { readonly names: readonly string[]; readonly reader: string };
  readonly by: readonly string[];
  readonly departs?: string;
};

const readers = 'contract/src/read.ts';
const registered = 'a person registers, is shown their account, signs out, and signs in again';

export const entities: Readonly<Record<string, Entity>> = {
  'login request': { schema: login.body, fields: ['username', 'password'], by: [registered] },
  'login response': { schema: login.response, fields: ['token'], by: [registered] },
  user: {
    schema: user,
    fields: [
      'id',
      'name',
      'username',
      'email',
      'avatar',
      'approved',
      'role',
      'balance',
      'apiActive',
      'apiKey',
      'document',
      'docType',
      'created_at',
      'updated_at',
      'push_id',
      'push_ids',
      'taxes',
    ],
    alsoRead: { names: ['api_active', 'createdAt'], reader: readers },
    by: [registered, 'another-provider › a merchant opens every screen of the specification, and each works'],
  },
  taxes: {
    schema: taxes,
    fields: [
      'pix.in',
      'pix.out',
      'pix.fixIn',
      'pix.fixOut',
      'crypto',
      'reserve.enabled',
      'reserve.percentage',
      'reserve.liberationTime',
    ],
    by: [
      'who the account is, what it may and what it pays stand there',
      'a user without fees, version and the like is read, and what is missing is 0, false or unknown',
    ],
  },
  'registration payload': {
    schema: registration,
    fields: ['username', 'name', 'password', 'email', 'document', 'doctype'],
    by: ['a new account is not approved, keeps its document bare and its name in one form, and is signed in'],
  },
  'registration response': { schema: register.response, fields: ['token', 'user'], by: [registered] },
  transaction: {
    schema: transaction,
    fields: ['id', 'status', 'amount', 'credited_amount', 'created_at', 'paid_at', 'content'],
    alsoRead: { names: ['createdAt'], reader: readers },
    by: ['gives any page of any filter as the whole list has it, newest first'],
  },
  'API key status': {
    schema: apiKeyStatus.response,
    fields: ['hasKey', 'active', 'key'],
    by: ['shows a merchant the own key only, and says when there is none'],
  },
  'API key generated': {
    schema: generateApiKey.response,
    fields: ['apiKey', 'active'],
    by: ['of five generated at once one works'],
  },
  'PIX created': {
    schema: createdPayment,
    fields: ['id', 'text', 'content', 'image'],
    alsoRead: { names: ['text', 'content'], reader: readers },
    by: ['asks the bank for it and keeps the code that the bank gave'],
    departs: '`image` is always there',
  },
  'wallet stats, flat': {
    schema: walletStats,
    fields: [
      'total_transactions',
      'total_earned',
      'total_withdrawn',
      'pending_withdrawals',
      'reserved_amount',
      'available_balance',
      'last_transaction_date',
      'deposits_count',
      'withdrawals_count',
      'pending_deposits_count',
      'pending_withdrawals_count',
      'failed_transactions_count',
    ],
    by: [
      'the wallet says the same in both shapes, and of nobody else’s money',
      'both shapes of the figures are read',
    ],
    departs: 'wallet figures: total withdrawn, pending withdrawals',
  },
  'wallet stats, nested': {
    schema: walletStats,
    fields: [
      'data.stats.totalTransactions',
      'data.stats.totalEarned',
      'data.stats.totalWithdrawn',
      'data.stats.pendingWithdrawals',
      'data.stats.reservedAmount',
      'data.stats.availableBalance',
      'data.stats.lastTransactionDate',
      'data.summary.deposits',
      'data.summary.withdrawals',
      'data.summary.pendingDeposits',
      'data.summary.pendingWithdrawals',
      'data.summary.failedTransactions',
    ],
    by: [
      'the wallet says the same in both shapes, and of nobody else’s money',
      'both shapes of the figures are read',
    ],
  },
  'withdrawal in a list': {
    schema: withdrawalItem,
    fields: ['id', 'status', 'amount_cents', 'pix_key', 'created_at', 'updated_at', 'completed_at', 'error'],
    alsoRead: {
      names: ['pixKey', 'createdAt', 'updatedAt', 'completedAt'],
      reader: 'contract/src/read-withdrawal.ts',
    },
    by: [
      'a list of withdrawals is read in our shape',
      'a list in the other spelling of the specification is read too',
    ],
  },
  'withdrawal by itself': {
    schema: withdrawalDetail,
    fields: ['id', 'status', 'amount', 'pix_key', 'created_at', 'updated_at', 'completed_at', 'error'],
    by: ['a withdrawal by itself has its amount in BRL'],
  },
  'list of withdrawals': {
    schema: withdrawalsPage,
    fields: ['withdrawals', 'total', 'limit'],
    by: ['pages are counted by the list’s own limit, as far as they can be opened'],
  },
  'withdrawal payload': {
    schema: withdrawRequest,
    fields: ['amount', 'pixKey', 'pix_key_type', 'withdrawal_pin'],
    by: ['a withdrawal is asked for with its PIN and a key of its intent, and told as taken'],
  },
  'withdrawal PIN status': {
    schema: withdrawalPin,
    fields: ['has_pin'],
    by: ['whether there is a PIN is read with and without locks'],
  },
  'pending KYC': {
    schema: pendingKyc,
    fields: [
      'user.id',
      'user.name',
      'user.email',
      'document.number',
      'document.type',
      'document.createdAt',
      'document.front_side',
      'document.back_side',
      'document.selfie',
    ],
    by: ['see what waits, oldest first, with thumbnails that a list can hold'],
  },
  notification: {
    schema: notification,
    fields: ['id', 'title', 'body', 'timestamp', 'read', 'data'],
    by: ['the list is the account’s own, newest first, and its pages neither repeat nor leave out'],
  },
  'webhook of a payment': {
    schema: paymentEvent,
    fields: ['id', 'status', 'amount', 'created_at', 'updated_at', 'paymentId'],
    by: ['a paid charge is told to the system of its merchant, signed by their secret'],
    departs: 'the shape of a payment webhook is given twice, differently',
  },
  'webhook of a withdrawal': {
    schema: withdrawalEvent,
    fields: ['status', 'withdrawalId'],
    by: ['is told to the merchant and to their system, in integer cents, each status once'],
  },
};
