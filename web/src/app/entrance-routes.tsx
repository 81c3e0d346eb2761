import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSession } from '../session/session.ts';
import { paths } from './paths.ts';
import { LoginPage, RegisterPage } from './public-page.tsx';

const NOT_LOADED = 'Não foi possível carregar sua conta. Entre novamente.';

const nothing = () => {};

/** The sign-in inside the app, after a sign-out or a session that ended. */
export function LoginRoute() {
  const navigate = useNavigate();
  const { from } = useSearch({ from: paths.login });
  const notLoaded = useSession(({ endedBy }) => endedBy === 'not-loaded');
  return (
    <LoginPage
      reason={notLoaded ? NOT_LOADED : undefined}
      onSending={nothing}
      onSignedIn={() => void navigate({ href: from ?? paths.dashboard, replace: true })}
    />
  );
}

export function RegisterRoute() {
  const navigate = useNavigate();
  return (
    <RegisterPage
      onSending={nothing}
      onSignedIn={() => void navigate({ to: paths.dashboard, replace: true })}
    />
  );
}
