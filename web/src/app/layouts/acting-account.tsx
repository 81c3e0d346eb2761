import { memberRoleTexts } from '@jangada/contract';
import { Store } from 'lucide-react';
import { useLookedInto } from '../../panel/members/accounts-query.ts';
import { useSession } from '../../session/session.ts';

/** Says for which account a member acts, and in which role: on one line, and in the sidebar on two. */
export function ActingAccount() {
  const account = useSession(({ user }) => user?.account);
  const lookedInto = useLookedInto();
  if (account === undefined) return null;
  return (
    <p className="flex items-center gap-2 text-sm" title={account.name}>
      <Store className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden="true" />
      <span className="flex min-w-0 items-center gap-x-2 lg:grid">
        <span className="truncate font-medium">
          <span className="sr-only">Conta: </span>
          {account.name}
        </span>
        <span className="shrink-0 text-xs text-muted">
          {lookedInto ? 'Suporte, só leitura' : memberRoleTexts[account.role].label}
        </span>
      </span>
    </p>
  );
}
