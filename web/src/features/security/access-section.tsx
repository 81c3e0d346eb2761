import type { SecurityState, UserModel } from '@jangada/contract';
import { useState } from 'react';
import { formatDate } from '../../format/date.ts';
import { Button, SectionHeader } from '../../ui/index.ts';
import { ChangeEmailDialog } from './change-email-dialog.tsx';
import { ChangeNameDialog } from './change-name-dialog.tsx';
import { ChangePasswordDialog } from './change-password-dialog.tsx';
import { PendingEmail } from './pending-email.tsx';
import { SettingRow, SettingRows } from './setting-row.tsx';

type AccessSectionProps = { state: SecurityState; user: UserModel | undefined };

/** Shows the account's name, e-mail and password, each with a button that changes it. */
export function AccessSection({ state, user }: AccessSectionProps) {
  const { name = '', email = '' } = user ?? {};
  const [openDialog, setOpenDialog] = useState<'name' | 'email' | 'password' | null>(null);
  const close = () => setOpenDialog(null);
  return (
    <section aria-labelledby="access">
      <SectionHeader id="access" title="Acesso" />
      <SettingRows label="Acesso">
        <SettingRow
          title="Nome"
          action={
            <Button size="small" aria-label="Trocar nome" onClick={() => setOpenDialog('name')}>
              Trocar
            </Button>
          }
        >
          {name}
        </SettingRow>
        <SettingRow
          title="E-mail"
          action={
            <Button size="small" aria-label="Trocar e-mail" onClick={() => setOpenDialog('email')}>
              Trocar
            </Button>
          }
        >
          {email}
          {state.pending_email !== null && <PendingEmail email={state.pending_email} />}
        </SettingRow>
        <SettingRow
          title="Senha"
          action={
            <Button size="small" aria-label="Trocar senha" onClick={() => setOpenDialog('password')}>
              Trocar
            </Button>
          }
        >
          {state.password_changed_at !== null
            ? `Trocada em ${formatDate(state.password_changed_at)}`
            : user !== undefined && `Definida em ${formatDate(user.createdAt)}`}
        </SettingRow>
      </SettingRows>
      {openDialog === 'name' && <ChangeNameDialog name={name} onClose={close} />}
      {openDialog === 'email' && <ChangeEmailDialog onClose={close} />}
      {openDialog === 'password' && <ChangePasswordDialog onClose={close} />}
    </section>
  );
}
