/** Addresses of the screens, written once. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  dashboard: '/dashboard',
  wallet: '/wallet',
  apiKeys: '/api-keys',
  transactions: '/transactions',
  pixPayment: '/pix-payment',
  kycVerification: '/kyc-verification',
} as const;
