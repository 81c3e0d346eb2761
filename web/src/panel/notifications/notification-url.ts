/** The subject of a notification, as the gateway sent it: `{type: 'payment.paid', id}`. */
type NotificationSubject = Readonly<Record<string, unknown>>;

/**
 * The screen for each type of notification; the first matching pattern counts. `query` is `?id=…`, or empty when the
 * subject has no id.
 */
const targets: readonly (readonly [RegExp, (query: string) => string])[] = [
  [/^payment\./, (query) => `/transactions${query}`],
  [/^pix\./, () => '/cobrancas?tab=held'],
  [/^withdrawal\./, (query) => `/withdrawal-history${query}`],
  [/^fee_statement\./, (query) => `/fees${query}`],
  [/^dispute\./, (query) => `/disputes${query}`],
  [/^withdrawals\.(api|destination)/, () => '/api-withdrawals'],
  [/^withdrawals\./, () => '/withdrawals'],
  [/^operation\.closing$/, (query) => `/admin/user-management${query}`],
  [/^operation\.documents$/, () => '/admin/kyc-management'],
  [/^operation\.payouts-stopped$/, () => '/admin/withdrawals'],
  [/^operation\./, () => '/admin/reconciliation'],
  [/^security\.api-key$/, () => '/api-keys'],
  [/^security\./, () => '/profile/security'],
  [/^webhook\./, (query) => `/webhooks${query}`],
  [/^connection\./, (query) => `/bank${query}`],
  [/^kyc\./, () => '/kyc-verification'],
  [/^(mandate|cycle|subscription)\./, (query) => `/assinaturas${query}`],
  [/^reminders\./, () => '/clientes/lembretes'],
  [/^approval\.operator/, (query) => `/admin/aprovacoes${query}`],
  [/^approval\./, (query) => `/aprovacoes${query}`],
];

/** The URL of the screen that shows a notification's subject; undefined when no screen shows it. */
export function notificationUrl({ type, id, account_id }: NotificationSubject): string | undefined {
  // Approvals of the operator's own acts have the account 0.
  const name = account_id === '0' ? String(type).replace('.', '.operator.') : String(type);
  const target = targets.find(([pattern]) => pattern.test(name));
  return target?.[1](typeof id === 'string' ? `?id=${encodeURIComponent(id)}` : '');
}
