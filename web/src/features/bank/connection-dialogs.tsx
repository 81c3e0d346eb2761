import type { BankConnection, ConnectableBank } from '@jangada/contract';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { Link, useNavigate } from '../../navigation/index.ts';
import { connectionTitle } from '../../panel/bank/connection-words.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { type PasswordAndPin, ProofFields, useOwnerProof } from '../../panel/confirm/owner-proof.tsx';
import { Button, buttonClass, Dialog, toast } from '../../ui/index.ts';
import { connectionActions } from './bank-queries.ts';
import { CredentialsDialog } from './credentials-dialog.tsx';

/** The action whose dialog is open. `activated` shows the first steps with an account that is in use from now on. */
export type ConnectionAction = 'activate' | 'activated' | 'credentials' | 'suspend' | 'retire';

type ConnectionDialogsProps = {
  connection: BankConnection;
  /** The bank of the account, if the gateway still knows it. */
  bank: ConnectableBank | undefined;
  hasPin: boolean;
  action: ConnectionAction | null;
  onAction: (action: ConnectionAction | null) => void;
};

export function ConnectionDialogs({ connection, bank, hasPin, action, onAction }: ConnectionDialogsProps) {
  const { id, state } = connection;
  const navigate = useNavigate();
  const close = () => onAction(null);
  return (
    <>
      {action === 'activate' && (
        <ProofDialog
          title={state === 'draft' ? 'Ativar conta' : 'Reativar conta'}
          submit={state === 'draft' ? 'Ativar' : 'Reativar'}
          failure="Erro ao ativar a conta. Tente novamente."
          hasPin={hasPin}
          onClose={close}
          onSend={(proof) => connectionActions.activate(id, proof)}
          onDone={() => onAction('activated')}
        >
          As próximas cobranças são criadas em {connectionTitle(connection)} e entram nessa conta. O que já
          foi cobrado fica onde está.
        </ProofDialog>
      )}
      {action === 'activated' && <FirstChargeDialog connection={connection} onClose={close} />}
      {action === 'credentials' && bank !== undefined && (
        <CredentialsDialog connection={connection} bank={bank} hasPin={hasPin} onClose={close} />
      )}
      <ConfirmDialog
        open={action === 'suspend'}
        onClose={close}
        title="Suspender conta?"
        confirm="Suspender"
        failure="Erro ao suspender a conta. Tente novamente."
        onConfirm={async () => {
          await connectionActions.suspend(id);
          toast('Conta suspensa');
        }}
      >
        Nada novo é cobrado por ela até você a reativar. O que começou nela continua: pagamentos, estornos e
        disputas.
      </ConfirmDialog>
      {action === 'retire' && (
        <ProofDialog
          title={state === 'draft' ? 'Remover conta' : 'Encerrar conta'}
          submit={state === 'draft' ? 'Remover' : 'Encerrar'}
          danger
          failure="Erro ao encerrar a conta. Tente novamente."
          hasPin={hasPin}
          onClose={close}
          onSend={(proof) => connectionActions.retire(id, proof)}
          onDone={() => {
            close();
            // A removed draft has nothing more to show.
            if (state === 'draft') void navigate({ to: paths.bank });
            toast(state === 'draft' ? 'Conta removida' : 'Encerramento começado');
          }}
        >
          {state === 'draft'
            ? 'Nada foi cobrado por ela. As credenciais são apagadas.'
            : 'Nada novo é cobrado por ela, e isso não pode ser desfeito. Estornos e disputas do que já entrou seguem por até 90 dias; depois as credenciais são apagadas. A conta no banco não muda.'}
        </ProofDialog>
      )}
    </>
  );
}

type ProofDialogProps = {
  title: string;
  children: ReactNode;
  submit: string;
  danger?: boolean;
  failure: string;
  hasPin: boolean;
  onClose: () => void;
  onSend: (proof: PasswordAndPin) => Promise<unknown>;
  onDone: () => void;
};

/** Asks for the password and the PIN before an account begins or ends to receive. */
function ProofDialog({ children, failure, hasPin, onSend, onDone, ...dialog }: ProofDialogProps) {
  const { fields, send } = useOwnerProof(failure, hasPin);
  return (
    <FormDialog
      {...dialog}
      failure={failure}
      onSubmit={async () => {
        if (await send(onSend)) onDone();
        // The view after a success replaces this dialog.
        return false;
      }}
    >
      <p className="text-muted">{children}</p>
      <ProofFields isFirst {...fields} />
    </FormDialog>
  );
}

const firstSteps = [
  'Crie uma cobrança de valor baixo e pague-a de outra conta.',
  'O valor aparece no aplicativo do banco, e a cobrança fica paga em Todas as Transações.',
];

/** The first steps with an account that was just put to use. */
function FirstChargeDialog({ connection, onClose }: { connection: BankConnection; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Conta ativa"
      size="small"
      footer={
        <>
          <Button onClick={onClose}>Agora não</Button>
          <Link to={paths.pixPayment} className={buttonClass({ variant: 'primary' })} data-autofocus>
            Criar cobrança
          </Link>
        </>
      }
    >
      <p>
        As próximas cobranças entram em <span className="font-medium">{connectionTitle(connection)}</span>.
      </p>
      <h3 className="mt-4 font-strong">Para conferir</h3>
      <ol className="mt-1 grid list-decimal gap-1.5 pl-5 text-muted">
        {firstSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Dialog>
  );
}
