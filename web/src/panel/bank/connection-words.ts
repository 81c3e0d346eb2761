import { type BankConnection, CHECK_VALID_MS, type ConnectionState } from '@jangada/contract';
import { formatDate } from '../../format/date.ts';
import type { GlyphName } from '../../ui/index.ts';

// How screens speak of a connection, which is an account of a merchant's own at a bank.

const DAY_MS = 86_400_000;
/** From how many days before its expiry screens warn of a certificate. */
const CERTIFICATE_WARNING_DAYS = 30;

export const stateLabels: Record<ConnectionState, string> = {
  draft: 'Em preparo',
  active: 'Ativa',
  suspended: 'Suspensa',
  retiring: 'Encerrando',
  retired: 'Encerrada',
};

/** The state of a connection as a badge: a fault of an active one counts more than its state. */
export function connectionBadge(connection: BankConnection): { glyph: GlyphName; label: string } {
  const { state, broken, check, awaits_addresses } = connection;
  if (state === 'active')
    return broken === null ? { glyph: 'done', label: 'Ativa' } : { glyph: 'failed', label: 'Com falha' };
  if (state === 'suspended') return { glyph: 'gone', label: 'Suspensa' };
  if (state === 'retiring') return { glyph: 'waiting', label: 'Encerrando' };
  if (state === 'retired') return { glyph: 'gone', label: 'Encerrada' };
  if (check?.result === 'running') return { glyph: 'processing', label: 'Verificando' };
  if (awaits_addresses) return { glyph: 'waiting', label: 'Espera o operador' };
  if (check?.result === 'failed') return { glyph: 'failed', label: 'Não passou' };
  return check?.result === 'passed'
    ? { glyph: 'waiting', label: 'Pronta' }
    : { glyph: 'waiting', label: 'Não verificada' };
}

/** The name that the merchant gave the account, or else the bank's. The gateway may store the bank's as the name. */
export function connectionTitle({ name, bank_name }: Pick<BankConnection, 'name' | 'bank_name'>): string {
  return name === '' ? bank_name : name;
}

/** The days until a certificate in use expires, negative after that; null for one that is not known to expire. */
function certificateDaysLeft({ certificate, state }: BankConnection, now: number): number | null {
  if (certificate === null || certificate.expires_at === null || state === 'retired') return null;
  return Math.floor((Date.parse(certificate.expires_at) - now) / DAY_MS);
}

/** The same in a narrow place: `Certificado vence em 12 dias`. */
export function shortCertificateWarning(connection: BankConnection, now: number): string | undefined {
  const [soonest] = certificateWarning(connection, now)?.split(', ') ?? [];
  return soonest && `Certificado ${soonest.charAt(0).toLowerCase()}${soonest.slice(1)}`;
}

/** When the certificate expires, if that is soon: `Vence em 12 dias, em 21/11/2026`. */
export function certificateWarning(connection: BankConnection, now: number): string | undefined {
  const days = certificateDaysLeft(connection, now);
  if (days === null || days > CERTIFICATE_WARNING_DAYS) return undefined;
  const date = formatDate(connection.certificate?.expires_at);
  if (days < 0) return `Venceu em ${date}`;
  if (days === 0) return 'Vence em menos de um dia';
  return `Vence em ${days === 1 ? '1 dia' : `${days} dias`}, em ${date}`;
}

/** Whether an account may be put to use: its last check, of the credentials in use, passed at most a day ago. */
export function hasFreshCheck({ check }: BankConnection, now: number): boolean {
  return (
    check !== null &&
    check.result === 'passed' &&
    check.ended_at !== null &&
    now - Date.parse(check.ended_at) < CHECK_VALID_MS
  );
}

/** The bank and the key of an account, beside its title; the bank only where the title is another name. */
export function bankAndKey(connection: Pick<BankConnection, 'name' | 'bank_name' | 'pix_key'>): string {
  const { bank_name, pix_key } = connection;
  return connectionTitle(connection) === bank_name ? pix_key : `${bank_name} · ${pix_key}`;
}
