import { type BalanceParts as BalancePartsModel, balancePartsOf } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { profileQuery } from '../api/queries.ts';
import { paths } from '../app/paths.ts';
import { formatMoney } from '../format/money.ts';
import { Link } from '../navigation/index.ts';
import { useBalanceHidden } from '../session/balance-privacy.ts';
import { HiddenAmount } from '../ui/index.ts';

/** An amount that reveals the balance. It is shown as dots while the user hides balances. */
export function Balance({ cents }: { cents: number }) {
  return useBalanceHidden() ? <HiddenAmount /> : formatMoney(cents);
}

/** Where a balance is that has two parts: `No operador R$ 4.103,61 · No seu banco R$ 5,00`. */
export function BalanceParts({ parts }: { parts: BalancePartsModel }) {
  return (
    <>
      No operador <Balance cents={parts.atOperatorCents} /> · No seu banco{' '}
      <Balance cents={parts.atOwnBankCents} />
    </>
  );
}

/** The same, each part with a link to the statement of its account. */
export function BalancePartLinks({ parts }: { parts: BalancePartsModel }) {
  return (
    <>
      <Link to={paths.statement} search={{ account: 'available' }} className="link">
        No operador <Balance cents={parts.atOperatorCents} />
      </Link>{' '}
      ·{' '}
      <Link to={paths.statement} search={{ account: 'own' }} className="link">
        No seu banco <Balance cents={parts.atOwnBankCents} />
      </Link>
    </>
  );
}

/** The parts of the account's balance; null while it has only one. */
export function useBalanceParts(): BalancePartsModel | null {
  const user = useQuery(profileQuery).data;
  return user === undefined
    ? null
    : balancePartsOf(user.balanceCents, user.atOperatorCents, user.atOwnBankCents);
}
