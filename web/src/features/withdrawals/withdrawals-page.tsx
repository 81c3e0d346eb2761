import { errors } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { profileQuery, settingsQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { NotApproved } from '../../panel/not-approved.tsx';
import { isAccountApproved } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, EmptyState, PageHeader, useIsNarrow } from '../../ui/index.ts';
import { useWithdrawalBlocker } from './withdrawal-blocker.tsx';
import { WithdrawalForm } from './withdrawal-form.tsx';
import { NotSendable, useWithdrawalSources } from './withdrawal-sources.tsx';

/** The withdrawal screen. Anything that makes a withdrawal impossible is shown before the user types. */
export function WithdrawalsPage() {
  const isApproved = useSession(isAccountApproved);
  const areWithdrawalsOffered = useQuery(settingsQuery).data?.withdrawals ?? true;
  const { is_without_payouts } = useMerchantBank();
  const user = useQuery(profileQuery).data;
  const hasBalance = (user?.atOperatorCents ?? user?.balanceCents ?? 0) > 0;
  // Money at the operator, from before the merchant was paid into an own account, can still be withdrawn.
  const { hasNone, notSendableCents } = useWithdrawalSources();
  const isAllAtOwnBank = hasNone || (is_without_payouts && !hasBalance);
  const isNarrow = useIsNarrow();
  const blocker = useWithdrawalBlocker(isApproved && areWithdrawalsOffered);
  return (
    // As wide as the form and its summary, so that the header's action is aligned with the summary's edge.
    <div className="max-w-[57.5rem]">
      <PageHeader
        title="Solicitar Saque"
        sentence={
          blocker || !areWithdrawalsOffered || !isApproved || isAllAtOwnBank
            ? undefined
            : 'O dinheiro sai do seu saldo e chega à chave em segundos.'
        }
        actions={
          // On a phone the link is left out, so that the form comes first; the menu has the same link.
          isNarrow ? undefined : (
            <Link to={paths.withdrawalHistory} className={buttonClass()}>
              <History className="size-4" strokeWidth={1.75} aria-hidden="true" />
              Histórico de Saques
            </Link>
          )
        }
      />
      {!areWithdrawalsOffered ? (
        <EmptyState drawing="no-withdrawals" title="Saques indisponíveis">
          {errors.WITHDRAWALS_UNAVAILABLE.message}
        </EmptyState>
      ) : !isApproved ? (
        <NotApproved drawing="no-withdrawals" />
      ) : isAllAtOwnBank ? (
        <EmptyState drawing="no-withdrawals" title="Não há o que sacar">
          {notSendableCents > 0 ? <NotSendable cents={notSendableCents} /> : errors.MONEY_AT_OWN_BANK.message}
        </EmptyState>
      ) : (
        <WithdrawalForm blocker={blocker} />
      )}
    </div>
  );
}
