import { type AuditEntry, adminAuditLog } from '@jangada/contract';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { useNavigate, useSearch } from '../../navigation/index.ts';
import {
  AUDITED_USER_MAX_LENGTH,
  type AuditFilter,
  auditActionNames,
  auditFilterFrom,
} from '../../panel/audit-filter.ts';
import { ListBody, LoadMore, RefreshQueryButton, rowsOf } from '../../panel/list-body.tsx';
import { SearchField } from '../../panel/search-field.tsx';
import { Button, EmptyState, PageHeader, SelectField } from '../../ui/index.ts';
import { AuditTable } from './audit-table.tsx';
import { actionLabel } from './audit-words.ts';
import { EntryDialog } from './entry-dialog.tsx';

const FAILURE = 'Erro ao carregar o registro';

/**
 * The audit log of administrators: who did what and when, and the values before and after. The filter, and the id of
 * the entry whose details are open, are kept in the URL.
 */
export function AdminAuditPage() {
  const filter = useSearch(auditFilterFrom);
  const { id, ...listFilter } = filter;
  const navigate = useNavigate();
  const log = useInfiniteQuery(auditQuery(listFilter));
  const applyFilter = useCallback(
    (newFilter: AuditFilter, replace = false) =>
      void navigate({ to: paths.adminAuditLog, search: newFilter, replace }),
    [navigate],
  );
  const entries = rowsOf(
    log,
    log.data?.pages.flatMap((page) => page.entries),
  );
  const openEntry = entries?.find((entry) => entry.id === String(id));
  const hasUnknownUser = log.error instanceof ApiError && log.error.code === 'USER_NOT_FOUND';

  return (
    <>
      <PageHeader
        title="Registro de auditoria"
        sentence="Quem fez o quê, quando, e o que mudou. Nada aqui pode ser alterado ou apagado."
        actions={<RefreshQueryButton query={log} failure={FAILURE} />}
      />
      <Filters filter={listFilter} entries={hasUnknownUser ? undefined : entries} onFilter={applyFilter} />
      {hasUnknownUser ? (
        <EmptyState
          className="border-t border-base-300"
          drawing="no-result"
          title={`Ninguém se chama “${filter.user}” aqui`}
          action={
            <Button onClick={() => applyFilter(auditFilterFrom({ ...listFilter, user: undefined }))}>
              Limpar filtro
            </Button>
          }
        >
          {errorText(log.error, FAILURE)} Digite o nome de usuário inteiro.
        </EmptyState>
      ) : (
        <ListBody
          query={log}
          title={FAILURE}
          reassurance="O registro continua como estava."
          notOffered="Este provedor não oferece um registro de auditoria."
        >
          {entries?.length === 0 ? (
            <NoEntries hasFilter={Object.keys(listFilter).length > 0} onClear={() => applyFilter({})} />
          ) : (
            <>
              <AuditTable
                entries={entries}
                onOpen={(entry) => applyFilter(auditFilterFrom({ ...listFilter, id: entry.id }))}
              />
              <LoadMore query={log} failure={FAILURE} />
            </>
          )}
        </ListBody>
      )}
      {openEntry !== undefined && (
        <EntryDialog
          entry={openEntry}
          onUser={(user) => applyFilter(auditFilterFrom({ user }))}
          onClose={() => applyFilter(listFilter, true)}
        />
      )}
    </>
  );
}

type FiltersProps = {
  filter: AuditFilter;
  /** The loaded entries. Undefined while loading, and when the filter names a user who does not exist. */
  entries: readonly AuditEntry[] | undefined;
  /** Applies a filter. With `replace`, it takes the place of the current entry of the browser's history. */
  onFilter: (filter: AuditFilter, replace?: boolean) => void;
};

function Filters({ filter, entries, onFilter }: FiltersProps) {
  const { user } = filter;
  const shownName = user === undefined ? undefined : shownNameOf(String(user), entries);
  return (
    <div className="mb-3 grid grid-cols-1 gap-2 md:flex md:items-center">
      <SelectField
        label="Ação"
        labelHidden
        look="line"
        className="md:w-64"
        fieldClassName="md:h-9"
        options={[
          { value: '', label: 'Todas as ações' },
          ...auditActionNames.map((value) => ({ value, label: actionLabel(value) })),
        ]}
        value={filter.action ?? ''}
        onChange={(event) => onFilter(auditFilterFrom({ ...filter, action: event.currentTarget.value }))}
      />
      <SearchField
        label="Usuário ou ID"
        placeholder="Usuário ou ID"
        maxLength={AUDITED_USER_MAX_LENGTH}
        width="md:w-56"
        search={user === undefined ? '' : String(user)}
        onSearch={(text) => onFilter(auditFilterFrom({ ...filter, user: text }), true)}
      />
      {shownName !== undefined && <p className="text-muted">O que fez, e o que foi feito com {shownName}.</p>}
    </div>
  );
}

/**
 * The name to show for the user in the filter, who is given by username or ID. A username is shown as typed, once the
 * gateway has accepted it. For an ID, the name comes from a loaded entry that involves the user, and is undefined until
 * one is loaded.
 */
function shownNameOf(idOrUsername: string, entries: readonly AuditEntry[] | undefined): string | undefined {
  if (!/^\d+$/.test(idOrUsername)) return entries === undefined ? undefined : idOrUsername;
  const people = entries?.flatMap(({ actor, subject }) => [actor, subject]);
  return people?.find((person) => person?.id === idOrUsername)?.name;
}

function NoEntries({ hasFilter, onClear }: { hasFilter: boolean; onClear: () => void }) {
  return hasFilter ? (
    <EmptyState
      className="border-t border-base-300"
      drawing="no-result"
      title="Nada com esse filtro"
      action={<Button onClick={onClear}>Limpar filtro</Button>}
    >
      Nenhuma ação registrada combina com o filtro.
    </EmptyState>
  ) : (
    <EmptyState className="border-t border-base-300" drawing="nothing-yet" title="Nada registrado ainda">
      Cada mudança feita por administradores aparece aqui.
    </EmptyState>
  );
}

/**
 * The audit log, page by page, newest first. `gcTime: 0` drops the loaded pages when this screen closes, so the log is
 * fetched again each time the screen opens.
 */
const auditQuery = ({ user, action }: Omit<AuditFilter, 'id'>) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', { user, action }],
    queryFn: ({ signal, pageParam }) =>
      call(adminAuditLog, {
        query: { ...(user !== undefined && { user: String(user) }), action, before: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
