import { formatMoney } from '../format/money.ts';
import { useBalanceHidden } from '../session/balance-privacy.ts';
import { HiddenAmount } from '../ui/index.ts';

/** An amount that reveals the balance. It is shown as dots while the user hides balances. */
export function Balance({ cents }: { cents: number }) {
  return useBalanceHidden() ? <HiddenAmount /> : formatMoney(cents);
}
