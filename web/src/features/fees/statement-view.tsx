import { exportFeeStatement, type FeeStatementDetail } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { download } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay, formatDateTime } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { FeeBadge } from '../../panel/fees/fee-parts.tsx';
import { saveFile } from '../../panel/save-file.ts';
import {
  Button,
  Code,
  CopyButton,
  type Fact,
  Facts,
  LoadingRegion,
  Panel,
  SectionHeader,
  Skeleton,
  SkeletonText,
  toastError,
  useAnnouncement,
} from '../../ui/index.ts';
import { DaysTable } from './days-table.tsx';
import { PaidPanel, PayPanel } from './pay-panel.tsx';

/** One fee statement: how to pay it or that it is paid, its facts and files, and its days. */
export function FeeStatementView({ statement }: { statement: FeeStatementDetail }) {
  const [wasOpen] = useState(statement.status === 'open');
  useAnnouncement(wasOpen && statement.status === 'paid' ? 'Fatura paga' : undefined);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,21rem)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        {statement.status === 'paid' ? (
          <PaidPanel statement={statement} />
        ) : (
          <PayPanel key={statement.id} statement={statement} />
        )}
        <section aria-labelledby="days">
          <SectionHeader id="days" title="Dia a dia" />
          <DaysTable days={statement.days} label="Tarifas por dia" />
        </section>
      </div>
      <Panel well as="aside" label="Resumo">
        <div className="flex items-center justify-between gap-4">
          <h2 className="font-strong">Resumo</h2>
          <FeeBadge {...statement} />
        </div>
        <Facts bordered={false} className="mt-2" facts={factsOf(statement)} />
        <DownloadButtons statement={statement} />
      </Panel>
    </div>
  );
}

function factsOf({
  amount,
  fees,
  number,
  closed_at,
  due_on,
  paid_at,
  ...payment
}: FeeStatementDetail): Fact[] {
  return [
    { label: 'Valor', value: formatMoney(centsOf(amount)), strong: true },
    { label: 'Tarifas', value: formatCount(fees) },
    { label: 'Número', value: <Code>{number}</Code> },
    { label: 'Fechada em', value: formatDateTime(closed_at) },
    { label: 'Vencimento', value: formatCalendarDay(due_on) },
    ...(paid_at === null ? [] : [{ label: 'Paga em', value: formatDateTime(paid_at) }]),
    ...(payment.end_to_end_id === null
      ? []
      : [
          {
            label: 'EndToEndId',
            value: (
              <>
                <Code className="break-all">{payment.end_to_end_id}</Code>
                <CopyButton
                  iconOnly
                  className="-mr-1.5"
                  text={payment.end_to_end_id}
                  label="Copiar EndToEndId"
                />
              </>
            ),
          },
        ]),
    ...(payment.paid_reference === null ? [] : [{ label: 'Referência', value: payment.paid_reference }]),
  ];
}

type Format = 'pdf' | 'csv';
const formats: readonly Format[] = ['pdf', 'csv'];

function DownloadButtons({ statement: { id, number } }: { statement: FeeStatementDetail }) {
  const exporting = useMutation({
    mutationFn: async (format: Format) => {
      const file = await download(exportFeeStatement, { params: { id, format } });
      saveFile(file, `fatura-de-tarifas-${number}.${format}`);
    },
    onError: (error) => toastError(errorText(error, 'Erro ao baixar a fatura. Tente novamente.')),
  });
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {formats.map((format) => (
        <Button
          key={format}
          className="grow"
          disabled={exporting.isPending}
          isSending={exporting.isPending && exporting.variables === format}
          sendingLabel="Baixando"
          icon={<Download className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => exporting.mutate(format)}
        >
          Baixar {format.toUpperCase()}
        </Button>
      ))}
    </div>
  );
}

const skeletonLabels = ['Valor', 'Tarifas', 'Número', 'Fechada em', 'Vencimento'];

export function FeeStatementSkeleton() {
  return (
    <LoadingRegion>
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,21rem)]">
        <div>
          <Skeleton className="h-64 w-full" />
          <div className="mt-8">
            <SkeletonText line="h-5" className="h-3 w-full" />
            <SkeletonText line="h-5" className="h-3 w-2/3" />
          </div>
        </div>
        <Panel well as="aside" label="Resumo">
          <h2 className="font-strong">Resumo</h2>
          <Facts
            bordered={false}
            className="mt-2"
            facts={skeletonLabels.map((label) => ({ label, value: <Skeleton className="h-3 w-24" /> }))}
          />
        </Panel>
      </div>
    </LoadingRegion>
  );
}
