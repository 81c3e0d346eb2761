import { checkResetLink, errors, resetPassword } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { Link, useSearch } from '../../navigation/index.ts';
import { newPasswordProblems } from '../../panel/password/new-password-problems.ts';
import { Button, buttonClass, Notice, PasswordField } from '../../ui/index.ts';
import { isLinkGone, linkTokenFrom } from './link-token.ts';
import { LinkCheckSkeleton, RecoveryFrame, RecoveryTitle } from './recovery-frame.tsx';

/** The page that opens from the recovery link sent by e-mail, where the user sets a new password. */
export function ResetPasswordPage() {
  const { token } = useSearch(linkTokenFrom);
  const [state, setState] = useState<'open' | 'done' | 'gone'>('open');
  const check = useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) => call(checkResetLink, { body: { token: token ?? '' }, signal }),
    enabled: token !== undefined,
    gcTime: 0,
  });
  return (
    <RecoveryFrame>
      {state === 'done' ? (
        <PasswordReset />
      ) : state === 'gone' || token === undefined || isLinkGone(check.error) ? (
        <LinkGone />
      ) : check.isPending ? (
        <LinkCheckSkeleton />
      ) : (
        // If the check of the link failed, submitting the form will show whether the link is valid.
        <PasswordForm token={token} onDone={() => setState('done')} onGone={() => setState('gone')} />
      )}
    </RecoveryFrame>
  );
}

type PasswordFormProps = { token: string; onDone: () => void; onGone: () => void };

function PasswordForm({ token, onDone, onGone }: PasswordFormProps) {
  const [fields, setFields] = useState({ password: '', confirmation: '' });
  const [problems, setProblems] = useState<Partial<typeof fields>>({});
  const [failure, setFailure] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    const newProblems = newPasswordProblems(fields);
    setProblems(newProblems);
    const [firstInvalid] = Object.keys(newProblems);
    if (firstInvalid !== undefined)
      return form.current?.querySelector<HTMLInputElement>(`[name=${firstInvalid}]`)?.focus();
    setIsSending(true);
    try {
      await call(resetPassword, { body: { token, password: fields.password } });
      onDone();
    } catch (error) {
      setIsSending(false);
      if (error instanceof ApiError && error.code === 'LINK_EXPIRED') return onGone();
      const text = errorText(error, 'Não foi possível trocar a senha. Tente novamente.');
      if (error instanceof ApiError && error.code === 'PASSWORD_COMMON') setProblems({ password: text });
      else setFailure(text);
    }
  };
  return (
    <>
      <RecoveryTitle sentence="Ela vale para a próxima entrada.">Crie outra senha</RecoveryTitle>
      <form ref={form} method="post" onSubmit={submit} noValidate className="grid grid-cols-1 gap-5">
        {failure !== undefined && (
          <Notice tone="error">
            <span className="font-medium">{failure}</span>
          </Notice>
        )}
        <PasswordField
          label="Nova senha"
          name="password"
          autoComplete="new-password"
          hint="Mínimo de 8 caracteres"
          maxLength={256}
          value={fields.password}
          onChange={(event) => setFields({ ...fields, password: event.currentTarget.value })}
          error={problems.password}
        />
        <PasswordField
          label="Confirmar senha"
          name="confirmation"
          autoComplete="new-password"
          maxLength={256}
          value={fields.confirmation}
          onChange={(event) => setFields({ ...fields, confirmation: event.currentTarget.value })}
          error={problems.confirmation}
        />
        <Button type="submit" variant="primary" block isSending={isSending}>
          Trocar senha
        </Button>
        <p className="text-muted">
          Todas as sessões serão encerradas. Por segurança, os saques ficam suspensos por 24 horas, ou por 72
          se o suporte recuperou o seu acesso.
        </p>
      </form>
    </>
  );
}

function PasswordReset() {
  return (
    <>
      <RecoveryTitle takesFocus sentence="Entre com a nova senha.">
        Senha trocada
      </RecoveryTitle>
      <p>
        Todas as sessões foram encerradas. Os saques ficam suspensos por 24 horas, ou por 72 se o suporte
        recuperou o seu acesso. Um segundo fator continua valendo, a não ser que tenha sido cadastrado nas
        últimas 24 horas ou que o suporte o tenha removido.
      </p>
      <Link to={paths.login} className={`mt-6 ${buttonClass({ variant: 'primary', block: true })}`}>
        Entrar
      </Link>
    </>
  );
}

/** Shown for a link that is incomplete, used or expired. */
function LinkGone() {
  return (
    <div role="alert">
      <RecoveryTitle sentence={errors.LINK_EXPIRED.message}>Link inválido</RecoveryTitle>
      <Link to={paths.recoverPassword} className={buttonClass({ variant: 'primary', block: true })}>
        Pedir outro link
      </Link>
      <Link to={paths.login} className={`mt-3 ${buttonClass({ block: true })}`}>
        Voltar para entrar
      </Link>
    </div>
  );
}
