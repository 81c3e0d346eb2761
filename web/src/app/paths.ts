/** Addresses of the screens, written once. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  dashboard: '/dashboard',
  wallet: '/wallet',
  statement: '/statement',
  apiKeys: '/api-keys',
  transactions: '/transactions',
  pixPayment: '/pix-payment',
  withdrawals: '/withdrawals',
  withdrawalHistory: '/withdrawal-history',
  apiWithdrawals: '/api-withdrawals',
  disputes: '/disputes',
  kycVerification: '/kyc-verification',
} as const;
