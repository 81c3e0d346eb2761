import { deviceName, endOtherSessions, endSession, type SessionItem } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { queryClient } from '../../api/query.ts';
import { formatDateTime, formatRelative } from '../../format/date.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { useNow } from '../../panel/use-now.ts';
import { Button, LoadingRegion, SectionHeader, Skeleton, Tag, toast, toastError } from '../../ui/index.ts';
import { SettingRow, SettingRows } from './setting-row.tsx';
import { sessionsQuery } from './use-security.ts';

const MINUTE_MS = 60_000;

/** The open sessions, each of which can be ended. */
export function SessionsSection() {
  const sessions = useQuery(sessionsQuery);
  const [isConfirming, setIsConfirming] = useState(false);
  if (sessions.error instanceof UnsupportedCallError) return null;
  const otherCount = sessions.data?.filter(({ current }) => !current).length ?? 0;
  const endOthers = async () => {
    await call(endOtherSessions, {});
    await queryClient.invalidateQueries(sessionsQuery);
    toast('Outras sessões encerradas');
  };
  return (
    <section aria-labelledby="sessions">
      <SectionHeader
        id="sessions"
        title="Sessões"
        aside={
          otherCount > 0 && (
            <Button size="small" variant="danger" onClick={() => setIsConfirming(true)}>
              Encerrar todas as outras
            </Button>
          )
        }
      />
      {sessions.data !== undefined ? (
        <SettingRows label="Sessões">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </SettingRows>
      ) : sessions.isError ? (
        <div role="alert" className="mt-2 flex flex-wrap items-center gap-3">
          <p className="text-error">{errorText(sessions.error, 'Erro ao buscar as sessões.')}</p>
          <Button size="small" isSending={sessions.isFetching} onClick={() => sessions.refetch()}>
            Tentar Novamente
          </Button>
        </div>
      ) : (
        <LoadingRegion>
          <Skeleton className="mt-2 h-16 w-full" />
        </LoadingRegion>
      )}
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title="Encerrar todas as outras sessões?"
        confirm="Encerrar"
        failure="Não foi possível encerrar as sessões. Tente novamente."
        onConfirm={endOthers}
      >
        Só esta continua aberta. Nos outros aparelhos será preciso entrar de novo.
      </ConfirmDialog>
    </section>
  );
}

function SessionRow({ session }: { session: SessionItem }) {
  const [isEnding, setIsEnding] = useState(false);
  const now = new Date(useNow(true, MINUTE_MS));
  const device = deviceLabel(session.user_agent);
  const end = async () => {
    setIsEnding(true);
    try {
      await call(endSession, { params: { id: session.id } });
      await queryClient.invalidateQueries(sessionsQuery);
      toast('Sessão encerrada');
    } catch (error) {
      toastError(errorText(error, 'Não foi possível encerrar a sessão. Tente novamente.'));
    } finally {
      setIsEnding(false);
    }
  };
  return (
    <SettingRow
      title={device}
      badge={session.current && <Tag>Esta sessão</Tag>}
      action={
        !session.current && (
          <Button
            size="small"
            isSending={isEnding}
            sendingLabel="Encerrando"
            aria-label={`Encerrar a sessão ${device}, aberta em ${formatDateTime(session.created_at)}`}
            onClick={end}
          >
            Encerrar
          </Button>
        )
      }
    >
      {session.address}, aberta em {formatDateTime(session.created_at)}
      {!session.current && <>, vista {formatRelative(session.last_seen_at, now)}</>}
    </SettingRow>
  );
}

/** A readable name for a User-Agent, or *Aparelho desconhecido*. */
export function deviceLabel(userAgent: string): string {
  return deviceName(userAgent) ?? 'Aparelho desconhecido';
}
