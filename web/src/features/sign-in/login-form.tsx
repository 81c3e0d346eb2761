import { KeyRound } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError, loadChunk, UnsupportedCallError } from '../../api/api-error.ts';
import { isApiOnOtherOrigin } from '../../api/base-address.ts';
import { errorText, formErrorText } from '../../api/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import type { SecondFactorStep } from './second-factor-step.tsx';

/** How long the welcome is shown, above the app that opens meanwhile. */
const WELCOME_MS = 2000;

// Loaded on demand to keep the first visit light.
const loadSecondFactorStep = () => loadChunk(import('./second-factor-step.tsx'));
const loadSignIn = () => loadChunk(import('../../session/sign-in.ts'));

/** The second-factor step: its component, loaded on demand, and the challenge that it must answer. */
type Step = {
  View: typeof SecondFactorStep;
  challenge: Parameters<typeof SecondFactorStep>[0]['challenge'];
};

/** The second-factor step, if the sign-in was refused because of a missing second factor; otherwise undefined. */
async function secondFactorStepFor(error: unknown): Promise<Step | undefined> {
  if (!(error instanceof ApiError) || error.code !== 'SECOND_FACTOR_REQUIRED') return undefined;
  try {
    const { SecondFactorStep: View, challengeIn } = await loadSecondFactorStep();
    return { View, challenge: challengeIn(error) };
  } catch {
    return undefined;
  }
}

/** Why the user is not signed in. */
export type SignInProblem = {
  readonly text: string;
  /** `info` when nothing went wrong; absent for an error. */
  readonly tone?: 'info';
  /** True when only the support can help; the form then shows the support's e-mail address. */
  readonly needsSupport?: boolean;
};

export type LoginFormProps = {
  /** Why the user must sign in again; shown until the form is sent. */
  reason?: SignInProblem | undefined;
  /** The support's e-mail address, if the gateway provides one. */
  supportEmail?: string | undefined;
  registerPath: string;
  recoverPath: string;
  /** True when a forgotten password can be recovered by e-mail here. */
  canRecover: boolean;
  /**
   * Called when the user begins to fill in the form, so that the app can be prefetched. May be called
   * repeatedly.
   */
  onFormStart: () => void;
  /** Called as soon as the sign-in has succeeded. */
  onSignedIn: () => void;
};

/**
 * Signs in with user name and password, or with a passkey. After a password it asks for the second factor, if the
 * account has one.
 */
export function LoginForm({ reason, onFormStart, onSignedIn, ...paths }: LoginFormProps) {
  const [problem, setProblem] = useState(reason);
  const [step, setStep] = useState<Step>();
  const openApp = () => {
    toast('Login realizado com sucesso!', { durationMs: WELCOME_MS });
    onSignedIn();
  };
  const returnToCredentials = (message?: string) => {
    setProblem(message === undefined ? undefined : { text: message });
    setStep(undefined);
  };
  if (step !== undefined)
    return <step.View challenge={step.challenge} onSuccess={openApp} onBack={returnToCredentials} />;
  return (
    <Credentials
      {...paths}
      problem={problem}
      onProblem={setProblem}
      onFormStart={onFormStart}
      onSuccess={openApp}
      onStep={setStep}
    />
  );
}

type CredentialsProps = Omit<LoginFormProps, 'reason' | 'onSignedIn'> & {
  problem: SignInProblem | undefined;
  onProblem: (problem: SignInProblem | undefined) => void;
  /** Called as soon as the sign-in has succeeded. */
  onSuccess: () => void;
  /** Called when the account has a second factor, which must be given next. */
  onStep: (step: Step) => void;
};

/** The first step of the sign-in. Its fields are uncontrolled, so that input typed before hydration is kept. */
function Credentials(props: CredentialsProps) {
  const { problem, registerPath, recoverPath, canRecover, supportEmail } = props;
  const { sending, canUsePasskey, prefetch, submit, signInWithPasskey } = useCredentials(props);
  return (
    <>
      <h1 className="text-xl font-strong">Entrar</h1>
      <p className="mt-1 text-base text-muted">Abra o painel da sua loja.</p>
      <form className="mt-8" method="post" onFocus={prefetch} onInput={prefetch} onSubmit={submit} noValidate>
        {problem !== undefined && <ProblemNotice problem={problem} supportEmail={supportEmail} />}
        <TextField
          label="Usuário"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
        />
        <PasswordField label="Senha" name="password" className="mt-5" maxLength={256} />
        <Button
          type="submit"
          variant="primary"
          block
          className="mt-6"
          isSending={sending === 'password'}
          sendingLabel="Entrando"
          disabled={sending !== null}
        >
          Entrar
        </Button>
        <Button
          block
          className={canUsePasskey ? 'mt-3' : 'invisible mt-3'}
          isSending={sending === 'passkey'}
          sendingLabel="Aguardando"
          disabled={sending !== null}
          icon={<KeyRound className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          onClick={signInWithPasskey}
        >
          Entrar com chave de acesso
        </Button>
      </form>
      <OtherWays registerPath={registerPath} canRecover={canRecover} recoverPath={recoverPath} />
    </>
  );
}

function ProblemNotice({
  problem,
  supportEmail,
}: {
  problem: SignInProblem;
  supportEmail: string | undefined;
}) {
  return (
    <Notice tone={problem.tone ?? 'error'} className="mb-5" announced>
      <span className="font-medium">{problem.text}</span>
      {problem.needsSupport && supportEmail !== undefined && (
        <>
          {' '}
          <a className="link wrap-anywhere" href={`mailto:${supportEmail}`}>
            {supportEmail}
          </a>
        </>
      )}
    </Notice>
  );
}

type OtherWaysProps = { registerPath: string; canRecover: boolean; recoverPath: string };

function OtherWays({ registerPath, canRecover, recoverPath }: OtherWaysProps) {
  return (
    <div className="mt-6 flex flex-wrap justify-between gap-x-4 gap-y-2 text-muted">
      <p>
        Ainda não tem conta?{' '}
        <a className="link" href={registerPath}>
          Criar conta
        </a>
      </p>
      {/* Invisible rather than absent, so that nothing shifts once the settings say that the gateway sends e-mail. */}
      <a className={canRecover ? 'link' : 'invisible link'} href={recoverPath}>
        Esqueci a senha
      </a>
    </div>
  );
}

/** The state of the sign-in by password or passkey, and its two submissions. */
function useCredentials({ onFormStart, onProblem, onSuccess, onStep }: CredentialsProps) {
  const [sending, setSending] = useState<'password' | 'passkey' | null>(null);
  // Whether passkeys work is known only in the browser, so the button is invisible on the prerendered page.
  const [canUsePasskey, setCanUsePasskey] = useState(false);
  // A passkey is bound to this site, so a gateway at another origin could not verify it.
  useEffect(() => setCanUsePasskey(typeof PublicKeyCredential === 'function' && !isApiOnOtherOrigin()), []);

  const prefetch = () => {
    loadSignIn().catch(() => {});
    onFormStart();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending !== null) return;
    const form = event.currentTarget;
    const { username, password } = credentialsOf(form);
    if (username === '' || password === '') {
      onProblem({ text: 'Por favor, digite usuário e senha' });
      focusField(form, username === '' ? 'username' : 'password');
      return;
    }
    onProblem(undefined);
    setSending('password');
    prefetch();
    try {
      const { signIn } = await loadSignIn();
      await signIn({ username, password });
      onSuccess();
    } catch (error) {
      const step = await secondFactorStepFor(error);
      setSending(null);
      if (step !== undefined) return onStep(step);
      onProblem(problemOf(error, formErrorText(error, 'Usuário ou senha inválidos', 'a senha')));
    }
  };
  const signInWithPasskey = async () => {
    onProblem(undefined);
    setSending('passkey');
    prefetch();
    try {
      const { signInByPasskey } = await loadSecondFactorStep();
      await signInByPasskey();
      onSuccess();
    } catch (error) {
      setSending(null);
      if (error instanceof UnsupportedCallError) setCanUsePasskey(false);
      else
        onProblem(problemOf(error, errorText(error, 'A chave de acesso não foi confirmada. Tente de novo.')));
    }
  };

  return { sending, canUsePasskey, prefetch, submit, signInWithPasskey };
}

function problemOf(error: unknown, text: string): SignInProblem {
  return { text, needsSupport: error instanceof ApiError && error.code === 'ACCOUNT_FROZEN' };
}

function credentialsOf(form: HTMLFormElement): { username: string; password: string } {
  const values = new FormData(form);
  return {
    username: String(values.get('username') ?? '').trim(),
    password: String(values.get('password') ?? ''),
  };
}

function focusField(form: HTMLFormElement, name: string): void {
  form.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
}
