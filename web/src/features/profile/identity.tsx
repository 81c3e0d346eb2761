import type { Role, UserModel } from '@jangada/contract';
import { Camera } from 'lucide-react';
import { Avatar } from '../../panel/avatar.tsx';
import { StatusBadge, Tag } from '../../ui/index.ts';
import { PictureButtons } from './picture-buttons.tsx';
import { useAvatar } from './use-picture.ts';

/** The account's picture with its buttons, its name, whether it is approved, and its role. */
export function Identity({ user }: { user: UserModel }) {
  const { isRemovable, ...picture } = useAvatar();
  // Support staff need no verification, so a pending one is not shown for them.
  const isVerificationShown = user.approved || user.role !== 'SUPPORT';
  return (
    <section aria-label="Foto e situação">
      <div className="flex items-center gap-4">
        <Avatar name={user.name} image={user.avatar} size="large" />
        <div className="min-w-0">
          <h2 className="text-base font-strong wrap-anywhere">{user.name}</h2>
          <p className="mt-1.5 flex flex-wrap gap-2">
            {isVerificationShown && (
              <StatusBadge status={user.approved ? 'done' : 'waiting'}>
                {user.approved ? 'Verificado' : 'Verificação pendente'}
              </StatusBadge>
            )}
            <Tag>{roleLabels[user.role]}</Tag>
          </p>
        </div>
      </div>
      <div className="mt-4">
        <PictureButtons
          picture={picture}
          noun="foto"
          icon={<Camera className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          isSet={user.avatar !== ''}
          isRemovable={isRemovable}
          hint="JPEG ou PNG de até 2 MB."
        />
      </div>
    </section>
  );
}

/** The display names of the roles. */
const roleLabels: Readonly<Record<Role, string>> = {
  USER: 'Lojista',
  ADMIN: 'Administrador',
  SUPPORT: 'Suporte',
};
