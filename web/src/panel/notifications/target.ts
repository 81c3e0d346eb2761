/** The subject of a notification, as the gateway wrote it: `{type: 'payment.paid', id}`. */
type Spoken = Readonly<Record<string, unknown>>;

const targets: readonly (readonly [RegExp, (id: string) => string])[] = [
  [/^payment\./, (id) => `/transactions${id}`],
  [/^withdrawal\./, (id) => `/withdrawal-history${id}`],
  [/^dispute\./, (id) => `/disputes${id}`],
  [/^withdrawals\.(api|destination)/, () => '/api-withdrawals'],
  [/^withdrawals\./, () => '/withdrawals'],
  [/^operation\.closing$/, (id) => `/admin/user-management${id}`],
  [/^operation\.documents$/, () => '/admin/kyc-management'],
  [/^operation\.payouts-stopped$/, () => '/admin/withdrawals'],
  [/^operation\./, () => '/admin/reconciliation'],
  [/^security\.api-key$/, () => '/api-keys'],
  [/^security\./, () => '/profile/security'],
  [/^webhook\./, (id) => `/webhooks${id}`],
  [/^kyc\./, () => '/kyc-verification'],
];

/** The address of a notification's subject; undefined when it has no screen of its own. */
export function targetOf({ type, id }: Spoken): string | undefined {
  const found = targets.find(([pattern]) => pattern.test(String(type)));
  return found?.[1](typeof id === 'string' ? `?id=${encodeURIComponent(id)}` : '');
}
