import { type FormEvent, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { signIn } from '../../session/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';

const WELCOME_MS = 2000;

export type LoginFormProps = {
  /** Why one has to sign in again, until the form is sent. */
  reason?: string | undefined;
  registerPath: string;
  /** The form is being sent: what comes after may be loaded meanwhile. */
  onSending: () => void;
  /** Signed in, and welcomed for 2 s. */
  onSignedIn: () => void;
};

/** Username and password. Its fields are uncontrolled: what was typed before hydration stays. */
export function LoginForm({ reason, registerPath, onSending, onSignedIn }: LoginFormProps) {
  const [problem, setProblem] = useState(reason);
  const [sending, setSending] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    const form = event.currentTarget;
    const { username, password } = credentialsOf(form);
    if (username === '' || password === '') {
      setProblem('Por favor, digite usuário e senha');
      focusField(form, username === '' ? 'username' : 'password');
      return;
    }
    setProblem(undefined);
    setSending(true);
    onSending();
    try {
      await signIn({ username, password });
      toast('Login realizado com sucesso!', { durationMs: WELCOME_MS });
      setTimeout(onSignedIn, WELCOME_MS);
    } catch (error) {
      setSending(false);
      setProblem(errorText(error, 'Usuário ou senha inválidos'));
    }
  };

  return (
    <>
      <h1 className="text-xl font-strong">Entrar</h1>
      <p className="mt-1 text-base text-muted">Abra o painel da sua loja.</p>
      <form className="mt-8" method="post" onSubmit={submit} noValidate>
        {problem !== undefined && (
          <Notice tone="error" className="mb-5">
            <span className="font-medium">{problem}</span>
          </Notice>
        )}
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
          sending={sending}
          sendingWord="Entrando"
        >
          Entrar
        </Button>
      </form>
      <p className="mt-6 text-muted">
        Ainda não tem conta?{' '}
        <a className="link" href={registerPath}>
          Criar conta
        </a>
      </p>
    </>
  );
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
