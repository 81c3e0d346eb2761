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
import { DebitAccountDialog } from './debit-account-dialog.tsx';

/** The action whose dialog is open. `activated` shows the first steps with an account that is in use from now on. */
export type ConnectionAction =
  | 'activate'
  | 'activated'
  | 'credentials'
  | 'debit-account'
  | 'suspend'
  | 'retire';

type ConnectionDialogsProps = {
  connection: BankConnection;
  /** The bank of the account, if the gateway still knows it. */
  bank: ConnectableBank | undefined;
  hasPin: boolean;
  /** The merchant's other accounts; undefined while loading. */
  others: readonly BankConnection[] | undefined;
  /** Whether the merchant is paid into the operator's account until this one is active. */
  becomesDirect: boolean;
  action: ConnectionAction | null;
  onAction: (action: ConnectionAction | null) => void;
};

export function ConnectionDialogs({
  connection,
  bank,
  hasPin,
  others,
  becomesDirect,
  action,
  onAction,
}: ConnectionDialogsProps) {
  const { id, state, position } = connection;
  const active = (others ?? []).filter((other) => other.state === 'active');
  const before = active.find((other) => other.position < position);
  const isOnlyActive = state === 'active' && others !== undefined && active.length === 0;
  // It may be put to use in another tab while the dialog is open here.
  const isActiveAlready = action === 'activate' && state === 'active';
  const navigate = useNavigate();
  const close = () => onAction(null);
  return (
    <>
      {action === 'activate' && (state === 'draft' || state === 'suspended') && (
        <ProofDialog
          title={state === 'draft' ? 'Ativar conta' : 'Reativar conta'}
          submit={state === 'draft' ? 'Ativar' : 'Reativar'}
          failure="Erro ao ativar a conta. Tente novamente."
          hasPin={hasPin}
          onClose={close}
          onSend={(proof) => connectionActions.activate(id, proof)}
          onDone={() => onAction('activated')}
        >
          <ActivationChanges connection={connection} before={before} becomesDirect={becomesDirect} />
        </ProofDialog>
      )}
      {(action === 'activated' || isActiveAlready) && (
        <FirstChargeDialog connection={connection} before={before} onClose={close} />
      )}
      {action === 'credentials' && bank !== undefined && (
        <CredentialsDialog connection={connection} bank={bank} hasPin={hasPin} onClose={close} />
      )}
      {action === 'debit-account' && (
        <DebitAccountDialog connection={connection} hasPin={hasPin} onClose={close} />
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
        Nada novo pode ser recebido nela até você a reativar. O que começou nela continua: pagamentos,
        estornos e disputas.
        {isOnlyActive && ` ${ONLY_ACTIVE}`}
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
            ? 'Nada foi recebido nela. As credenciais são apagadas.'
            : `Nada novo pode ser recebido nela, e isso não pode ser desfeito. Cobranças já criadas ainda podem ser pagas, e estornos e disputas seguem por até 90 dias; até lá, a chave Pix dela não pode ser conectada de novo. Depois as credenciais são apagadas. A conta no banco não muda.${isOnlyActive ? ` ${ONLY_ACTIVE}` : ''}`}
        </ProofDialog>
      )}
    </>
  );
}

const ONLY_ACTIVE = 'É a sua única conta ativa: nada novo pode ser recebido até outra estar ativa.';

type ActivationProps = {
  connection: BankConnection;
  /** The active account that comes first in the order, if one does. */
  before: BankConnection | undefined;
};

/** Says into which account charges go, which the order of the accounts decides. */
function WhereChargesGo({ connection, before }: ActivationProps) {
  const title = (one: BankConnection) => <span className="font-medium">{connectionTitle(one)}</span>;
  if (before === undefined) return <>As próximas cobranças entram em {title(connection)}.</>;
  return (
    <>
      As cobranças continuam entrando em {title(before)}, que vem antes na ordem. {title(connection)} recebe
      quando o banco daquela não responde. Em Banco você muda a ordem.
    </>
  );
}

function ActivationChanges({
  connection,
  before,
  becomesDirect,
}: ActivationProps & { becomesDirect: boolean }) {
  return (
    <>
      <WhereChargesGo connection={connection} before={before} /> As que já existem ficam onde estão.
      {becomesDirect &&
        ' O saldo que está com o operador continua seu e pode ser sacado. As tarifas deixam de ser descontadas e vêm em uma fatura por mês. QR Codes de balcão já impressos continuam caindo na conta do operador, menos a tarifa, e novos não podem ser criados: use links de pagamento. Para voltar a receber na conta do operador, fale com ele.'}
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
function FirstChargeDialog({ connection, before, onClose }: ActivationProps & { onClose: () => void }) {
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
        <WhereChargesGo connection={connection} before={before} />
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
