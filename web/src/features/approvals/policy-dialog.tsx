import {
  APPROVALS_MAX,
  type ApprovalPolicy,
  brlFromCents,
  centsFromBrl,
  centsFromText,
  setApprovalPolicy,
} from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import {
  type ApprovalPolicyState,
  type ApprovalsOf,
  approvalPolicyQuery,
  refetchApprovals,
} from '../../panel/approvals/approvals-queries.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { MoneyField, Notice, SelectField, toast } from '../../ui/index.ts';
import { approvalsInWords } from './approval-words.ts';
import { hoursInWords } from './policy-section.tsx';

/** Asks the gateway for a policy. Under one that is in force, the refusal says that the others were asked. */
async function requestPolicy(of: ApprovalsOf, policy: ApprovalPolicy): Promise<void> {
  try {
    const state = await call(setApprovalPolicy, { body: { ...policy, of } });
    queryClient.setQueryData(approvalPolicyQuery(of).queryKey, state);
  } finally {
    refetchApprovals();
  }
}

const hourChoices = [1, 6, 12, 24, 48, 72, 168];

type PolicyDialogProps = { of: ApprovalsOf; state: ApprovalPolicyState; onClose: () => void };

export function PolicyDialog({ of, state, onClose }: PolicyDialogProps) {
  const { policy, approvers } = state;
  const [fromCents, setFromCents] = useState<number | null>(centsFromBrl(policy.from) ?? 0);
  const [approvals, setApprovals] = useState(policy.approvals);
  const [hours, setHours] = useState(policy.expires_hours);
  const [passkeysOnly, setPasskeysOnly] = useState(policy.passkeys_only);
  const isOn = policy.enabled;
  const counted = approvers.filter(({ status }) => status === 'approves').length;
  const [isRefused, setIsRefused] = useState(false);
  // More approvals than the people who could give them would be refused.
  const mostApprovals = Math.min(APPROVALS_MAX, Math.max(1, counted - 1, policy.approvals));
  const submit = async () => {
    setIsRefused(false);
    await requestPolicy(of, {
      enabled: true,
      from: brlFromCents(fromCents ?? 0),
      approvals,
      expires_hours: hours,
      passkeys_only: passkeysOnly,
    }).catch((error: unknown) => {
      setIsRefused(true);
      throw error;
    });
    toast(isOn ? 'Nada mudou: a política já era esta' : 'Aprovações ligadas');
    return true;
  };
  return (
    <FormDialog
      title={isOn ? 'Mudar a política de aprovação' : 'Ligar aprovações'}
      submit={isOn ? 'Pedir a mudança' : 'Ligar'}
      size="normal"
      failure="Não foi possível mudar a política. Tente novamente."
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        {isOn
          ? 'A política também protege a si mesma: a mudança vale depois que as outras pessoas a aprovarem.'
          : 'Pedimos o seu segundo fator. Depois de ligada, mudar ou desligar também precisa de aprovação.'}
      </p>
      {counted < approvals + 1 && !isRefused && <TooFew of={of} counted={counted} approvals={approvals} />}
      {of === 'account' && (
        <MoneyField
          label="A partir de"
          hint="Com R$ 0,00, todo saque e todo estorno precisa de aprovação."
          size="normal"
          cents={fromCents}
          readAmount={centsFromText}
          onCents={setFromCents}
        />
      )}
      <div className="grid gap-5 md:grid-cols-2">
        <SelectField
          label="Quantas aprovações"
          hint="De pessoas que não sejam quem pediu."
          options={Array.from({ length: mostApprovals }, (_, index) => ({
            value: String(index + 1),
            label: approvalsInWords(index + 1),
          }))}
          value={String(approvals)}
          onChange={(event) => setApprovals(Number(event.currentTarget.value))}
        />
        <SelectField
          label="Prazo"
          hint="Depois dele, o pedido vence e nada é feito."
          options={[...new Set([...hourChoices, policy.expires_hours])]
            .sort((left, right) => left - right)
            .map((choice) => ({ value: String(choice), label: hoursInWords(choice) }))}
          value={String(hours)}
          onChange={(event) => setHours(Number(event.currentTarget.value))}
        />
      </div>
      <label className="flex min-h-11 cursor-pointer items-start gap-3">
        <input
          type="checkbox"
          className="mt-0.5 size-5 shrink-0 cursor-pointer accent-primary"
          checked={passkeysOnly}
          onChange={(event) => setPasskeysOnly(event.currentTarget.checked)}
        />
        <span className="min-w-0">
          <span className="block font-medium">Só chaves de acesso</span>
          <span className="block text-xs text-muted">
            Códigos de aplicativo não contam. Assim nem quem tomasse o servidor faria uma aprovação.
          </span>
        </span>
      </label>
    </FormDialog>
  );
}

function TooFew({ of, counted, approvals }: { of: ApprovalsOf; counted: number; approvals: number }) {
  const now = counted === 1 ? '1 pessoa aprova' : `${counted} pessoas aprovam`;
  return (
    <Notice tone="warning" title="Faltam pessoas que aprovem.">
      Hoje {now}, e com {approvalsInWords(approvals)} são necessárias {approvals + 1}: uma pede, as outras
      aprovam.{' '}
      {of === 'operator'
        ? 'Cada administrador liga o seu segundo fator em Segurança.'
        : 'Convide alguém como dono ou financeiro em Membros; cada pessoa liga o seu segundo fator em Segurança.'}
    </Notice>
  );
}

type TurnOffDialogProps = { of: ApprovalsOf; policy: ApprovalPolicy; open: boolean; onClose: () => void };

export function TurnOffDialog({ of, policy, open, onClose }: TurnOffDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Desligar aprovações?"
      confirm="Pedir para desligar"
      failure="Não foi possível pedir. Tente novamente."
      onConfirm={() => requestPolicy(of, { ...policy, enabled: false })}
    >
      Desligar também precisa da aprovação das outras pessoas. Até lá, tudo continua como está.
    </ConfirmDialog>
  );
}
