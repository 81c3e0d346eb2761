// The data of another provider (another-provider.ts): accounts, payments and withdrawals, with the
// specification's field names.

/** A PNG of one pixel. */
export const photo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Returns a time in October 2026. */
const moment = (day: number, hour = 15) => new Date(Date.UTC(2026, 9, day, hour, 32)).toISOString();

export const taxes = {
  pix: { in: 0.99, out: 0.5, fixIn: 0.1, fixOut: 0.8 },
  crypto: 0.4,
  reserve: { enabled: true, percentage: 5, liberationTime: 30 },
};

/** An account with the field names and the numeric id that the specification allows. */
const merchant = {
  id: 41,
  name: 'Marina Albuquerque',
  username: 'marina',
  email: 'marina@outro.example',
  approved: true,
  role: 'USER',
  balance: 12_480.37,
  api_active: true,
  document: '12345678909',
  docType: 'CPF',
  created_at: moment(1),
  updated_at: moment(2),
  push_id: null,
  push_ids: [],
};

/** Returns the account with this username. */
export function findAccount(username: string): typeof merchant | undefined {
  return accounts.find((candidate) => candidate.username === username);
}

const accounts = [
  merchant,
  { ...merchant, id: 1, username: 'chefe', name: 'Beatriz Chefe', role: 'ADMIN' },
  { ...merchant, id: 42, username: 'novo', name: 'Novo Lojista', approved: false, balance: 0 },
  { ...merchant, id: 43, username: 'empresa', approved: false, docType: 'CNPJ', document: '11222333000181' },
];

/** The accounts in the administrator's list. */
export const users = [
  {
    ...merchant,
    id: 51,
    username: 'severino',
    name: 'Severino Maranhão',
    email: 'severino@outro.example',
    balance: 250.4,
  },
  { ...merchant, id: 52, username: 'rosa', name: 'Rosa Lima', email: 'rosa@outro.example', approved: false },
];

/** Payments: one of each status, one of an unknown status, and twelve more to fill a page. */
export const feed = [
  ['paid', 412.9, 408.81],
  ['pending', 25.9, 0],
  ['expired', 10, 0],
  ['refunded', 33.3, 32.9],
  ['error', 7, 0],
  ['em_custodia', 19.99, 0],
  ...Array.from({ length: 12 }, (_, index) => ['paid', 100 + index, 99 + index] as const),
].map(([status, amount, credited_amount], index) => ({
  id: `tx-${1000 + index}`,
  status: String(status),
  amount: Number(amount),
  credited_amount: Number(credited_amount),
  created_at: moment(28 - index),
  paid_at: status === 'paid' || status === 'refunded' ? moment(28 - index, 16) : null,
  content: `00020126BRCODE${index}`,
}));

const counts = {
  deposits: 44,
  withdrawals: 16,
  pendingDeposits: 3,
  pendingWithdrawals: 1,
  failedTransactions: 5,
};
const figures = {
  totalTransactions: 60,
  totalEarned: 38_561.1,
  totalWithdrawn: 250.5,
  pendingWithdrawals: 100,
  reservedAmount: 321.07,
  availableBalance: 12_480.37,
  lastTransactionDate: moment(28),
};

/** The figures of the wallet in both formats of the specification. */
export const stats = {
  nested: { success: true, data: { stats: figures, summary: counts } },
  flat: {
    total_transactions: figures.totalTransactions,
    total_earned: figures.totalEarned,
    total_withdrawn: figures.totalWithdrawn,
    pending_withdrawals: figures.pendingWithdrawals,
    reserved_amount: figures.reservedAmount,
    available_balance: figures.availableBalance,
    last_transaction_date: figures.lastTransactionDate,
    deposits_count: counts.deposits,
    withdrawals_count: counts.withdrawals,
    pending_deposits_count: counts.pendingDeposits,
    pending_withdrawals_count: counts.pendingWithdrawals,
    failed_transactions_count: counts.failedTransactions,
  },
};

const withdrawal = {
  id: 901,
  status: 'PROCESSING',
  amount_cents: 10_050,
  pix_key: '12345678909',
  created_at: moment(27),
  updated_at: moment(27, 16),
  completed_at: null as string | null,
  error: null as string | null,
};

/** Withdrawals in several statuses, one of which the dashboard does not know. */
export const withdrawals = [
  withdrawal,
  { ...withdrawal, id: 902, status: 'COMPLETED', pix_key: 'loja@outro.example', completed_at: moment(26) },
  { ...withdrawal, id: 903, status: 'FAILED', pix_key: '+5581999998888', error: 'Chave inexistente' },
  { ...withdrawal, id: 904, status: 'PAID', pix_key: '11222333000181', completed_at: moment(25) },
  { ...withdrawal, id: 905, status: 'ON_HOLD', pix_key: '123e4567-e12b-12d1-a456-426655440000' },
];

const picture = photo.toString('base64');

export const pendingKyc = [51, 52].map((id) => ({
  user: { id, name: id === 51 ? 'Severino Maranhão' : 'Rosa Lima', email: `${id}@outro.example` },
  document: {
    number: '52998224725',
    type: 'cpf',
    createdAt: moment(20),
    front_side: picture,
    back_side: `data:image/png;base64,${picture}`,
    selfie: picture,
  },
}));
