import { memberRoleTexts, rolesWith } from '@jangada/contract';
import { Link, usePathname, useShownRoute } from '../../navigation/index.ts';
import { isLookingIn, memberRoleOf } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, EmptyState, PageHeader } from '../../ui/index.ts';
import { paths } from '../paths.ts';
import { screenPermissions } from '../screen-permissions.ts';

/** Shown in place of a screen that the person's role in the account may not open. Says which roles may. */
export function RoleMissing() {
  const role = useSession(memberRoleOf);
  const isLooking = useSession(isLookingIn);
  const title = useShownRoute()?.title ?? '';
  const permission = new Map(Object.entries(screenPermissions)).get(usePathname());
  const labels =
    permission === undefined ? [] : rolesWith(permission).map((name) => memberRoleTexts[name].label);
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        drawing="no-result"
        title={isLooking ? 'O suporte não abre esta tela' : 'O seu papel não abre esta tela'}
        action={
          <Link to={paths.dashboard} className={buttonClass({ variant: 'primary' })}>
            Ir para o início
          </Link>
        }
      >
        {isLooking
          ? `Quem olha como suporte lê o que um ${memberRoleTexts[role].label} lê.`
          : `O seu papel nesta conta é ${memberRoleTexts[role].label}.`}{' '}
        Quem abre esta tela: {new Intl.ListFormat('pt-BR').format(labels)}.
      </EmptyState>
    </>
  );
}
