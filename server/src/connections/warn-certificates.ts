import { formatMomentForSentence } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import {
  type ExpiringCertificate,
  forgetWarnings,
  suspendExpired,
  takeExpiringWithin,
} from './certificate-store.ts';
import { tellOwner } from './tell-owner.ts';

/** The owner is told this many days before a certificate expires, once each. The smallest comes first. */
const warningDays = [1, 3, 14, 30] as const;

const expiredReason = 'O certificado do banco venceu.';

/**
 * Warns the owners of accounts whose client certificate expires soon, and suspends the accounts whose certificate has
 * expired: the bank takes no call with it.
 */
export async function warnOfCertificates(deps: Pick<Deps, 'db' | 'clock' | 'banks' | 'log'>): Promise<void> {
  await inTransaction(deps, async (tx) => {
    for (const expired of await suspendExpired(tx, expiredReason)) {
      deps.log.warn({ connectionId: expired.id }, 'an account was suspended: its certificate has expired');
      await tellOwner(tx, {
        ...subjectOf(expired),
        type: 'connection.suspended',
        ...expiredText(deps, expired),
      });
    }
  });
  await inTransaction(deps, (tx) => forgetWarnings(tx, Math.max(...warningDays)));
  // The smallest number of days takes a certificate first, so that an owner is not told about several at once.
  for (const days of warningDays)
    await inTransaction(deps, async (tx) => {
      for (const expiring of await takeExpiringWithin(tx, days))
        await tellOwner(tx, {
          ...subjectOf(expiring),
          type: 'connection.certificate-expiring',
          ...expiringText(deps, expiring),
        });
    });
}

const subjectOf = ({ id, merchant_id }: ExpiringCertificate) => ({
  merchantId: merchant_id,
  connectionId: id,
});

const advice =
  'Gere outro no painel do banco e envie na página da conta: o atual continua valendo até a troca.';

function expiringText(deps: Pick<Deps, 'banks'>, expiring: ExpiringCertificate) {
  const when = formatMomentForSentence(expiring.certificate_expires_at);
  return {
    title: 'O certificado da sua conta está perto de vencer',
    body: `O certificado da sua conta em ${bankNameOf(deps, expiring)} vence em ${when}. Depois disso, o banco não aceita mais nada. ${advice}`,
  };
}

function expiredText(deps: Pick<Deps, 'banks'>, expired: ExpiringCertificate) {
  return {
    title: 'Sua conta bancária foi suspensa',
    body: `O certificado da sua conta em ${bankNameOf(deps, expired)} venceu, e o banco não aceita mais nada. Nenhuma cobrança é criada por ela até você enviar outro na página da conta e, quando a verificação passar, reativar a conta.`,
  };
}

const bankNameOf = ({ banks }: Pick<Deps, 'banks'>, { id, bank }: ExpiringCertificate) =>
  banks.find(id)?.institution ?? bank;
