import { email as emailSchema, recoverPassword } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { settingsQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { Button, buttonClass, Notice, TextField } from '../../ui/index.ts';
import { RecoveryFrame, RecoveryTitle } from './recovery-frame.tsx';

/**
 * Requests a link by e-mail to reset the password. The page does not reveal whether an account has that e-mail address.
 */
export function RecoverPasswordPage() {
  const [sentTo, setSentTo] = useState<string>();
  return (
    <RecoveryFrame>
      {sentTo === undefined ? <AddressForm onSent={setSentTo} /> : <LinkSent email={sentTo} />}
    </RecoveryFrame>
  );
}

function AddressForm({ onSent }: { onSent: (email: string) => void }) {
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const parsed = emailSchema.safeParse(email);
    setProblem(parsed.error?.issues[0]?.message);
    setFailure(undefined);
    if (!parsed.success) return field.current?.focus();
    setIsSending(true);
    try {
      await call(recoverPassword, { body: { email: parsed.data } });
      onSent(parsed.data);
    } catch (error) {
      setFailure(errorText(error, 'Não foi possível pedir o link. Tente novamente.'));
      setIsSending(false);
    }
  };
  return (
    <>
      <RecoveryTitle sentence="Enviamos um link para você criar outra.">Esqueceu a senha?</RecoveryTitle>
      <form method="post" onSubmit={submit} noValidate className="grid grid-cols-1 gap-5">
        {failure !== undefined && (
          <Notice tone="error">
            <span className="font-medium">{failure}</span>
          </Notice>
        )}
        <TextField
          ref={field}
          label="E-mail"
          name="email"
          type="email"
          autoComplete="email"
          hint="O da sua conta"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={problem}
        />
        <Button type="submit" variant="primary" block isSending={isSending}>
          Enviar link
        </Button>
      </form>
      <p className="mt-6 text-muted">
        <Link to={paths.login} className="link">
          Voltar para entrar
        </Link>
      </p>
    </>
  );
}

function LinkSent({ email }: { email: string }) {
  // A sandbox gateway sends no e-mail; its mailbox screen shows the e-mails that it would have sent.
  const hasMailbox = useQuery(settingsQuery).data?.mailbox === true;
  return (
    <>
      <RecoveryTitle takesFocus sentence="Se houver uma conta com este endereço, o link já está a caminho.">
        Confira seu e-mail
      </RecoveryTitle>
      <p>
        Procure em <strong className="font-strong wrap-anywhere">{email}</strong>, também no lixo eletrônico.
        O link vale por 30 minutos e uma vez só.
      </p>
      {hasMailbox && (
        <p className="mt-4 text-muted">
          Neste sandbox nenhum e-mail sai:{' '}
          <Link to={paths.mailbox} className="link">
            abra a caixa do sandbox
          </Link>
          .
        </p>
      )}
      <Link to={paths.login} className={`mt-6 ${buttonClass({ block: true })}`}>
        Voltar para entrar
      </Link>
    </>
  );
}
