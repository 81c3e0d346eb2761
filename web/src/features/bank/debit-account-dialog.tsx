import { type BankConnection, debitAccount } from '@jangada/contract';
import { useState } from 'react';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { ProofFields, useOwnerProof } from '../../panel/confirm/owner-proof.tsx';
import { toast } from '../../ui/index.ts';
import { connectionActions } from './bank-queries.ts';
import { messagesOf } from './credentials-draft.ts';
import {
  type DebitAccountDraft,
  DebitAccountFields,
  debitAccountFrom,
  emptyDebitAccount,
} from './debit-account-fields.tsx';

const FAILURE = 'Erro ao guardar a conta para débitos. Tente novamente.';

type DebitAccountDialogProps = { connection: BankConnection; hasPin: boolean; onClose: () => void };

/** Takes the account into which debits by mandate are paid. */
export function DebitAccountDialog({ connection, hasPin, onClose }: DebitAccountDialogProps) {
  const { id, debit_account: entered } = connection;
  const [draft, setDraft] = useState<DebitAccountDraft>({
    ...(entered ?? emptyDebitAccount),
    branch: entered?.branch ?? '',
  });
  const [problems, setProblems] = useState<{ [field: string]: string }>({});
  const { fields, send } = useOwnerProof(FAILURE, hasPin);
  const submit = async () => {
    const account = debitAccountFrom(draft);
    const found = messagesOf(debitAccount.safeParse(account));
    setProblems(found);
    const isDone = await send(
      (proof) => connectionActions.setDebitAccount(id, account, proof),
      Object.keys(found).length === 0,
    );
    if (isDone) toast('Conta para débitos guardada');
    return isDone;
  };
  return (
    <FormDialog
      title="Conta para débitos"
      submit="Guardar"
      failure={FAILURE}
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        A sua conta neste banco, em que os débitos do Pix Automático entram. O banco recusa outra. Vale para
        os débitos enviados a ele de agora em diante.
      </p>
      <DebitAccountFields
        isFirst
        draft={draft}
        problems={problems}
        onChange={(changed) => {
          setDraft(changed);
          setProblems({});
        }}
      />
      <ProofFields {...fields} />
    </FormDialog>
  );
}
