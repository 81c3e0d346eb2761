import {
  beginTotp,
  type Passkey,
  type ResponseOf,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  type SecurityState,
} from '@jangada/contract';
import { Plus } from 'lucide-react';
import { type Dispatch, type SetStateAction, useState } from 'react';
import { isCancelled } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { formatDate, formatRelative } from '../../format/date.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { usePassword } from '../../panel/confirm/use-password.tsx';
import { passkeysWork } from '../../panel/factor/given-factor.ts';
import { toastUnlessLive } from '../../panel/toast-unless-live.ts';
import { useNow } from '../../panel/use-now.ts';
import { Button, SectionHeader, StatusBadge, toastError } from '../../ui/index.ts';
import { PasskeyDialog } from './passkey-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { SettingRow, SettingRows } from './setting-row.tsx';
import { TotpDialog } from './totp-dialog.tsx';
import { securityChanged } from './use-security.ts';

const MINUTE_MS = 60_000;
const REASON = 'Isto muda o que guarda sua conta. Por isso pedimos a senha antes.';

type WithPassword = ReturnType<typeof usePassword>['withPassword'];

type Opened =
  | { what: 'totp'; begun: ResponseOf<typeof beginTotp> }
  | { what: 'codes'; codes: readonly string[] }
  | { what: 'add-passkey' | 'remove-totp' | 'renew-codes' }
  | { what: 'remove-passkey'; passkey: Passkey }
  | null;

/** The second factor: authenticator app, passkeys and recovery codes. */
export function FactorSection({ state }: { state: SecurityState }) {
  const [opened, setOpened] = useState<Opened>(null);
  const [beginning, setBeginning] = useState(false);
  const { withPassword, dialog } = usePassword(REASON);
  const close = () => setOpened(null);
  const hasFactor = state.totp || state.passkeys.length > 0;

  const begin = async () => {
    setBeginning(true);
    try {
      const begun = await withPassword(() => call(beginTotp, { body: {} }));
      setOpened({ what: 'totp', begun });
    } catch (error) {
      if (!isCancelled(error)) toastError(errorText(error, 'Não foi possível começar. Tente novamente.'));
    } finally {
      setBeginning(false);
    }
  };

  return (
    <section aria-labelledby="factor">
      <SectionHeader
        id="factor"
        title="Segundo fator"
        aside={
          <StatusBadge status={hasFactor ? 'done' : 'gone'}>{hasFactor ? 'Ligado' : 'Desligado'}</StatusBadge>
        }
      />
      <p className="mt-1 text-muted">
        Além da senha, algo que só você tem. Com ele, uma senha vazada não abre sua conta nem leva seu
        dinheiro.
      </p>
      <SettingRows label="Segundo fator">
        <TotpRow state={state} onOpen={setOpened} beginning={beginning} onTurnOn={begin} />
        {state.passkeys.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            onRemove={() => setOpened({ what: 'remove-passkey', passkey })}
          />
        ))}
        {passkeysWork() && <AddPasskeyRow onOpen={setOpened} />}
        {hasFactor && <RecoveryCodesRow onOpen={setOpened} state={state} />}
      </SettingRows>
      {dialog}
      <SetUpDialogs onOpen={setOpened} opened={opened} onClose={close} withPassword={withPassword} />
      <FactorConfirmations withPassword={withPassword} onOpen={setOpened} opened={opened} onClose={close} />
    </section>
  );
}

type TotpRowProps = {
  state: SecurityState;
  onOpen: (opened: Opened) => void;
  beginning: boolean;
  onTurnOn: () => void;
};

function TotpRow({ state, onOpen, beginning, onTurnOn }: TotpRowProps) {
  return (
    <SettingRow
      title="Aplicativo autenticador"
      action={
        state.totp ? (
          <Button size="small" variant="danger" onClick={() => onOpen({ what: 'remove-totp' })}>
            Desligar
          </Button>
        ) : (
          <Button size="small" sending={beginning} sendingWord="Ligando" onClick={onTurnOn}>
            Ligar
          </Button>
        )
      }
    >
      {state.totp
        ? 'Ligado: pede um código de 6 dígitos ao entrar.'
        : 'Um código de 6 dígitos no seu celular, que muda a cada 30 segundos.'}
    </SettingRow>
  );
}

function AddPasskeyRow({ onOpen }: { onOpen: (opened: Opened) => void }) {
  return (
    <SettingRow
      title="Chave de acesso"
      action={
        <Button
          size="small"
          icon={<Plus className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => onOpen({ what: 'add-passkey' })}
        >
          Adicionar
        </Button>
      }
    >
      Entre com a digital, o rosto ou o PIN deste aparelho, sem digitar a senha.
    </SettingRow>
  );
}

function RecoveryCodesRow({ onOpen, state }: { onOpen: (opened: Opened) => void; state: SecurityState }) {
  return (
    <SettingRow
      title="Códigos de recuperação"
      action={
        <Button size="small" onClick={() => onOpen({ what: 'renew-codes' })}>
          Gerar novos
        </Button>
      }
    >
      {codesLeft(state.recovery_codes_left)}
    </SettingRow>
  );
}

type SetUpDialogsProps = {
  onOpen: (opened: Opened) => void;
  opened: Opened;
  onClose: () => void;
  withPassword: WithPassword;
};

/** The dialogs that set up a factor and show the recovery codes. */
function SetUpDialogs({ onOpen, opened, onClose, withPassword }: SetUpDialogsProps) {
  /** The first factor comes with recovery codes, which are shown once. */
  const added = (codes: readonly string[] | null, said: string) => {
    void securityChanged();
    toastUnlessLive(said);
    onOpen(codes === null ? null : { what: 'codes', codes });
  };
  return (
    <>
      {opened?.what === 'totp' && (
        <TotpDialog
          begun={opened.begun}
          onClose={onClose}
          onAdded={(codes) => added(codes, 'Aplicativo autenticador ligado')}
        />
      )}
      {opened?.what === 'add-passkey' && (
        <PasskeyDialog
          onClose={onClose}
          withPassword={withPassword}
          onAdded={(codes) => added(codes, 'Chave de acesso adicionada')}
        />
      )}
      {opened?.what === 'codes' && <RecoveryCodesDialog codes={opened.codes} onClose={onClose} />}
    </>
  );
}

type FactorConfirmationsProps = {
  withPassword: WithPassword;
  onOpen: Dispatch<SetStateAction<Opened>>;
  opened: Opened;
  onClose: () => void;
};

/** The confirmations before a factor is removed or the codes are replaced. */
function FactorConfirmations({ withPassword, onOpen, opened, onClose }: FactorConfirmationsProps) {
  const taken = async (action: () => Promise<unknown>, said: string) => {
    await withPassword(action);
    await securityChanged();
    toastUnlessLive(said);
  };
  const renew = async () => {
    const { recovery_codes } = await withPassword(() => call(renewRecoveryCodes, {}));
    // The codes are shown only once, so a failed refetch must not hide them.
    void securityChanged();
    onOpen({ what: 'codes', codes: recovery_codes });
  };
  return (
    <>
      <ConfirmDialog
        open={opened?.what === 'remove-totp'}
        onClose={onClose}
        title="Desligar o aplicativo autenticador?"
        confirm="Desligar"
        failure="Não foi possível desligar. Tente novamente."
        onConfirm={() => taken(() => call(removeTotp, {}), 'Aplicativo autenticador desligado')}
      >
        Sem outro fator, só a senha guarda sua conta, e os códigos de recuperação deixam de valer.
      </ConfirmDialog>
      <ConfirmDialog
        open={opened?.what === 'remove-passkey'}
        onClose={onClose}
        title="Remover a chave de acesso?"
        confirm="Remover"
        failure="Não foi possível remover. Tente novamente."
        onConfirm={async () => {
          if (opened?.what !== 'remove-passkey') return;
          const { id } = opened.passkey;
          await taken(() => call(removePasskey, { params: { id } }), 'Chave de acesso removida');
        }}
      >
        {opened?.what === 'remove-passkey' && (
          <>
            “{opened.passkey.name}” deixa de abrir esta conta. Apague-a também no aparelho, se ele a mostrar.
          </>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        open={opened?.what === 'renew-codes'}
        // It also closes after success, when the new codes are already open.
        onClose={() => onOpen((now) => (now?.what === 'renew-codes' ? null : now))}
        title="Gerar códigos novos?"
        confirm="Gerar novos"
        failure="Não foi possível gerar os códigos. Tente novamente."
        onConfirm={renew}
      >
        Os códigos que você guardou deixam de valer.
      </ConfirmDialog>
    </>
  );
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const now = new Date(useNow(true, MINUTE_MS));
  const used =
    passkey.last_used_at === null ? 'ainda não usada' : `usada ${formatRelative(passkey.last_used_at, now)}`;
  return (
    <SettingRow
      title={passkey.name}
      action={
        <Button
          size="small"
          variant="danger"
          aria-label={`Remover a chave de acesso ${passkey.name}`}
          onClick={onRemove}
        >
          Remover
        </Button>
      }
    >
      Chave de acesso desde {formatDate(passkey.created_at)}, {used}
    </SettingRow>
  );
}

function codesLeft(count: number): string {
  if (count === 0) return 'Nenhum código resta: gere novos para não perder o acesso.';
  return count === 1
    ? 'Resta 1 código, para quando você perder os outros fatores.'
    : `Restam ${count} códigos, para quando você perder os outros fatores.`;
}
