import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSession } from '../session/session.ts';
import { LoginPage } from './login-page.tsx';
import { paths } from './paths.ts';
import { RegisterPage } from './register-page.tsx';

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
      onBegun={nothing}
      onSignedIn={() => void navigate({ href: from ?? paths.dashboard, replace: true })}
    />
  );
}

export function RegisterRoute() {
  const navigate = useNavigate();
  return (
    <RegisterPage
      onBegun={nothing}
      onSignedIn={() => void navigate({ to: paths.dashboard, replace: true })}
    />
  );
}
