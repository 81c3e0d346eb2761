/** Who opens a screen. */
export type ScreenAccess = 'any' | 'public' | 'login' | 'ADMIN';

/** A route of the specification's table: held against the router and the menu themselves. */
export type SpecifiedRoute = {
  readonly path: string;
  readonly entry: ScreenAccess;
  /** Its name in the menu. */
  readonly label?: string;
  readonly purpose: string;
  readonly by: readonly string[];
};

const everywhere = 'every screen of the panel stands within it';
const asked = 'whoever is not signed in is asked to, and then stands where they wanted to go';

export const routes: readonly SpecifiedRoute[] = [
  { path: '/', entry: 'any', purpose: 'leads to /dashboard', by: [asked] },
  { path: '/login', entry: 'public', purpose: 'sign-in', by: [asked] },
  {
    path: '/register',
    entry: 'public',
    purpose: 'registration',
    by: ['a registration that does not hold says why at each field and loses nothing'],
  },
  {
    path: '/docs',
    entry: 'public',
    purpose: 'documentation for integrators',
    by: [
      'without JavaScript the documentation is whole: calls, samples in the language chosen, errors, at its own address',
    ],
  },
  { path: '/dashboard', entry: 'login', label: 'Início', purpose: 'overview', by: [everywhere] },
  { path: '/wallet', entry: 'login', label: 'Carteira', purpose: 'wallet', by: [everywhere] },
  { path: '/api-keys', entry: 'login', label: 'Chaves de API', purpose: 'API key', by: [everywhere] },
  {
    path: '/transactions',
    entry: 'login',
    label: 'Todas as Transações',
    purpose: 'list of transactions',
    by: [everywhere],
  },
  {
    path: '/pix-payment',
    entry: 'login',
    label: 'Criar Pagamento',
    purpose: 'generate a PIX',
    by: [everywhere],
  },
  {
    path: '/pix-api-docs',
    entry: 'login',
    label: 'Documentação API',
    purpose: 'documentation in the panel',
    by: ['on a %s the panel shows the same, its samples filled in with the merchant’s own key'],
  },
  { path: '/withdrawals', entry: 'login', label: 'Sacar', purpose: 'withdrawal request', by: [everywhere] },
  {
    path: '/withdrawal-history',
    entry: 'login',
    label: 'Histórico de Saques',
    purpose: 'list of withdrawals',
    by: [everywhere],
  },
  { path: '/profile', entry: 'login', label: 'Perfil', purpose: 'profile', by: [everywhere] },
  { path: '/kyc-verification', entry: 'login', purpose: 'documents of identity', by: [everywhere] },
  {
    path: '/admin/user-management',
    entry: 'ADMIN',
    label: 'Usuários',
    purpose: 'administration of users',
    by: ['an administrator changes fees and balance, and finds both in the audit log'],
  },
  {
    path: '/admin/kyc-management',
    entry: 'ADMIN',
    label: 'Verificações KYC',
    purpose: 'review of identity documents',
    by: [
      'somebody opens an account, is rejected with a reason, sends documents again, is approved, and hears of it',
    ],
  },
];
