import { Link, useShownRoute } from '../../navigation/index.ts';
import { useSession } from '../../session/session.ts';
import { signOut } from '../../session/sign-in.ts';
import { Button, buttonClass, EmptyState, PageHeader } from '../../ui/index.ts';
import { paths } from '../paths.ts';

/** Shown in place of the screens of an account to somebody who was removed from the only one that they had. */
export function WithoutAccount() {
  const title = useShownRoute()?.title ?? '';
  const name = useSession(({ user }) => user?.name);
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        drawing="no-result"
        title="Você não é membro de nenhuma conta"
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <Link to={paths.profile} className={buttonClass({ variant: 'primary' })}>
              Abrir o perfil
            </Link>
            <Button onClick={signOut}>Sair</Button>
          </div>
        }
      >
        A conta {name} passou a outra pessoa, e um dono removeu você dela. O dinheiro e as cobranças continuam
        com a conta. Restam o seu perfil e a sua segurança. Para voltar, peça um convite a um dono.
      </EmptyState>
    </>
  );
}
