import type { StatementAccount, StatementLineModel } from '@jangada/contract';
import { paths } from '../../app/paths.ts';
import { dayOf, formatDateTime, formatDayHeading, formatTime } from '../../format/date.ts';
import { formatChange } from '../../format/money.ts';
import { useNavigate } from '../../navigation/index.ts';
import { Balance } from '../../panel/balance.tsx';
import { type Column, classNames, type NarrowRowContent, Table, useIsNarrow } from '../../ui/index.ts';
import { compositionOf, splitDescription } from './statement-words.ts';

function columnsOf(lines: StatementLineModel[] | undefined, account: StatementAccount) {
  const columns: Column<StatementLineModel>[] = [
    { key: 'at', head: 'Data', cell: ({ at }) => formatDateTime(at), width: 'w-[16%]', skeleton: 'w-32' },
    { key: 'what', head: 'Movimento', cell: (line) => <MovementCell {...line} />, skeleton: 'w-56' },
    {
      key: 'amount',
      head: 'Valor',
      cell: ({ amountCents }) => <SignedAmount cents={amountCents} account={account} />,
      width: 'w-[16%]',
      align: 'end',
      tone: 'strong',
      skeleton: 'w-24',
    },
  ];
  // A statement filtered by kind has no balances: the movements of one kind alone do not add up to a balance.
  if (lines?.every(({ balanceCents }) => balanceCents === null)) return columns;
  const balance: Column<StatementLineModel> = {
    key: 'balance',
    head: 'Saldo',
    cell: ({ balanceCents }) => balanceCents !== null && <Balance cents={balanceCents} />,
    width: 'w-[16%]',
    align: 'end',
    tone: 'muted',
    skeleton: 'w-24',
  };
  return [...columns, balance];
}

type StatementTableProps = {
  /** Undefined while loading. */
  lines: StatementLineModel[] | undefined;
  account: StatementAccount;
};

/**
 * The lines of the statement, newest first; on phones grouped by day. A line opens its payment, withdrawal or
 * dispute.
 */
export function StatementTable({ lines, account }: StatementTableProps) {
  return useIsNarrow() && lines !== undefined ? (
    <LinesByDay lines={lines} account={account} />
  ) : (
    <Lines lines={lines} account={account} label="Movimentos" />
  );
}

function LinesByDay({ lines, account }: { lines: StatementLineModel[]; account: StatementAccount }) {
  return groupByDay(lines).map(({ day, lines: dayLines, balanceCents }) => (
    <section key={day} aria-label={formatDayHeading(day)} className="mb-4">
      <div className="flex items-baseline justify-between gap-4 py-1.5 text-xs text-muted tabular-nums">
        <h2 className="font-medium">{formatDayHeading(day)}</h2>
        {balanceCents !== null && (
          <p>
            Saldo <Balance cents={balanceCents} />
          </p>
        )}
      </div>
      <Lines lines={dayLines} account={account} label={formatDayHeading(day)} />
    </section>
  ));
}

function Lines({ lines, account, label }: StatementTableProps & { label: string }) {
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
      columns={columnsOf(lines, account)}
      rows={lines}
      rowKey={({ id }) => id}
      onOpen={open}
      canOpen={({ subject }) => subject !== null}
      openLabel="Ver"
      narrowRowContent={(line) => listRowOf(line, account)}
    />
  );
}

function listRowOf(line: StatementLineModel, account: StatementAccount): NarrowRowContent {
  const { title, detail } = splitDescription(line);
  const time = formatTime(line.at);
  return {
    start: title,
    startDetail:
      detail === null ? (
        time
      ) : (
        <>
          <bdi className="block text-pretty">{detail}</bdi>
          {time}
        </>
      ),
    end: <SignedAmount cents={line.amountCents} account={account} />,
    endDetail: line.balanceCents === null ? undefined : <Balance cents={line.balanceCents} />,
  };
}

function MovementCell(line: StatementLineModel) {
  const { title, detail } = splitDescription(line);
  const composition = compositionOf(line);
  const smallClass = 'block text-xs text-pretty text-muted wrap-anywhere';
  return (
    <span className="block py-2 whitespace-normal">
      {title}
      {detail !== null && <bdi className={smallClass}>{detail}</bdi>}
      {composition !== null && <span className={smallClass}>{composition}</span>}
    </span>
  );
}

/** The amount of a line with its sign. Only money that arrived in the available balance is green. */
function SignedAmount({ cents, account }: { cents: number; account: StatementAccount }) {
  const isGain = cents > 0 && (account === 'available' || account === 'own');
  return <span className={classNames(isGain && 'text-success')}>{formatChange(cents)}</span>;
}

/** The lines of one calendar day. */
export type StatementDay = {
  day: string;
  lines: StatementLineModel[];
  /** The balance at the end of the day; null when the lines include no balance. */
  balanceCents: number | null;
};

/** Groups lines, newest first, by calendar day. */
export function groupByDay(lines: readonly StatementLineModel[]): StatementDay[] {
  const days: StatementDay[] = [];
  for (const line of lines) {
    const day = dayOf(new Date(line.at));
    const currentDay = days.at(-1);
    if (currentDay?.day === day) currentDay.lines.push(line);
    // The newest line of a day comes first, so its balance is the balance at the end of the day.
    else days.push({ day, lines: [line], balanceCents: line.balanceCents });
  }
  return days;
}
