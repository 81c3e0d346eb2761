import {
  allowSupport,
  getSupportAccess,
  type ResponseOf,
  revokeSupport,
  type SUPPORT_ACCESS_HOURS,
} from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { updateCacheFrom } from '../../api/query.ts';
import { formatDateAtTime } from '../../format/date.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { useNow } from '../../panel/use-now.ts';
import {
  Button,
  LoadingRegion,
  Notice,
  SectionHeader,
  SegmentedControl,
  Skeleton,
  toast,
} from '../../ui/index.ts';

type SupportAccess = ResponseOf<typeof getSupportAccess>;
type Hours = (typeof SUPPORT_ACCESS_HOURS)[number];

const supportAccessQuery = queryOptions({
  queryKey: ['support-access'],
  queryFn: ({ signal }) => call(getSupportAccess, { signal }),
});
const updateAccess = (operation: Promise<SupportAccess>) =>
  updateCacheFrom<SupportAccess, SupportAccess>(
    supportAccessQuery.queryKey,
    operation,
    (_cached, answer) => answer,
  );

const MINUTE_MS = 60_000;

/** Where an owner lets the operator's support look into the account, ends it, and sees who looked in. */
export function SupportSection() {
  const query = useQuery(supportAccessQuery);
  const [dialog, setDialog] = useState<'allow' | 'end'>();
  const close = () => setDialog(undefined);
  const now = useNow(query.data?.access != null, MINUTE_MS);
  if (query.error instanceof UnsupportedCallError) return null;
  const stored = query.data?.access ?? null;
  const access = stored !== null && Date.parse(stored.expires_at) > now ? stored : null;
  return (
    <section aria-labelledby="support-access" className="mt-10">
      <SectionHeader id="support-access" title="Suporte" />
      <p className="mt-1 max-w-170 text-muted">
        Ninguém do suporte vê a conta por dentro sem que um dono deixe. Quem olha lê o que um contador lê, e
        não altera nada. Chaves, segredos, membros e documentos não aparecem.
      </p>
      {query.isPending && (
        <LoadingRegion>
          <Skeleton className="mt-4 h-10 w-52" />
        </LoadingRegion>
      )}
      {query.isError && query.data === undefined && (
        <Notice
          tone="error"
          className="mt-4"
          action={
            <Button size="small" onClick={() => query.refetch()}>
              Tentar Novamente
            </Button>
          }
        >
          {errorText(query.error, 'Erro ao buscar se o suporte pode olhar.')}
        </Notice>
      )}
      {query.data && access === null && (
        <Button className="mt-4 max-md:w-full" onClick={() => setDialog('allow')}>
          Deixar o suporte olhar
        </Button>
      )}
      {access !== null && (
        <>
          <p className="mt-3">
            <strong className="font-strong">
              O suporte pode olhar até {formatDateAtTime(access.expires_at)}.
            </strong>{' '}
            <span className="text-muted">
              Quem deixou: <bdi className="wrap-anywhere">{access.allowed_by.name}</bdi>.
            </span>
          </p>
          <div className="mt-4 flex flex-wrap gap-2 max-md:*:grow">
            <Button onClick={() => setDialog('allow')}>Mudar o prazo</Button>
            <Button variant="danger" onClick={() => setDialog('end')}>
              Encerrar agora
            </Button>
          </div>
        </>
      )}
      {query.data && query.data.visits.length > 0 && <Visits visits={query.data.visits} />}
      {dialog === 'allow' && <AllowDialog onClose={close} />}
      <ConfirmDialog
        open={dialog === 'end'}
        onClose={close}
        title="Encerrar o acesso do suporte?"
        confirm="Encerrar agora"
        failure="Não foi possível encerrar o acesso. Tente novamente."
        onConfirm={async () => {
          await updateAccess(call(revokeSupport, {}));
          toast('Acesso do suporte encerrado');
        }}
      >
        Quem estiver olhando deixa de ver a conta na hora, em todas as telas abertas.
      </ConfirmDialog>
    </section>
  );
}

const durations: readonly { readonly value: Hours; readonly label: string }[] = [
  { value: 1, label: '1 hora' },
  { value: 24, label: '24 horas' },
  { value: 168, label: '7 dias' },
];

function AllowDialog({ onClose }: { onClose: () => void }) {
  const [hours, setHours] = useState<Hours>(1);
  return (
    <FormDialog
      title="Deixar o suporte olhar"
      submit="Deixar olhar"
      failure="Não foi possível liberar o acesso. Tente novamente."
      onClose={onClose}
      onSubmit={async () => {
        await updateAccess(call(allowSupport, { body: { hours } }));
        toast('O suporte pode olhar a conta');
        return true;
      }}
    >
      <SegmentedControl
        label="Por quanto tempo, a partir de agora"
        labelShown
        size="normal"
        block
        segments={durations}
        value={hours}
        onChange={setHours}
      />
      <p className="text-muted">
        Só para ler. Os donos são avisados a cada vez que alguém olha, e qualquer um deles encerra antes.
      </p>
    </FormDialog>
  );
}

function Visits({ visits }: { visits: SupportAccess['visits'] }) {
  return (
    <>
      <h3 className="mt-6 text-xs font-medium text-muted">Quem olhou</h3>
      <ul aria-label="Quem olhou" className="mt-1 divide-y divide-base-300 border-y border-base-300">
        {visits.map(({ at, by, reason }) => (
          <li key={at} className="py-2.5">
            <p className="flex flex-wrap justify-between gap-x-6 gap-y-0.5">
              <span className="font-medium wrap-anywhere">{by?.name ?? 'Suporte'}</span>
              <span className="text-muted tabular-nums">{formatDateAtTime(at)}</span>
            </p>
            {reason !== null && <p className="text-muted wrap-anywhere">{reason}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}
