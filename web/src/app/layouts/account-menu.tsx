import { useQuery } from '@tanstack/react-query';
import { LogOut, Moon, Sun, UserRound } from 'lucide-react';
import { Suspense } from 'react';
import { profileQuery } from '../../api/queries.ts';
import { initials } from '../../format/person-name.ts';
import { Link, lazyScreen } from '../../navigation/index.ts';
import { Avatar } from '../../panel/avatar.tsx';
import { useSession } from '../../session/session.ts';
import { signOut } from '../../session/sign-in.ts';
import { LoadingRegion, Menu, MenuItem, menuItemClass, Skeleton } from '../../ui/index.ts';
import { paths } from '../paths.ts';
import { setTheme, useTheme } from '../theme.ts';

// Only for whoever is a member of several accounts.
const AccountsList = lazyScreen(() => import('./accounts-list.tsx'), 'AccountsList');

/** The avatar with its menu. */
export function AccountMenu() {
  const user = useSession((state) => state.user);
  const { data: profile } = useQuery(profileQuery);
  const theme = useTheme();
  const isDark = theme === 'dark';
  const ThemeIcon = isDark ? Sun : Moon;
  return (
    <Menu
      // The visible initials must be part of the accessible name, so that voice control finds the button.
      label={`Conta ${initials(user?.name ?? '')}`.trim()}
      trigger={<Avatar name={user?.name ?? ''} image={user?.avatar ?? ''} />}
      header={
        <>
          <p className="font-strong wrap-anywhere">{user?.name}</p>
          <p className="text-xs wrap-anywhere text-muted">{profile?.email ?? user?.username}</p>
        </>
      }
    >
      {user?.account !== undefined && (
        <Suspense fallback={<AccountsSkeleton />}>
          <AccountsList />
        </Suspense>
      )}
      <Link to={paths.profile} role="menuitem" className={menuItemClass}>
        <UserRound className="size-4 text-muted" strokeWidth={1.75} aria-hidden="true" />
        Perfil
      </Link>
      <MenuItem
        icon={<ThemeIcon className="size-4 text-muted" strokeWidth={1.75} aria-hidden="true" />}
        onSelect={() => setTheme(isDark ? 'corporate' : 'dark')}
      >
        {isDark ? 'Tema claro' : 'Tema escuro'}
      </MenuItem>
      <MenuItem
        icon={<LogOut className="size-4 text-muted" strokeWidth={1.75} aria-hidden="true" />}
        onSelect={signOut}
      >
        Sair
      </MenuItem>
    </Menu>
  );
}

function AccountsSkeleton() {
  return (
    <LoadingRegion>
      <Skeleton className="mx-3 my-2 h-16" />
    </LoadingRegion>
  );
}
