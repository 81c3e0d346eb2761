import { useQuery } from '@tanstack/react-query';
import { LogOut, Moon, Sun } from 'lucide-react';
import { profileQuery } from '../../api/queries.ts';
import { useSession } from '../../session/session.ts';
import { signOut } from '../../session/sign-in.ts';
import { Menu, MenuItem } from '../../ui/index.ts';
import { setTheme, useTheme } from '../theme.ts';

/** The avatar and what hangs on it. */
export function AccountMenu() {
  const user = useSession((state) => state.user);
  const { data: profile } = useQuery(profileQuery);
  const theme = useTheme();
  const dark = theme === 'dark';
  const ThemeIcon = dark ? Sun : Moon;
  return (
    <Menu
      // A voice that says what it sees must find the button: the letters belong to its name.
      label={`Conta ${initials(user?.name ?? '')}`.trim()}
      trigger={<Avatar name={user?.name ?? ''} image={user?.avatar ?? ''} />}
      header={
        <>
          <p className="truncate font-strong">{user?.name}</p>
          <p className="truncate text-xs text-muted">{profile?.email ?? user?.username}</p>
        </>
      }
    >
      <MenuItem
        icon={<ThemeIcon className="size-4 text-muted" strokeWidth={1.75} aria-hidden="true" />}
        onSelect={() => setTheme(dark ? 'corporate' : 'dark')}
      >
        {dark ? 'Tema claro' : 'Tema escuro'}
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

/** The picture, or in its place the first letters of the first two names. */
function Avatar({ name, image }: { name: string; image: string }) {
  if (image !== '') return <img src={image} alt="" className="size-8 rounded-full object-cover" />;
  return (
    <span className="grid size-8 place-items-center rounded-full bg-primary-tint text-xs font-strong text-primary">
      {initials(name)}
    </span>
  );
}

const joining = /^(?:d[aeo]s?|e)$/i;

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '' && !joining.test(word));
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0).toLocaleUpperCase('pt-BR'))
    .join('');
}
