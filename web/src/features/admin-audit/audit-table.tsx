import type { AuditEntry } from '@jangada/contract';
import { formatDateTimeToSecond } from '../../format/date.ts';
import { type Column, Table, useMediaQuery } from '../../ui/index.ts';
import { actionLabel, type Change, compareValues, fieldLabel, valueText } from './audit-words.ts';

/** Shown in place of a name when the gateway itself acted, or when the action concerned no account. */
export const PLATFORM = 'Plataforma';

const columns: readonly Column<AuditEntry>[] = [
  { key: 'at', head: 'Quando', cell: ({ at }) => formatDateTimeToSecond(at), skeleton: 'w-32' },
  {
    key: 'actor',
    head: 'Quem',
    cell: ({ actor }) => <span className="block min-w-36 whitespace-normal">{actor?.name ?? PLATFORM}</span>,
    skeleton: 'w-32',
  },
  {
    key: 'action',
    head: 'O que fez',
    cell: (entry) => (
      <span className="block min-w-52 py-2.5 whitespace-normal">
        <span className="block font-medium">{actionLabel(entry.action)}</span>
        <Summary entry={entry} />
      </span>
    ),
    skeleton: 'w-44',
  },
  {
    key: 'subject',
    head: 'Com quem',
    cell: ({ subject }) => <span className="whitespace-normal">{subject?.name ?? PLATFORM}</span>,
    skeleton: 'w-32',
  },
];

/** One line about an entry: its first change and how many more there are, or the reason when no value changed. */
function Summary({ entry: { before, after, reason } }: { entry: AuditEntry }) {
  const { changes, facts } = compareValues(before, after);
  const firstChange = changes[0];
  // Whom an entry is about, where it is neither who acted nor the account.
  const person = facts.find(({ field }) => field === 'member' || field === 'email')?.value;
  const change = firstChange === undefined ? reason : changeText(firstChange);
  const text = [person, change].filter((part) => typeof part === 'string').join(' · ') || null;
  if (text === null) return null;
  return (
    <span className="block text-xs wrap-anywhere text-muted">
      {text}
      {changes.length > 1 && ` e mais\u00a0${changes.length - 1}`}
    </span>
  );
}

function changeText({ field, before, after }: Change): string {
  return `${fieldLabel(field)}: ${valueText(field, before)} → ${valueText(field, after)}`;
}

type AuditTableProps = {
  /** Undefined while loading. */
  entries: readonly AuditEntry[] | undefined;
  onOpen: (entry: AuditEntry) => void;
};

/** The table of the audit log. The column of the account that was acted on appears only on wide screens. */
export function AuditTable({ entries, onOpen }: AuditTableProps) {
  const isWide = useMediaQuery('(width >= 64rem)');
  return (
    <Table
      label="Registro de auditoria"
      columns={columns.filter(({ key }) => isWide || key !== 'subject')}
      rows={entries}
      rowKey={({ id }) => id}
      openLabel="Detalhes"
      onOpen={onOpen}
      narrowRowContent={(entry) => ({
        start: <span className="font-medium">{actionLabel(entry.action)}</span>,
        startDetail: (
          <>
            <span className="block">
              {entry.actor?.name ?? PLATFORM}
              {entry.subject !== null && entry.subject.id !== entry.actor?.id && ` · ${entry.subject.name}`}
            </span>
            <Summary entry={entry} />
          </>
        ),
        end: <span className="text-xs font-normal text-muted">{formatDateTimeToSecond(entry.at)}</span>,
      })}
    />
  );
}
