import type { UserModel } from '@jangada/contract';
import { paths } from '../../app/paths.ts';
import { formatMoney } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { BalanceParts, useBalanceParts } from '../../panel/balance.tsx';
import { useMay } from '../../session/account.ts';
import { useBalanceHidden } from '../../session/balance-privacy.ts';
import { Code, Facts, HiddenAmount, Panel, Skeleton, StatusBadge } from '../../ui/index.ts';

/** The balance, and whether the API is active for this account. */
export function AccountSummary({ user }: { user: UserModel | undefined }) {
  const isHidden = useBalanceHidden();
  const parts = useBalanceParts();
  const keepsKeys = useMay('manage-main-key');
  return (
    <Panel well label="Resumo da conta">
      <p className="text-xs font-medium text-muted">Saldo</p>
      <p className="mt-0.5 text-lg font-strong whitespace-nowrap tabular-nums">
        {isHidden ? <HiddenAmount /> : formatMoney(user?.balanceCents)}
      </p>
      {parts && (
        <p className="mt-1 text-xs text-muted">
          <BalanceParts parts={parts} />
        </p>
      )}
      <Facts
        className="mt-3"
        bordered={false}
        facts={[
          {
            label: 'API',
            value:
              user === undefined ? (
                <Skeleton className="h-5.5 w-16" />
              ) : (
                <StatusBadge status={user.apiActive ? 'done' : 'gone'}>
                  {user.apiActive ? 'Ativa' : 'Inativa'}
                </StatusBadge>
              ),
          },
          ...(keepsKeys
            ? [
                {
                  label: 'Chave',
                  value:
                    user === undefined ? (
                      <Skeleton className="h-3 w-28" />
                    ) : (
                      <Link to={paths.apiKeys} className="link">
                        {user.apiKey === '' ? 'Chaves de API' : <Code>{user.apiKey}</Code>}
                      </Link>
                    ),
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}
