import type { AuditEntry } from '@jangada/contract';
import { formatDateTimeToSecond } from '../../format/date.ts';
import { Button, Dialog, type Fact, Facts } from '../../ui/index.ts';
import { PLATFORM } from './audit-table.tsx';
import { actionLabel, type Change, compareValues, fieldLabel, valueText } from './audit-words.ts';

type EntryDialogProps = {
  entry: AuditEntry;
  /**
   * Called with the id of a person in the entry when their name is pressed, to list only the entries of that person.
   */
  onUser: (id: string) => void;
  onClose: () => void;
};

/** The details of one audit entry: who acted, when and why, and the values before and after. */
export function EntryDialog({ entry, onUser, onClose }: EntryDialogProps) {
  const { changes, facts } = compareValues(entry.before, entry.after);
  return (
    <Dialog
      open
      onClose={onClose}
      title={actionLabel(entry.action)}
      footer={<Button onClick={onClose}>Fechar</Button>}
    >
      <Facts
        facts={[
          { label: 'Quando', value: formatDateTimeToSecond(entry.at) },
          { label: 'Quem', value: <Person person={entry.actor} onUser={onUser} /> },
          { label: 'Com quem', value: <Person person={entry.subject} onUser={onUser} /> },
          ...(entry.reason === null ? [] : [{ label: 'Motivo', value: <LongText text={entry.reason} /> }]),
          ...facts.map(
            ({ field, value }): Fact => ({
              label: fieldLabel(field),
              value: <LongText text={valueText(field, value)} />,
            }),
          ),
          { label: 'Registro', value: entry.id },
        ]}
      />
      {changes.length > 0 && <Changes changes={changes} />}
    </Dialog>
  );
}

/** A text that may break within a word, so that a long value without spaces does not push its label away. */
function LongText({ text }: { text: string }) {
  return <span className="wrap-anywhere [overflow-wrap:anywhere]">{text}</span>;
}

type PersonProps = { person: AuditEntry['actor']; onUser: (id: string) => void };

function Person({ person, onUser }: PersonProps) {
  if (person === null) return PLATFORM;
  return (
    <button type="button" className="link text-right" onClick={() => onUser(person.id)}>
      {person.name}
    </button>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <table className="mt-6 w-full table-fixed text-left" aria-label="O que mudou">
      <thead className="border-b border-base-300 text-xs text-muted">
        <tr>
          <th scope="col" className="py-2 pr-3 font-medium">
            Campo
          </th>
          <th scope="col" className="px-3 py-2 font-medium">
            Antes
          </th>
          <th scope="col" className="py-2 pl-3 font-medium">
            Depois
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-base-300 border-b border-base-300">
        {changes.map(({ field, before, after }) => (
          <tr key={field} className="align-top">
            <th scope="row" className="py-2.5 pr-3 font-normal text-muted">
              {fieldLabel(field)}
            </th>
            <td className="px-3 py-2.5 [overflow-wrap:anywhere] text-muted line-through decoration-1">
              {valueText(field, before)}
            </td>
            <td className="py-2.5 pl-3 font-medium [overflow-wrap:anywhere] tabular-nums">
              {valueText(field, after)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
