import { errors, type WithdrawalDestination } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { settingsQuery } from '../../api/queries.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { type PasswordAndPin, ProofFields, useOwnerProof } from '../../panel/confirm/owner-proof.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import { NotApproved } from '../../panel/not-approved.tsx';
import { SetPinDialog } from '../../panel/pin/set-pin-dialog.tsx';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { usePin } from '../../session/pin-status.ts';
import { useSession } from '../../session/session.ts';
import {
  Button,
  Code,
  CodeWell,
  EmptyState,
  LoadingRegion,
  Notice,
  PageHeader,
  Panel,
  SectionHeader,
  Skeleton,
  StatusBadge,
  toastError,
} from '../../ui/index.ts';
import { DestinationDialog, Destinations, RemoveDialog } from './destinations.tsx';
import { useApiWithdrawals } from './use-api-withdrawals.ts';

const FAILURE_REASSURANCE = 'O que estava ligado ou desligado continua assim.';

/**
 * The page on which a merchant allows withdrawals by API key, and saves the destinations to which the API key may
 * withdraw.
 */
export function ApiWithdrawalsPage() {
  return (
    <>
      <PageHeader
        title="Saque pela API"
        sentence="O sistema da sua loja saca sozinho, só para os destinos que você salvar."
      />
      <SwitchAndDestinations />
    </>
  );
}

function SwitchAndDestinations() {
  const isApproved = useSession(isAccountApproved);
  const areWithdrawalsAvailable = useQuery(settingsQuery).data?.withdrawals ?? true;
  const { query, ...actions } = useApiWithdrawals();
  if (!areWithdrawalsAvailable || query.error instanceof UnsupportedCallError)
    return (
      <EmptyState drawing="no-withdrawals" title="Saque pela API indisponível">
        {areWithdrawalsAvailable
          ? 'Este gateway não oferece saques pela chave de API.'
          : errors.WITHDRAWALS_UNAVAILABLE.message}
      </EmptyState>
    );
  if (!isApproved) return <NotApproved drawing="no-withdrawals" />;
  if (query.data === undefined && query.isError)
    return (
      <LoadFailure query={query} title="Erro ao buscar o saque pela API." reassurance={FAILURE_REASSURANCE} />
    );
  return (
    <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
      {query.data === undefined ? <Loading /> : <LoadedContent state={query.data} {...actions} />}
      <HowItWorks />
    </div>
  );
}

type LoadedContentProps = Omit<ReturnType<typeof useApiWithdrawals>, 'query'> & {
  state: { enabled: boolean; destinations: WithdrawalDestination[] };
};

/** The open dialog, or null. A destination stands for the dialog that removes it. */
type OpenDialog = 'pin' | 'turn-on' | 'add' | WithdrawalDestination | null;

function LoadedContent({ state, turnOn, turnOff, save, remove }: LoadedContentProps) {
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const hasPin = usePin().status !== 'not_set';
  const mayManage = useMay('manage-destinations');
  const maySetPin = useMay('manage-account');
  const { enabled: isEnabled, destinations } = state;
  const close = () => setOpenDialog(null);
  return (
    <div className="grid min-w-0 gap-8">
      {!hasPin && mayManage && (
        <Notice
          tone="warning"
          title="PIN de Saque não configurado."
          action={
            maySetPin && (
              <Button size="small" onClick={() => setOpenDialog('pin')}>
                Definir PIN
              </Button>
            )
          }
        >
          Sem ele não dá para ligar o saque pela API nem salvar destinos.
          {!maySetPin && ' É um dono da conta que o define.'}
        </Notice>
      )}
      <SwitchSection
        turnOff={turnOff}
        isEnabled={isEnabled}
        destinations={destinations}
        hasPin={hasPin}
        onOpen={setOpenDialog}
      />
      <DestinationsSection destinations={destinations} hasPin={hasPin} onOpen={setOpenDialog} />
      {openDialog === 'turn-on' && <TurnOnDialog onClose={close} onTurnOn={turnOn} />}
      {openDialog === 'add' && <DestinationDialog onClose={close} onSave={save} />}
      {openDialog !== null && typeof openDialog === 'object' && (
        <RemoveDialog destination={openDialog} onClose={close} onRemove={() => remove(openDialog.pix_key)} />
      )}
      <SetPinDialog open={openDialog === 'pin'} onClose={close} />
    </div>
  );
}

type SwitchSectionProps = {
  turnOff: () => Promise<unknown>;
  isEnabled: boolean;
  destinations: readonly WithdrawalDestination[];
  hasPin: boolean;
  onOpen: (openDialog: OpenDialog) => void;
};

function SwitchSection({ turnOff, isEnabled, destinations, hasPin, onOpen }: SwitchSectionProps) {
  const mayManage = useMay('manage-destinations');
  const [isTurningOff, setIsTurningOff] = useState(false);
  const turnOffAndReport = async () => {
    setIsTurningOff(true);
    try {
      await turnOff();
    } catch (error) {
      toastError(errorText(error, 'Erro ao desligar o saque pela API. Tente novamente.'));
    } finally {
      setIsTurningOff(false);
    }
  };
  return (
    <section aria-labelledby="api-switch">
      <SectionHeader
        id="api-switch"
        title="Saque pela chave de API"
        aside={
          <StatusBadge status={isEnabled ? 'done' : 'gone'}>{isEnabled ? 'Ligado' : 'Desligado'}</StatusBadge>
        }
      />
      <p className="mt-1 text-muted">{switchText(isEnabled, destinations.length)}</p>
      <div className="mt-4 empty:hidden">
        {!mayManage ? null : isEnabled ? (
          <Button variant="danger" isSending={isTurningOff} onClick={turnOffAndReport}>
            Desligar
          </Button>
        ) : (
          <Button variant="primary" disabled={!hasPin} onClick={() => onOpen('turn-on')}>
            Ligar o saque pela API
          </Button>
        )}
      </div>
    </section>
  );
}

/** Says whether the API key may withdraw now, and whether there is a destination. */
function switchText(isEnabled: boolean, destinationCount: number): string {
  if (!isEnabled) return 'Nenhum saque sai pela API. Para ligar, pedimos sua senha e seu PIN.';
  return destinationCount === 0
    ? 'A API pode sacar, mas ainda não há para onde: salve um destino.'
    : 'A API pode sacar para os destinos abaixo, sem pedir o PIN.';
}

type DestinationsSectionProps = {
  destinations: readonly WithdrawalDestination[];
  hasPin: boolean;
  onOpen: (openDialog: OpenDialog) => void;
};

function DestinationsSection({ destinations, hasPin, onOpen }: DestinationsSectionProps) {
  const mayManage = useMay('manage-destinations');
  return (
    <section aria-labelledby="destinations">
      <SectionHeader
        id="destinations"
        title="Destinos salvos"
        aside={
          mayManage &&
          destinations.length > 0 && (
            <Button
              size="small"
              disabled={!hasPin}
              icon={<Plus className="size-4" strokeWidth={1.75} aria-hidden="true" />}
              onClick={() => onOpen('add')}
            >
              Adicionar destino
            </Button>
          )
        }
      />
      {destinations.length > 0 ? (
        <Destinations destinations={destinations} onRemove={mayManage ? onOpen : undefined} />
      ) : (
        <EmptyState
          className="border-t border-base-300"
          drawing="no-withdrawals"
          level={3}
          title="Nenhum destino salvo"
          action={
            mayManage && (
              <Button
                disabled={!hasPin}
                icon={<Plus className="size-4" strokeWidth={1.75} aria-hidden="true" />}
                onClick={() => onOpen('add')}
              >
                Adicionar destino
              </Button>
            )
          }
        >
          As chaves Pix que você salvar aparecem aqui. Só elas podem receber pela API.
        </EmptyState>
      )}
    </section>
  );
}

function Loading() {
  return (
    <LoadingRegion>
      <Skeleton className="mt-2 h-4 w-48" />
      <Skeleton className="mt-4 h-3 w-full max-w-80" />
      <Skeleton className="mt-5 h-10 w-48" />
      <Skeleton className="mt-10 h-4 w-36" />
      <Skeleton className="mt-4 h-16 w-full" />
      <Skeleton className="mt-2 h-16 w-full" />
    </LoadingRegion>
  );
}

type TurnOnDialogProps = {
  onClose: () => void;
  /** Turns withdrawals by API key on. The proof is the password and the PIN. */
  onTurnOn: (proof: PasswordAndPin) => Promise<unknown>;
};

const TURN_ON_FAILURE = 'Erro ao ligar o saque pela API. Tente novamente.';

/** Asks for the password and the PIN, and allows withdrawals by API key. */
function TurnOnDialog({ onClose, onTurnOn }: TurnOnDialogProps) {
  const { fields, send } = useOwnerProof(TURN_ON_FAILURE);
  return (
    <FormDialog
      title="Ligar o saque pela API"
      submit="Ligar"
      failure={TURN_ON_FAILURE}
      onClose={onClose}
      onSubmit={() => send(onTurnOn)}
    >
      <p className="text-muted">
        Quem tem a chave de API passa a poder sacar seu saldo, sem PIN, mas só para os destinos salvos aqui.
      </p>
      <ProofFields isFirst {...fields} />
    </FormDialog>
  );
}

const EXAMPLE_CALL = `POST /api/withdraw
x-api-key: sua chave
idempotency-key: um id seu

{
  "amount": 10000,
  "pixKey": "maria@example.com",
  "keyType": "email"
}`;

/** Explains to the merchant what a withdrawal by API key can and cannot do. */
function HowItWorks() {
  return (
    <Panel well as="aside" label="Como funciona">
      <h2 className="font-strong">Como funciona</h2>
      <ul className="mt-2 grid list-disc gap-2 pl-4 text-muted marker:text-control">
        <li>Um saque pela API não pede PIN. Quem tiver a chave pode sacar todo o saldo.</li>
        <li>O dinheiro só sai para destinos salvos aqui, com senha e PIN.</li>
        <li>Valem os mesmos limites e tarifas, e um saque por vez.</li>
        <li>Cinco PINs errados no painel bloqueiam também os saques pela API.</li>
        <li>Desligar vale na hora e não pede nada.</li>
      </ul>
      <div className="mt-4">
        <CodeWell label="Exemplo de chamada">{EXAMPLE_CALL}</CodeWell>
      </div>
      <p className="mt-2 text-xs text-muted">
        <Code className="text-base-content">amount</Code> em centavos: 10000 são R$&nbsp;100,00.
      </p>
    </Panel>
  );
}
