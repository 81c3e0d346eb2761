import { type AdminUserModel, adminConfirmIdentity } from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formatDateAtTime } from '../../format/date.ts';
import { StaffReasonDialog } from '../../panel/support/staff-reason-dialog.tsx';
import { Button, Notice, toast } from '../../ui/index.ts';

type IdentityReviewProps = {
  user: AdminUserModel;
  isSelf: boolean;
  /** Loads the user again. */
  onReload: () => void;
};

/** Says that an account was handed over, and that the identity of whoever controls it has to be looked at. */
export function IdentityReview({ user, isSelf, onReload }: IdentityReviewProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { id, heldBy, identityReviewSince } = user;
  if (identityReviewSince === null) return null;
  const holder = heldBy?.name ?? user.name;
  return (
    <>
      <Notice
        tone="warning"
        className="mb-5"
        title={`A conta mudou de titular em ${formatDateAtTime(identityReviewSince)}.`}
        action={
          !isSelf && (
            <Button size="small" onClick={() => setIsOpen(true)}>
              Registrar conferência
            </Button>
          )
        }
      >
        Confira a identidade de <bdi className="wrap-anywhere">{holder}</bdi>, que a controla agora. Documento
        e verificação ainda são da pessoa anterior.
      </Notice>
      {isOpen && (
        <StaffReasonDialog
          title="Identidade conferida"
          submit="Registrar conferência"
          hint="O que você viu. Fica no registro de auditoria."
          failure="Não foi possível registrar. Tente novamente."
          onClose={() => setIsOpen(false)}
          onReason={async (reason) => {
            await call(adminConfirmIdentity, { params: { userId: id }, body: { reason } });
            toast('Conferência registrada');
            onReload();
          }}
        >
          Você registra que conferiu quem controla a conta de{' '}
          <span className="wrap-anywhere">{user.name}</span>. Nome e documento da conta não mudam por isso.
        </StaffReasonDialog>
      )}
    </>
  );
}
