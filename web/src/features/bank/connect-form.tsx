import { CONNECTION_LIMITS, type ConnectableBank } from '@jangada/contract';
import { type FormEvent, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { isInDoubt } from '../../api/intents.ts';
import { paths } from '../../app/paths.ts';
import { useNavigate } from '../../navigation/index.ts';
import { urlIdFrom } from '../../panel/url-params.ts';
import { Button, bringIntoView, Notice, TextField } from '../../ui/index.ts';
import { connectionActions } from './bank-queries.ts';
import {
  type CredentialsDraft,
  type CredentialsProblems,
  connectionOf,
  connectionProblems,
  emptyDraft,
  refusedFieldOf,
} from './credentials-draft.ts';
import { CredentialsFields } from './credentials-fields.tsx';
import { DebitAccountFields } from './debit-account-fields.tsx';

const FAILURE = 'Erro ao guardar a conta. Tente novamente.';

/** The form for an account at the chosen bank. When it is stored, its page opens, where the check runs. */
export function ConnectForm({ bank }: { bank: ConnectableBank }) {
  const { draft, problems, failure, isSending, change, submit } = useConnectForm(bank);
  return (
    <form noValidate onSubmit={submit} className="grid grid-cols-1 gap-5">
      {failure !== undefined && (
        <div ref={bringIntoView} className="scroll-my-5">
          <Notice tone="error">{failure}</Notice>
        </div>
      )}
      <TextField
        label="Chave Pix da conta"
        name="pix_key"
        hint="A chave, registrada neste banco, em que as cobranças entram. De preferência a aleatória."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={draft.pix_key}
        error={problems.pix_key}
        onChange={(event) => change({ pix_key: event.currentTarget.value })}
      />
      <CredentialsFields bank={bank} draft={draft} problems={problems} onChange={change} />
      {bank.needsDebitAccount && (
        <fieldset className="grid grid-cols-1 gap-3">
          <legend className="font-medium">Para Pix Automático (opcional)</legend>
          <p className="text-muted">
            A sua conta neste banco, em que os débitos de assinaturas entram. Pode ficar para depois.
          </p>
          <DebitAccountFields
            draft={draft.debit_account}
            problems={problems}
            onChange={(debit_account) => change({ debit_account })}
          />
        </fieldset>
      )}
      <TextField
        label="Nome (opcional)"
        name="name"
        hint="Para você e para o operador: “Conta da loja”."
        maxLength={CONNECTION_LIMITS.maxNameLength}
        autoComplete="off"
        value={draft.name}
        error={problems.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Button type="submit" variant="primary" size="large" block isSending={isSending}>
        {bank.needsAddresses ? 'Guardar conta' : 'Guardar e verificar'}
      </Button>
    </form>
  );
}

function useConnectForm(bank: ConnectableBank) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<CredentialsDraft>(emptyDraft);
  const [problems, setProblems] = useState<CredentialsProblems>({});
  const [failure, setFailure] = useState<string>();
  const [isSending, setIsSending] = useState(false);

  const send = async () => {
    setIsSending(true);
    try {
      const { id } = await connectionActions.create(connectionOf(draft, bank));
      const urlId = urlIdFrom(id);
      await navigate({ to: paths.bank, search: urlId === undefined ? {} : { id: urlId }, replace: true });
    } catch (error) {
      const refused = refusedFieldOf(error, FAILURE);
      if (refused !== undefined) setProblems(refused);
      else
        setFailure(
          isInDoubt(error)
            ? 'Não sabemos se a conta foi guardada. Confira na página Banco antes de tentar de novo.'
            : errorText(error, FAILURE),
        );
    } finally {
      setIsSending(false);
    }
  };
  return {
    draft,
    problems,
    failure,
    isSending,
    change: (fields: Partial<CredentialsDraft>) => {
      setDraft((previous) => ({ ...previous, ...fields }));
      setProblems((previous) =>
        Object.fromEntries(
          Object.entries(previous).filter(
            ([field]) => !(field in fields) && !(fields.debit_account && field in fields.debit_account),
          ),
        ),
      );
    },
    submit: async (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      setFailure(undefined);
      const found = connectionProblems(draft, bank);
      setProblems(found);
      if (Object.keys(found).length === 0) await send();
    },
  };
}
