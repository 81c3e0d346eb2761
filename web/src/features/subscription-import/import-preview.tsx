import { useState } from 'react';
import { formatCalendarDay } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FileButton } from '../../panel/csv/file-button.tsx';
import { Button, type Column, FigureCell, Notice, Panel, Table } from '../../ui/index.ts';
import type { PayerRow } from './member-rows.ts';

type ImportPreviewProps = {
  rows: readonly PayerRow[];
  onChoose: (file: File) => void;
  onConfirm: (ready: readonly PayerRow[]) => void;
};

/** What the file would create, and what is wrong in which line, before anything is created. */
export function ImportPreview({ rows, onChoose, onConfirm }: ImportPreviewProps) {
  const [isAsking, setIsAsking] = useState(false);
  const ready = rows.filter(({ member }) => member !== undefined);
  const faultyRows = rows.filter(({ member }) => member === undefined);
  const faulty = faultyRows.length;
  const sumCents = ready.reduce((sum, { member }) => sum + (member?.amountCents ?? 0), 0);
  const name = ready.length === 1 ? '1 assinatura' : `${formatCount(ready.length)} assinaturas`;
  return (
    <>
      <Panel flush className="mb-5" label="Resumo do arquivo">
        <div className="grid divide-base-300 max-md:divide-y md:grid-cols-2 md:divide-x">
          <FigureCell
            row
            label="Prontas"
            glyph="done"
            figure={formatCount(ready.length)}
            context={`${formatMoney(sumCents)} por período`}
          />
          <FigureCell
            row
            label="Com problema"
            glyph="failed"
            figure={formatCount(faulty)}
            context={faulty === 0 ? 'Nenhuma' : 'Ficam de fora, se você seguir'}
          />
        </div>
      </Panel>
      {ready.length === 0 && (
        <Notice tone="warning" title="Nenhuma linha está pronta." className="mb-5">
          Corrija o arquivo e escolha-o de novo.
        </Notice>
      )}
      <div className="mb-4 flex flex-wrap items-center gap-2">
        {ready.length > 0 && (
          <Button variant="primary" onClick={() => setIsAsking(true)}>
            Criar {name}
          </Button>
        )}
        <FileButton onFile={onChoose} />
      </div>
      <Table
        label="Linhas do arquivo"
        columns={columns}
        // Among hundreds of lines, those to correct would not be found.
        rows={[...faultyRows, ...ready]}
        rowKey={({ row }) => String(row)}
        narrowRowContent={(row) => ({
          start: <bdi className="wrap-anywhere">{row.name || '—'}</bdi>,
          startDetail: (
            <>
              Linha {formatCount(row.row)}. <Verdict {...row} />
            </>
          ),
          end: amountText(row),
          endDetail: row.member === undefined ? undefined : formatCalendarDay(row.member.firstDay),
        })}
      />
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Criar ${name}?`}
        confirm="Criar"
        variant="primary"
        failure="Erro ao criar as assinaturas."
        onConfirm={async () => onConfirm(ready)}
      >
        Quem ainda não está em Clientes é cadastrado, e cada pessoa ganha um link e um código para autorizar
        os débitos no banco dela. Nada é debitado antes disso.
        {faulty === 1 && ' A linha com problema fica de fora.'}
        {faulty > 1 && ` As ${formatCount(faulty)} linhas com problema ficam de fora.`}
      </ConfirmDialog>
    </>
  );
}

const columns: readonly Column<PayerRow>[] = [
  { key: 'row', head: 'Linha', cell: ({ row }) => formatCount(row), width: 'w-16', tone: 'muted' },
  {
    key: 'name',
    head: 'Cliente',
    cell: ({ name }) => <bdi className="whitespace-normal wrap-anywhere">{name || '—'}</bdi>,
  },
  {
    key: 'first',
    head: 'Primeira',
    cell: ({ member }) => (member === undefined ? '—' : formatCalendarDay(member.firstDay)),
  },
  { key: 'amount', head: 'Valor', cell: amountText, align: 'end', tone: 'strong' },
  { key: 'state', head: 'Situação', cell: (row) => <Verdict {...row} />, width: 'w-[36%]' },
];

function amountText({ member }: PayerRow): string {
  return member === undefined ? '—' : formatMoney(member.amountCents);
}

function Verdict({ faults }: PayerRow) {
  if (faults.length === 0) return 'Pronta';
  return <span className="whitespace-normal text-error">{faults.join(' ')}</span>;
}
