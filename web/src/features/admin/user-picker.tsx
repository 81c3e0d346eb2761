import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { useSession } from '../../session/session.ts';
import { Spinner, TextField } from '../../ui/index.ts';
import { userSearchQuery } from './admin-queries.ts';

export type PickedUser = { id: string; name: string };

type UserPickerProps = {
  pickedUser: PickedUser | null;
  /** Called with null when the search text changes, so that a user who is no longer in sight does not stay picked. */
  onPick: (user: PickedUser | null) => void;
  error: string | undefined;
};

const MIN_SEARCH_LENGTH = 2;
const MAX_RESULTS = 6;
/** The search starts when the text has not changed for this time. */
const DEBOUNCE_MS = 350;

/** The field with which an administrator finds and picks a merchant. The administrator's own account is left out. */
export function UserPicker({ pickedUser, onPick, error }: UserPickerProps) {
  const [text, setText] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const ownUserId = useSession(({ user }) => user?.id);
  const userSearch = useQuery({ ...userSearchQuery(search), enabled: search.length >= MIN_SEARCH_LENGTH });
  const users = userSearch.data?.users.filter(({ id }) => id !== ownUserId).slice(0, MAX_RESULTS);
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
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onPick(null);
        }}
        onKeyDown={(event) => {
          // Enter starts the search at once, and must not submit the form around this field.
          if (event.key !== 'Enter') return;
          event.preventDefault();
          setSearch(text.trim());
        }}
      />
      <div aria-live="polite">
        {userSearch.isFetching && (
          <p className="mt-2 flex items-center gap-2 text-muted">
            <Spinner /> Buscando
          </p>
        )}
        {!userSearch.isFetching && users?.length === 0 && (
          <p className="mt-2 text-muted">Ninguém com esse nome, e-mail ou documento.</p>
        )}
        {userSearch.isError && (
          <p className="mt-2 text-error">{errorText(userSearch.error, 'Erro ao buscar usuários.')}</p>
        )}
      </div>
      {users !== undefined && users.length > 0 && (
        <FoundUsers users={users} pickedUser={pickedUser} onPick={onPick} />
      )}
    </div>
  );
}

type FoundUsersProps = {
  users: readonly { id: string; name: string; email: string; username: string }[];
  pickedUser: UserPickerProps['pickedUser'];
  onPick: UserPickerProps['onPick'];
};

function FoundUsers({ users, pickedUser, onPick }: FoundUsersProps) {
  return (
    <fieldset className="mt-2 divide-y divide-base-300 border-y border-base-300">
      <legend className="sr-only">Encontrados</legend>
      {users.map((user) => (
        <label key={user.id} className="flex min-h-11 cursor-pointer items-center gap-3 py-2">
          <input
            type="radio"
            name="lojista"
            className="size-4.5 shrink-0 accent-primary"
            checked={pickedUser?.id === user.id}
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
