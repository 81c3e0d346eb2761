import { type AdminUserModel, adminRecoverAccount, newEmail } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { settingsQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { approvalPolicyQuery } from '../../panel/approvals/approvals-queries.ts';
import { approvedOrder, approvedReason } from '../../panel/approvals/approved-order.ts';
import { StaffReasonDialog } from '../../panel/support/staff-reason-dialog.tsx';
import { Button, Notice, TextField, toast } from '../../ui/index.ts';

type RecoverAccountProps = { user: AdminUserModel; disabled: boolean; onDone: () => void };

/** Gives somebody who lost password, second factor and mailbox access again, which other administrators approve. */
export function RecoverAccount({ user, disabled, onDone }: RecoverAccountProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button disabled={disabled} onClick={() => setIsOpen(true)}>
        Devolver acesso
      </Button>
      {isOpen && <RecoverDialog user={user} onDone={onDone} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function RecoverDialog({
  user: { id, name, email: lostEmail },
  onDone,
  onClose,
}: Pick<RecoverAccountProps, 'user' | 'onDone'> & { onClose: () => void }) {
  const about = { user: id };
  const approved = approvedOrder('recovery', about)?.['email'];
  const [email, setEmail] = useState(typeof approved === 'string' ? approved : '');
  const [problem, setProblem] = useState<string>();
  const sendsMail = useQuery(settingsQuery).data?.mail ?? true;
  const policy = useQuery(approvalPolicyQuery('operator'));
  const isOff = policy.data?.policy.enabled === false;
  return (
    <StaffReasonDialog
      title="Devolver acesso"
      submit="Devolver acesso"
      hint="Como você soube quem é. Fica no registro de auditoria, e quem aprova o lê."
      failure="Não foi possível devolver o acesso. Tente novamente."
      initialReason={approvedReason('recovery', about)}
      notices={
        <>
          {!sendsMail && (
            <Notice tone="warning" title="Este gateway não envia e-mails.">
              O link para a senha nova vai por e-mail. Configure o envio antes.
            </Notice>
          )}
          {isOff && (
            <Notice
              tone="warning"
              title="As aprovações do operador estão desligadas."
              action={
                <Link to={paths.adminApprovals} className="link">
                  Abrir Aprovações
                </Link>
              }
            >
              Ninguém devolve um acesso sem outro administrador. Ligue-as antes.
            </Notice>
          )}
        </>
      }
      fields={
        <TextField
          label="E-mail novo"
          type="email"
          autoComplete="off"
          maxLength={254}
          hint="Recebe o link para criar a senha, que vale por 24 horas."
          value={email}
          error={problem}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
      }
      validate={() => {
        const read = newEmail.safeParse(email.trim());
        setProblem(read.error?.issues[0]?.message);
        return read.success;
      }}
      onClose={onClose}
      onReason={async (reason) => {
        await call(adminRecoverAccount, { params: { userId: id }, body: { email: email.trim(), reason } });
        toast('Acesso devolvido');
        onDone();
      }}
    >
      Para quem perdeu senha, segundo fator e e-mail. <bdi className="wrap-anywhere">{name}</bdi> perde a
      senha, os fatores e as sessões que tem, e o e-mail deixa de ser{' '}
      <span className="break-all">{lostEmail}</span>. Os saques das contas de que é dono ficam suspensos por
      72 horas, e os membros são avisados.
    </StaffReasonDialog>
  );
}
