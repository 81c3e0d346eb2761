import { useNavigate, useSearch } from '@tanstack/react-router';
import { paths } from './paths.ts';
import { LoginPage, RegisterPage } from './public-page.tsx';

const nothing = () => {};

/** The sign-in inside the app, after a sign-out or a session that ended. */
export function LoginRoute() {
  const navigate = useNavigate();
  const { from } = useSearch({ from: paths.login });
  return (
    <LoginPage
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
