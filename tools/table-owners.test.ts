import { expect, test } from 'vitest';
import { isTest, readSources } from './sources.ts';

/** The tables of each module of the server, or file beside the modules. Only their owner writes them; others may read them. */
const owners: Readonly<Record<string, readonly string[]>> = {
  identity: [
    'users',
    'sessions',
    'live_tickets',
    'throttles',
    'known_devices',
    'totp_factors',
    'passkeys',
    'recovery_codes',
    'factor_challenges',
    'step_ups',
  ],
  accounts: ['password_recoveries'],
  members: ['members', 'member_invitations'],
  handover: ['account_handovers'],
  'support-access': ['support_access'],
  approvals: ['approval_requests', 'approvals', 'approval_history'],
  kyc: ['kyc_submissions', 'kyc_pictures', 'kyc_uploads'],
  avatars: ['avatars'],
  'api-keys': ['api_keys', 'scoped_keys'],
  http: ['idempotency_keys'],
  mail: ['mails', 'mail_links'],
  payments: [
    'charges',
    'charge_metadata',
    'charge_options',
    'due_terms',
    'abandoned_charges',
    'received_pix',
    'received_pix_list_position',
    'payer_rules',
    'held_pix',
  ],
  'charge-batches': ['charge_batches', 'charge_batch_lines'],
  'payment-links': ['payment_links'],
  'counter-codes': ['counter_codes'],
  customers: ['customers'],
  subscriptions: ['subscriptions', 'mandates', 'cycles', 'cycle_codes', 'debit_attempts'],
  reminders: ['reminder_settings', 'charge_reminders', 'debit_reminders'],
  checkout: ['merchant_brands'],
  reserves: ['reserves', 'reserve_claims'],
  refunds: ['refunds', 'suspense_proposals'],
  withdrawals: [
    'withdrawals',
    'withdrawal_returns',
    'withdrawal_controls',
    'person_holds',
    'withdrawal_destinations',
    'payout_list_position',
  ],
  disputes: ['disputes', 'dispute_files', 'dispute_list_position'],
  'fee-statements': ['fee_statements', 'fee_statement_days', 'fee_statement_charges'],
  webhooks: [
    'events',
    'webhook_secrets',
    'webhook_endpoints',
    'webhook_cursors',
    'webhook_leases',
    'webhook_deliveries',
    'webhook_health',
  ],
  outbox: ['outbox'],
  notifications: [
    'notifications',
    'notification_marks',
    'push_subscriptions',
    'push_deliveries',
    'push_opt_outs',
  ],
  connections: ['bank_connections'],
  psp: ['psp_inbox', 'bank_hints', 'bank_looks'],
  'payouts-stop': ['stopped_connections'],
  'bank-watch': ['bank_balance', 'balance_comparison', 'reconciled_days', 'bank_movements', 'open_items'],
  gateway: ['gateway', 'write_checks'],
  audit: ['audit_log', 'audit_chain', 'audit_head'],
};

/** The tables that only functions of the database write: `post`, and those of triggers. */
const writtenByFunctions = [
  'ledger_entries',
  'ledger_balances',
  'ledger_days',
  'merchant_counters',
  'merchant_days',
  'charge_runs',
  'open_charges',
  'ended_charges',
  'unposted_pix',
];

/** The allowed writes by modules that do not own the table, each with its reason. */
const exceptions = [
  // The payouts stop is one column of the gateway's row, and the only one that several modules need.
  'payouts-stop writes gateway',
  // Incoming money covers open shortfalls in the same statement.
  'ledger writes disputes',
  // A payment counts for its link or code in the transaction that settles it; both modules build on payments.
  'payments writes payment_links',
  'payments writes counter_codes',
  // The devices of a session are deleted in the statement that ends the session.
  'identity writes push_subscriptions',
];

const tables = readSources('server/migrations', '.sql').flatMap(({ text }) =>
  [...text.matchAll(/^create table (\w+)/gm)].map(([, table = '']) => table),
);
const ownedTables = Object.entries(owners).flatMap(([owner, names]) =>
  names.map((name) => ({ owner, name })),
);

test('every table has one owner', () => {
  expect([...ownedTables.map(({ name }) => name), ...writtenByFunctions].toSorted()).toEqual(
    tables.toSorted(),
  );
});

test('the function that writes the books is called only by the ledger', () => {
  const callers = readSources('server/src', '.ts').filter(
    ({ path, text }) => !isTest(path) && /\bselect\s+post\s*\(/.test(text),
  );
  expect(callers.map(({ path }) => path)).toEqual(['server/src/ledger/post.ts']);
});

test('a table is written only by its owner', () => {
  const ownerOf = new Map(ownedTables.map(({ owner, name }) => [name, owner]));
  const writes = readSources('server/src', '.ts')
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, text }) => {
      const [, writer = ''] = /^server\/src\/([a-z-]+)/.exec(path) ?? [];
      const statements = text.matchAll(
        /(?:insertInto|updateTable|deleteFrom)\('(\w+)|\b(?:insert into|update|delete from)\s+(\w+)/g,
      );
      return [...statements]
        .map(([, byName, inSql]) => byName ?? inSql ?? '')
        .filter((table) => tables.includes(table) && ownerOf.get(table) !== writer)
        .map((table) => `${writer} writes ${table}`);
    });
  expect([...new Set(writes)].toSorted()).toEqual(exceptions.toSorted());
});
