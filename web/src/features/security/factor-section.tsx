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
import { supportsPasskeys } from '../../panel/factor/given-factor.ts';
import { toastUnlessLive } from '../../panel/toast-unless-live.ts';
import { useNow } from '../../panel/use-now.ts';
import { Button, SectionHeader, StatusBadge, toastError } from '../../ui/index.ts';
import { PasskeyDialog } from './passkey-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { SettingRow, SettingRows } from './setting-row.tsx';
import { TotpDialog } from './totp-dialog.tsx';
import { refetchSecurity } from './use-security.ts';

const MINUTE_MS = 60_000;
const PASSWORD_REASON = 'Isto muda o que guarda sua conta. Por isso pedimos a senha antes.';

type WithPassword = ReturnType<typeof usePassword>['withPassword'];

/** The open dialog of the section; null when none is open. `totp` is the dialog for an authenticator app. */
type OpenDialog =
  | { kind: 'totp'; setup: ResponseOf<typeof beginTotp> }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'add-passkey' | 'remove-totp' | 'renew-codes' }
  | { kind: 'remove-passkey'; passkey: Passkey }
  | null;

/**
 * The section that sets up and removes the second factor: an authenticator app (TOTP), passkeys, and the recovery codes
 * that replace a lost factor.
 */
export function FactorSection({ state }: { state: SecurityState }) {
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const [isStartingTotp, setIsStartingTotp] = useState(false);
  const { withPassword, dialog: passwordDialog } = usePassword(PASSWORD_REASON);
  const close = () => setOpenDialog(null);
  const hasFactor = state.totp || state.passkeys.length > 0;

  const startTotp = async () => {
    setIsStartingTotp(true);
    try {
      const setup = await withPassword(() => call(beginTotp, { body: {} }));
      setOpenDialog({ kind: 'totp', setup });
    } catch (error) {
      if (!isCancelled(error)) toastError(errorText(error, 'Não foi possível começar. Tente novamente.'));
    } finally {
      setIsStartingTotp(false);
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
        <TotpRow state={state} onOpen={setOpenDialog} isStartingTotp={isStartingTotp} onTurnOn={startTotp} />
        {state.passkeys.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            onRemove={() => setOpenDialog({ kind: 'remove-passkey', passkey })}
          />
        ))}
        {supportsPasskeys() && <AddPasskeyRow onOpen={setOpenDialog} />}
        {hasFactor && <RecoveryCodesRow onOpen={setOpenDialog} state={state} />}
      </SettingRows>
      {passwordDialog}
      <SetUpDialogs
        onOpen={setOpenDialog}
        openDialog={openDialog}
        onClose={close}
        withPassword={withPassword}
      />
      <FactorConfirmations
        withPassword={withPassword}
        onOpen={setOpenDialog}
        openDialog={openDialog}
        onClose={close}
      />
    </section>
  );
}

type TotpRowProps = {
  state: SecurityState;
  onOpen: (openDialog: OpenDialog) => void;
  isStartingTotp: boolean;
  onTurnOn: () => void;
};

function TotpRow({ state, onOpen, isStartingTotp, onTurnOn }: TotpRowProps) {
  return (
    <SettingRow
      title="Aplicativo autenticador"
      action={
        state.totp ? (
          <Button size="small" variant="danger" onClick={() => onOpen({ kind: 'remove-totp' })}>
            Desligar
          </Button>
        ) : (
          <Button size="small" isSending={isStartingTotp} sendingLabel="Ligando" onClick={onTurnOn}>
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

function AddPasskeyRow({ onOpen }: { onOpen: (openDialog: OpenDialog) => void }) {
  return (
    <SettingRow
      title="Chave de acesso"
      action={
        <Button
          size="small"
          icon={<Plus className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => onOpen({ kind: 'add-passkey' })}
        >
          Adicionar
        </Button>
      }
    >
      Entre com a digital, o rosto ou o PIN deste aparelho, sem digitar a senha.
    </SettingRow>
  );
}

function RecoveryCodesRow({
  onOpen,
  state,
}: {
  onOpen: (openDialog: OpenDialog) => void;
  state: SecurityState;
}) {
  return (
    <SettingRow
      title="Códigos de recuperação"
      action={
        <Button size="small" onClick={() => onOpen({ kind: 'renew-codes' })}>
          Gerar novos
        </Button>
      }
    >
      {codesLeftText(state.recovery_codes_left)}
    </SettingRow>
  );
}

type SetUpDialogsProps = {
  onOpen: (openDialog: OpenDialog) => void;
  openDialog: OpenDialog;
  onClose: () => void;
  withPassword: WithPassword;
};

/** The dialogs that set up a factor and show the recovery codes. */
function SetUpDialogs({ onOpen, openDialog, onClose, withPassword }: SetUpDialogsProps) {
  /** Shows the recovery codes that come with an account's first factor, once only; `codes` is null for a later one. */
  const finishAdding = (codes: readonly string[] | null, message: string) => {
    void refetchSecurity();
    toastUnlessLive(message);
    onOpen(codes === null ? null : { kind: 'codes', codes });
  };
  return (
    <>
      {openDialog?.kind === 'totp' && (
        <TotpDialog
          setup={openDialog.setup}
          onClose={onClose}
          onAdded={(codes) => finishAdding(codes, 'Aplicativo autenticador ligado')}
        />
      )}
      {openDialog?.kind === 'add-passkey' && (
        <PasskeyDialog
          onClose={onClose}
          withPassword={withPassword}
          onAdded={(codes) => finishAdding(codes, 'Chave de acesso adicionada')}
        />
      )}
      {openDialog?.kind === 'codes' && <RecoveryCodesDialog codes={openDialog.codes} onClose={onClose} />}
    </>
  );
}

type FactorConfirmationsProps = {
  withPassword: WithPassword;
  onOpen: Dispatch<SetStateAction<OpenDialog>>;
  openDialog: OpenDialog;
  onClose: () => void;
};

/** The confirmations before a factor is removed or the codes are replaced. */
function FactorConfirmations({ withPassword, onOpen, openDialog, onClose }: FactorConfirmationsProps) {
  const removeFactor = async (remove: () => Promise<unknown>, message: string) => {
    await withPassword(remove);
    await refetchSecurity();
    toastUnlessLive(message);
  };
  const renew = async () => {
    const { recovery_codes } = await withPassword(() => call(renewRecoveryCodes, {}));
    // The codes are shown only once, so a failed refetch must not hide them.
    void refetchSecurity();
    onOpen({ kind: 'codes', codes: recovery_codes });
  };
  return (
    <>
      <ConfirmDialog
        open={openDialog?.kind === 'remove-totp'}
        onClose={onClose}
        title="Desligar o aplicativo autenticador?"
        confirm="Desligar"
        failure="Não foi possível desligar. Tente novamente."
        onConfirm={() => removeFactor(() => call(removeTotp, {}), 'Aplicativo autenticador desligado')}
      >
        Sem outro fator, só a senha guarda sua conta, e os códigos de recuperação deixam de valer.
      </ConfirmDialog>
      <ConfirmDialog
        open={openDialog?.kind === 'remove-passkey'}
        onClose={onClose}
        title="Remover a chave de acesso?"
        confirm="Remover"
        failure="Não foi possível remover. Tente novamente."
        onConfirm={async () => {
          if (openDialog?.kind !== 'remove-passkey') return;
          const { id } = openDialog.passkey;
          await removeFactor(() => call(removePasskey, { params: { id } }), 'Chave de acesso removida');
        }}
      >
        {openDialog?.kind === 'remove-passkey' && (
          <>
            “{openDialog.passkey.name}” deixa de abrir esta conta. Apague-a também no aparelho, se ele a
            mostrar.
          </>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        open={openDialog?.kind === 'renew-codes'}
        // After a success this dialog closes too, but by then the dialog with the new codes is open and must stay.
        onClose={() => onOpen((current) => (current?.kind === 'renew-codes' ? null : current))}
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
  const usage =
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
      Chave de acesso desde {formatDate(passkey.created_at)}, {usage}
    </SettingRow>
  );
}

function codesLeftText(count: number): string {
  if (count === 0) return 'Nenhum código resta: gere novos para não perder o acesso.';
  return count === 1
    ? 'Resta 1 código, para quando você perder os outros fatores.'
    : `Restam ${count} códigos, para quando você perder os outros fatores.`;
}
