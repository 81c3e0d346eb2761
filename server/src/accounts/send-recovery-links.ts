import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { makeLink, writeMail } from '../mail/index.ts';
import { findRecoverable, takeRecoveries } from './store.ts';

const atOnce = 20;
export const RECOVERY_LINK_MS = 30 * 60_000;

/** Mails a recovery link to each requester who has an account that is not frozen. Returns the number of requests. */
export function sendRecoveryLinks(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const emails = await takeRecoveries(tx, atOnce);
    if (emails.length === 0) return 0;
    for (const userId of await findRecoverable(tx, emails)) {
      const linkId = await makeLink(tx, { userId, purpose: 'password', lifetimeMs: RECOVERY_LINK_MS });
      await writeMail(tx, {
        userId,
        kind: 'password-recovery',
        subject: 'Crie outra senha',
        paragraphs: [
          'Pediram uma senha nova para a sua conta. Abra o link para criá-la: ele vale por 30 minutos e uma vez só.',
          'Se não foi você, ignore esta mensagem: nada mudou na conta.',
          'Uma senha nova encerra todas as sessões e suspende os saques por 24 horas. O segundo fator, se houver, continua, a não ser que tenha sido cadastrado nas últimas 24 horas.',
        ],
        linkId,
      });
    }
    return emails.length;
  });
}
