import type { StatementLineModel } from '@jangada/contract';
import { useNavigate } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { formatDateTime, formatDayHeading, formatTime } from '../../format/date.ts';
import { formatChange } from '../../format/money.ts';
import { Balance } from '../../panel/balance.tsx';
import { type Column, classNames, Table, useNarrow } from '../../ui/index.ts';
import { groupByDay } from './group-by-day.ts';
import { compositionOf } from './statement-words.ts';

const common: readonly Column<StatementLineModel>[] = [
  { key: 'at', head: 'Data', cell: ({ at }) => formatDateTime(at), width: 'w-[16%]', skeleton: 'w-32' },
  { key: 'what', head: 'Movimento', cell: (line) => <What {...line} />, skeleton: 'w-56' },
  {
    key: 'amount',
    head: 'Valor',
    cell: ({ amountCents }) => <Change cents={amountCents} />,
    width: 'w-[16%]',
    align: 'end',
    tone: 'strong',
    skeleton: 'w-24',
  },
];

const balance: Column<StatementLineModel> = {
  key: 'balance',
  head: 'Saldo',
  cell: ({ balanceCents }) => balanceCents !== null && <Balance cents={balanceCents} />,
  width: 'w-[16%]',
  align: 'end',
  tone: 'muted',
  skeleton: 'w-24',
};

type StatementTableProps = {
  /** Undefined while loading. */
  lines: StatementLineModel[] | undefined;
};

/** The lines, newest first; on phones grouped by day. A line opens what is behind it. */
export function StatementTable({ lines }: StatementTableProps) {
  return useNarrow() && lines !== undefined ? (
    <Days lines={lines} />
  ) : (
    <Lines lines={lines} label="Movimentos" />
  );
}

function Days({ lines }: { lines: StatementLineModel[] }) {
  return groupByDay(lines).map(({ day, lines, balanceCents }) => (
    <section key={day} aria-label={formatDayHeading(day)} className="mb-4">
      <div className="flex items-baseline justify-between gap-4 py-1.5 text-xs text-muted tabular-nums">
        <h2 className="font-medium">{formatDayHeading(day)}</h2>
        {balanceCents !== null && (
          <p>
            Saldo <Balance cents={balanceCents} />
          </p>
        )}
      </div>
      <Lines lines={lines} label={formatDayHeading(day)} />
    </section>
  ));
}

function Lines({ lines, label }: StatementTableProps & { label: string }) {
  const navigate = useNavigate();
  const open = ({ subject }: StatementLineModel) => {
    if (subject === null) return;
    const { id } = subject;
    if (subject.type === 'payment') void navigate({ to: paths.transactions, search: { id } });
    if (subject.type === 'withdrawal') void navigate({ to: paths.withdrawalHistory, search: { id } });
    if (subject.type === 'dispute') void navigate({ to: paths.disputes, search: { id } });
  };
  return (
    <Table
      label={label}
      // Movements of one kind only do not add up to a balance.
      columns={lines?.every(({ balanceCents }) => balanceCents === null) ? common : [...common, balance]}
      rows={lines}
      rowKey={({ id }) => id}
      onOpen={open}
      opens={({ subject }) => subject !== null}
      openLabel="Ver"
      listRow={(line) => ({
        start: line.description,
        startDetail: formatTime(line.at),
        end: <Change cents={line.amountCents} />,
        endDetail: line.balanceCents === null ? undefined : <Balance cents={line.balanceCents} />,
      })}
    />
  );
}

function What(line: StatementLineModel) {
  const composition = compositionOf(line);
  return (
    <span className="block py-2 whitespace-normal">
      {line.description}
      {composition !== null && <span className="block text-xs text-muted">{composition}</span>}
    </span>
  );
}

/** The sign says it, the colour only helps. */
function Change({ cents }: { cents: number }) {
  return <span className={classNames(cents > 0 && 'text-success')}>{formatChange(cents)}</span>;
}
