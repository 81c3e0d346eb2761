import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { formatCount } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { CopyLink } from '../../panel/charge/link-buttons.tsx';
import { csvFileOf } from '../../panel/csv/csv-file.ts';
import { saveFile } from '../../panel/save-file.ts';
import {
  Button,
  type Column,
  type GlyphName,
  Panel,
  ShareBar,
  StatusBadge,
  Table,
  toastError,
  useAnnouncement,
} from '../../ui/index.ts';
import type { ImportOutcome } from './import-members.ts';

type ImportResultProps = { total: number; outcomes: readonly ImportOutcome[]; isDone: boolean };

/** How far the import is, and what became of each line: the link to authorise, or why there is none. */
export function ImportResult({ total, outcomes, isDone }: ImportResultProps) {
  const countOf = (state: ImportOutcome['state']) =>
    outcomes.filter((outcome) => outcome.state === state).length;
  const summary = [
    counted(countOf('created'), 'criada', 'criadas'),
    counted(countOf('existing'), 'já existia', 'já existiam'),
    counted(countOf('failed'), 'falhou', 'falharam'),
  ].join(', ');
  const saveResult = async () => {
    try {
      saveFile(await csvFileOf(resultRows(outcomes)), 'assinaturas-importadas.csv');
    } catch (error) {
      toastError(errorText(error, 'Não foi possível baixar o resultado. Tente novamente.'));
    }
  };
  useAnnouncement(isDone ? `Importação concluída: ${summary}` : undefined);
  return (
    <>
      <Panel className="mb-5" label="Andamento">
        <p className="text-base font-strong tabular-nums">
          {isDone
            ? summary
            : `${formatCount(outcomes.length)} de ${counted(total, 'linha pronta', 'linhas prontas')}`}
        </p>
        <ShareBar
          share={total === 0 ? 1 : outcomes.length / total}
          className={`mt-3 ${isDone ? 'text-success-glyph' : 'text-primary-glyph'}`}
        />
        {isDone && countOf('created') > 0 && (
          <p className="mt-3 text-muted">
            Clientes com e-mail cadastrado podem receber o pedido de autorização: veja em{' '}
            <Link to={paths.reminders} className="link">
              Lembretes
            </Link>
            . A quem não o recebe, envie o link.
          </p>
        )}
        <p className="mt-3 text-muted">
          {isDone
            ? 'Cada linha tem o link da pessoa. Importar o mesmo arquivo de novo não repete nada.'
            : 'Fique nesta página. Se ela fechar, importe o mesmo arquivo de novo: o que já foi criado não se repete.'}
        </p>
      </Panel>
      {isDone && (
        <Button variant="primary" className="mb-4" onClick={saveResult}>
          Baixar resultado (CSV)
        </Button>
      )}
      <Table
        label="Resultado"
        columns={columns}
        rows={isDone ? failedFirst(outcomes) : outcomes}
        rowKey={({ row }) => String(row.row)}
        narrowRowContent={(outcome) => ({
          start: <bdi className="wrap-anywhere">{outcome.row.name}</bdi>,
          startDetail: <Reached {...outcome} />,
          end: <State {...outcome} />,
        })}
      />
    </>
  );
}

/** Among hundreds of lines, those that failed would not be found. */
const failedFirst = (outcomes: readonly ImportOutcome[]) =>
  [...outcomes].sort((left, right) => Number(right.state === 'failed') - Number(left.state === 'failed'));

const counted = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const states: Readonly<
  Record<ImportOutcome['state'], { readonly label: string; readonly glyph: GlyphName }>
> = {
  created: { label: 'Criada', glyph: 'done' },
  existing: { label: 'Já existia', glyph: 'gone' },
  failed: { label: 'Falhou', glyph: 'failed' },
};

const columns: readonly Column<ImportOutcome>[] = [
  { key: 'row', head: 'Linha', cell: ({ row }) => formatCount(row.row), width: 'w-16', tone: 'muted' },
  {
    key: 'name',
    head: 'Cliente',
    cell: ({ row }) => <bdi className="whitespace-normal wrap-anywhere">{row.name}</bdi>,
  },
  { key: 'state', head: 'Situação', cell: (outcome) => <State {...outcome} /> },
  {
    key: 'link',
    head: 'Para autorizar, ou o motivo',
    cell: (outcome) => <Reached {...outcome} />,
    width: 'w-[42%]',
  },
];

function State({ state }: ImportOutcome) {
  return <StatusBadge status={states[state].glyph}>{states[state].label}</StatusBadge>;
}

function Reached({ subscription, problem }: ImportOutcome) {
  if (subscription === undefined) return <span className="whitespace-normal">{problem}</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Link to={paths.subscriptions} search={{ id: subscription.id }} className="link">
        Ver assinatura
      </Link>
      {subscription.status !== 'ended' && (
        <CopyLink size="small" variant="quiet" url={subscription.page_url} />
      )}
    </span>
  );
}

function resultRows(outcomes: readonly ImportOutcome[]): readonly (readonly string[])[] {
  return [
    ['Linha', 'Nome', 'E-mail', 'Seu código', 'Situação', 'Link para autorizar', 'Código', 'Motivo'],
    ...outcomes.map(({ row, state, subscription, problem = '' }) => [
      String(row.row),
      row.name,
      row.member?.email ?? '',
      row.member?.externalId ?? '',
      states[state].label,
      subscription?.page_url ?? '',
      subscription?.code ?? '',
      problem,
    ]),
  ];
}
