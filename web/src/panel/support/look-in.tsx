import { adminLookIn, hasAbility } from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { openAccountAnew } from '../../session/account-change.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/index.ts';
import { StaffReasonDialog } from './staff-reason-dialog.tsx';

type LookInProps = {
  user: { readonly id: string; readonly name: string; readonly version: number | null };
  disabled?: boolean;
};

/**
 * Lets staff look into an account, reading only, while one of its owners allows it. Nothing is offered in one's own
 * account, nor by a gateway that is not ours, which sends no `version`.
 */
export function LookIn({ user: { id, name, version }, disabled = false }: LookInProps) {
  const isOffered = useSession(
    ({ user }) => user !== null && user.id !== id && hasAbility(user.role, 'look-into-accounts'),
  );
  const [isOpen, setIsOpen] = useState(false);
  if (!isOffered || version === null) return null;
  return (
    <>
      <Button disabled={disabled} onClick={() => setIsOpen(true)}>
        Olhar a conta
      </Button>
      {isOpen && (
        <StaffReasonDialog
          title="Olhar a conta"
          submit="Olhar a conta"
          hint="Os donos da conta o leem, e ele fica no registro de auditoria."
          failure="Não foi possível olhar a conta. Tente novamente."
          onClose={() => setIsOpen(false)}
          onReason={async (reason) => {
            await call(adminLookIn, { params: { userId: id }, body: { reason } });
            openAccountAnew(null);
          }}
        >
          Você vê a conta de <span className="wrap-anywhere">{name}</span> por dentro, só para ler, se um dono
          dela deixou. Os donos são avisados por e-mail.
        </StaffReasonDialog>
      )}
    </>
  );
}
