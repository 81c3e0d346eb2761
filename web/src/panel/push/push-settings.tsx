import {
  getNotificationPreferences,
  type NotificationKind,
  notificationKinds,
  setNotificationPreferences,
} from '@jangada/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BellRing } from 'lucide-react';
import { useEffect, useId } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText, failureText } from '../../api/error-text.ts';
import { settingsQuery } from '../../api/queries.ts';
import { useSession } from '../../session/session.ts';
import {
  Button,
  LoadingRegion,
  Notice,
  SectionHeader,
  Skeleton,
  StatusBadge,
  toast,
  toastError,
} from '../../ui/index.ts';
import {
  disablePush,
  enablePush,
  PushFailure,
  pushTexts,
  refreshPermission,
  usePush,
} from './push-device.ts';

const FAILURE_REASSURANCE = 'Nada mudou neste aparelho.';

/**
 * The settings of push notifications: whether this device receives them, and which kinds the account wants. Renders
 * nothing when the gateway sends no push notifications.
 */
export function PushSettings() {
  const { data } = useQuery(settingsQuery);
  const headingId = useId();
  if (data?.pushKey == null) return null;
  return (
    <section aria-labelledby={headingId}>
      <SectionHeader id={headingId} title="Notificações" aside={<DeviceState />} />
      <ThisDevice publicKey={data.pushKey} />
      <Preferences />
    </section>
  );
}

function DeviceState() {
  const { permission, registered } = usePush();
  if (permission === 'granted' && registered) return <StatusBadge status="done">Ativadas</StatusBadge>;
  if (permission === 'denied') return <StatusBadge status="failed">Bloqueadas</StatusBadge>;
  return <StatusBadge status="gone">Desativadas</StatusBadge>;
}

function ThisDevice({ publicKey }: { publicKey: string }) {
  const { permission, registered } = usePush();
  useEffect(() => {
    refreshPermission();
    window.addEventListener('focus', refreshPermission);
    return () => window.removeEventListener('focus', refreshPermission);
  }, []);
  const enable = useMutation({
    mutationFn: () => enablePush(publicKey),
    onSuccess: () => toast('Notificações ativadas neste aparelho'),
  });
  const disable = useMutation({
    mutationFn: disablePush,
    onMutate: () => enable.reset(),
    onSuccess: () => toast('Notificações desativadas neste aparelho'),
  });
  if (permission === 'unsupported')
    return (
      <Notice tone="info" title={pushTexts.unsupported} className="mt-2">
        Este navegador não recebe notificações. Elas continuam na sua lista.
      </Notice>
    );
  if (permission === 'denied')
    return (
      <Notice tone="warning" title="Bloqueadas pelo navegador." className="mt-2">
        {enable.error instanceof PushFailure && `${enable.error.message}. `}
        Para receber notificações, permita-as para este site nas configurações do navegador.
      </Notice>
    );
  const isOn = permission === 'granted' && registered;
  const action = isOn ? disable : enable;
  return (
    <>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 grow basis-56 text-muted">
          {isOn
            ? 'Este aparelho avisa mesmo com o painel fechado, até você sair da conta nele.'
            : 'Saiba de um Pix na hora, mesmo com o painel fechado.'}
        </p>
        <Button
          className="max-md:w-full"
          variant={isOn ? 'line' : 'primary'}
          icon={isOn ? undefined : <BellRing className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          isSending={action.isPending}
          sendingLabel={isOn ? 'Desativando' : 'Ativando'}
          onClick={() => action.mutate()}
        >
          {isOn ? 'Desativar notificações' : 'Ativar notificações'}
        </Button>
      </div>
      {action.isError && (
        <Notice tone="error" className="mt-3">
          {action.error instanceof PushFailure
            ? action.error.message
            : failureText(action.error, FAILURE_REASSURANCE)}
        </Notice>
      )}
    </>
  );
}

const kindTexts: Record<NotificationKind, { label: string; hint: string }> = {
  payments: { label: 'Pagamentos', hint: 'Um Pix foi recebido' },
  withdrawals: { label: 'Saques', hint: 'Um saque andou, ou o PIN e os destinos mudaram' },
  refunds: { label: 'Estornos', hint: 'Dinheiro voltou a quem pagou' },
  disputes: { label: 'Disputas', hint: 'Alguém contestou um Pix, ou um prazo termina' },
  account: { label: 'Conta e segurança', hint: 'Verificação, acesso e segundo fator' },
  operation: { label: 'Operação', hint: 'Documentos, encerramentos e dinheiro parado' },
};

const preferencesKey = ['notification-preferences'] as const;

/** The account's preferences, which apply to all of its devices. */
function Preferences() {
  const isAdmin = useSession(({ user }) => user?.role === 'ADMIN');
  const kinds = notificationKinds.filter((kind) => isAdmin || kind !== 'operation');
  const { preferences, change } = usePreferences();
  if (preferences.error instanceof UnsupportedCallError) return null;
  if (preferences.isError)
    return (
      <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
        {errorText(preferences.error, 'Erro ao carregar suas escolhas.')}
        <Button
          size="small"
          isSending={preferences.isFetching}
          sendingLabel="Carregando"
          onClick={() => preferences.refetch()}
        >
          Tentar Novamente
        </Button>
      </p>
    );
  const push = preferences.data?.push;
  return (
    <fieldset
      className="mt-4 rounded-box border border-base-300 px-4"
      // The checkboxes stay enabled while a choice is saved, because disabling the pressed checkbox would take its
      // focus away.
      aria-busy={change.isPending}
    >
      <legend className="sr-only">O que avisar nos aparelhos</legend>
      {push === undefined ? (
        <LoadingRegion>
          {kinds.map((kind) => (
            <div key={kind} className="flex h-15 items-center border-base-300 not-last:border-b">
              <Skeleton className="h-4 w-40" />
            </div>
          ))}
        </LoadingRegion>
      ) : (
        kinds.map((kind) => <PreferenceRow key={kind} kind={kind} push={push} change={change} />)
      )}
    </fieldset>
  );
}

/** Loads and changes the account's choice of the kinds of notification that its devices receive. */
function usePreferences() {
  const cache = useQueryClient();
  const preferences = useQuery({
    queryKey: preferencesKey,
    queryFn: ({ signal }) => call(getNotificationPreferences, { signal }),
  });
  const change = useMutation({
    mutationFn: (push: Record<NotificationKind, boolean>) =>
      call(setNotificationPreferences, { body: { push } }),
    // The new choice is shown before the gateway accepts it, and undone if the gateway refuses it.
    onMutate: (push) => {
      const previous = cache.getQueryData(preferencesKey);
      cache.setQueryData(preferencesKey, { push });
      return previous;
    },
    onSuccess: (saved) => cache.setQueryData(preferencesKey, saved),
    onError: (error, _push, previous) => {
      cache.setQueryData(preferencesKey, previous);
      toastError(errorText(error, 'Erro ao salvar suas escolhas.'));
    },
  });

  return { preferences, change };
}

type PreferenceRowProps = {
  kind: NotificationKind;
  push: Record<NotificationKind, boolean>;
  change: ReturnType<typeof usePreferences>['change'];
};

function PreferenceRow({ kind, push, change }: PreferenceRowProps) {
  return (
    <label className="flex min-h-15 cursor-pointer items-center gap-4 border-base-300 py-2.5 not-last:border-b">
      <span className="min-w-0 grow">
        <span className="block font-medium">{kindTexts[kind].label}</span>
        <span className="block text-xs text-muted">{kindTexts[kind].hint}</span>
      </span>
      <input
        type="checkbox"
        className="size-5 shrink-0 cursor-pointer accent-primary"
        checked={push[kind]}
        onChange={({ currentTarget }) => {
          if (!change.isPending) change.mutate({ ...push, [kind]: currentTarget.checked });
        }}
      />
    </label>
  );
}
