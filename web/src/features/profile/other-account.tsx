import { leaveAccount, memberRoleTexts } from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { useLookedInto } from '../../panel/members/accounts-query.ts';
import { openAccountAnew } from '../../session/account-change.ts';
import { useSession } from '../../session/session.ts';
import { Button, Panel } from '../../ui/index.ts';

/**
 * The account of somebody else for which the person acts, their role in it, and how to leave it. Staff who look into it
 * are no member, which they are told on every screen.
 */
export function OtherAccount() {
  const account = useSession(({ user }) => user?.account);
  const [isLeaving, setIsLeaving] = useState(false);
  const lookedInto = useLookedInto();
  if (account === undefined || lookedInto !== null) return null;
  const { id, name, role } = account;
  return (
    <Panel well label="Conta em que você age">
      <p className="text-xs font-medium text-muted">Conta em que você age</p>
      <p className="mt-0.5 text-base font-strong wrap-anywhere">{name}</p>
      <p className="mt-3">
        <span className="font-medium">{memberRoleTexts[role].label}.</span>{' '}
        <span className="text-muted">{memberRoleTexts[role].sentence}</span>
      </p>
      <Button variant="danger" size="small" className="mt-4" onClick={() => setIsLeaving(true)}>
        Deixar esta conta
      </Button>
      <ConfirmDialog
        open={isLeaving}
        onClose={() => setIsLeaving(false)}
        title="Deixar esta conta?"
        confirm="Deixar a conta"
        failure="Não foi possível deixar a conta. Tente novamente."
        onConfirm={async () => {
          await call(leaveAccount, { body: { account_id: id } });
          openAccountAnew(`Você deixou a conta ${name}. Esta é a sua própria conta.`);
        }}
      >
        Você deixa de agir pela conta <span className="wrap-anywhere">{name}</span>, e as chaves de API que
        criou nela são revogadas. Para voltar é preciso outro convite. A sua própria conta continua.
      </ConfirmDialog>
    </Panel>
  );
}
