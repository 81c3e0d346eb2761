import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { useSession } from '../../session/session.ts';
import { Spinner, TextField } from '../../ui/index.ts';
import { foundUsersQuery } from './desk-queries.ts';

export type PickedUser = { id: string; name: string };

type UserPickerProps = {
  picked: PickedUser | null;
  /** Null once the search text changes, so that the picked user is always visible. */
  onPick: (user: PickedUser | null) => void;
  error: string | undefined;
};

const LEAST = 2;
const SHOWN = 6;
const PAUSE_MS = 350;

/** Finds a merchant by name, e-mail or document. The administrator's own account is excluded. */
export function UserPicker({ picked, onPick, error }: UserPickerProps) {
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const own = useSession(({ user }) => user?.id);
  const found = useQuery({ ...foundUsersQuery(search), enabled: search.length >= LEAST });
  const users = found.data?.users.filter(({ id }) => id !== own).slice(0, SHOWN);
  return (
    <div className="min-w-0">
      <TextField
        type="search"
        label="Lojista"
        placeholder="Nome, e-mail ou documento"
        autoComplete="off"
        spellCheck={false}
        maxLength={120}
        error={error}
        before={<Search className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden="true" />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          onPick(null);
        }}
        onKeyDown={(event) => {
          // Enter searches at once instead of submitting the surrounding form.
          if (event.key !== 'Enter') return;
          event.preventDefault();
          setSearch(typed.trim());
        }}
      />
      <div aria-live="polite">
        {found.isFetching && (
          <p className="mt-2 flex items-center gap-2 text-muted">
            <Spinner /> Buscando
          </p>
        )}
        {!found.isFetching && users?.length === 0 && (
          <p className="mt-2 text-muted">Ninguém com esse nome, e-mail ou documento.</p>
        )}
        {found.isError && (
          <p className="mt-2 text-error">{errorText(found.error, 'Erro ao buscar usuários.')}</p>
        )}
      </div>
      {users !== undefined && users.length > 0 && (
        <FoundUsers users={users} picked={picked} onPick={onPick} />
      )}
    </div>
  );
}

type FoundUsersProps = {
  users: readonly { id: string; name: string; email: string; username: string }[];
  picked: UserPickerProps['picked'];
  onPick: UserPickerProps['onPick'];
};

function FoundUsers({ users, picked, onPick }: FoundUsersProps) {
  return (
    <fieldset className="mt-2 divide-y divide-base-300 border-y border-base-300">
      <legend className="sr-only">Encontrados</legend>
      {users.map((user) => (
        <label key={user.id} className="flex min-h-11 cursor-pointer items-center gap-3 py-2">
          <input
            type="radio"
            name="lojista"
            className="size-4.5 shrink-0 accent-primary"
            checked={picked?.id === user.id}
            onChange={() => onPick({ id: user.id, name: user.name })}
          />
          <span className="min-w-0">
            <span className="block wrap-anywhere">{user.name}</span>
            <span className="block text-xs break-all text-muted">
              {user.email} · {user.username}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
