import { errors } from '@jangada/contract';
import type { SignInProblem } from '../features/sign-in/login-form.tsx';
import { useNavigate, useSearch } from '../navigation/index.ts';
import { type SessionEnd, useSession } from '../session/session.ts';
import { returnUrlFrom } from './guards.ts';
import { LoginPage } from './login-page.tsx';
import { paths } from './paths.ts';
import { RegisterPage } from './register-page.tsx';

const sessionEnded: SignInProblem = {
  tone: 'info',
  text: 'Sua sessão terminou: o prazo dela acabou ou ela foi encerrada em outro lugar. Entre de novo para continuar.',
};

/** The message after a session that ended in any way other than signing out. */
const problemsByEnd: Partial<Record<SessionEnd, SignInProblem>> = {
  refusal: sessionEnded,
  elsewhere: sessionEnded,
  frozen: { text: errors.ACCOUNT_FROZEN.message, needsSupport: true },
  'not-loaded': { text: 'Não foi possível carregar sua conta. Entre novamente.' },
};

function problemOf(endedBy: SessionEnd | null, endedIn: string | undefined): SignInProblem | undefined {
  if (endedBy === null) return undefined;
  const problem = problemsByEnd[endedBy];
  if (problem !== sessionEnded || endedIn === undefined) return problem;
  return {
    tone: 'info',
    text: `Sua sessão na conta ${endedIn} terminou. Entre de novo para continuar; se você não é mais membro dela, entra em outra conta sua.`,
  };
}

/** The URL to open after the sign-in, if the search parameters have one. */
function loginSearchFrom(urlParams: Record<string, unknown>): { from?: string | undefined } {
  return { from: returnUrlFrom(urlParams['from']) };
}

/** The app is already loaded here, so there is nothing to prefetch while the form is filled in. */
const prefetchNothing = () => {};

/** The sign-in screen inside the app, after a sign-out or an ended session. */
export function LoginRoute() {
  const navigate = useNavigate();
  const { from } = useSearch(loginSearchFrom);
  const endedBy = useSession((state) => state.endedBy);
  const endedIn = useSession((state) => state.endedIn);
  return (
    <LoginPage
      reason={problemOf(endedBy, endedIn)}
      onFormStart={prefetchNothing}
      onSignedIn={() => void navigate({ href: from ?? paths.dashboard, replace: true })}
    />
  );
}

/** The registration screen inside the app. */
export function RegisterRoute() {
  const navigate = useNavigate();
  const { from } = useSearch(loginSearchFrom);
  return (
    <RegisterPage
      onFormStart={prefetchNothing}
      onSignedIn={() => void navigate({ href: from ?? paths.dashboard, replace: true })}
    />
  );
}
