import { mayDo, memberRoles, memberRoleTexts, newEmail } from '@jangada/contract';
import { useId, useState } from 'react';
import { approvedOrder } from '../../panel/approvals/approved-order.ts';
import { TooFewLeft } from '../../panel/approvals/too-few-left.tsx';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { Button, FieldNote, Notice, TextField, toast } from '../../ui/index.ts';
import { draftOfTerms, newTerms, termsOf } from './terms-draft.ts';
import { TermsFields } from './terms-fields.tsx';
import type { ListedMember, Members, OpenInvitation } from './use-members.ts';

type DialogProps = { members: Members; onClose: () => void };

export function InviteDialog({ members, onClose }: DialogProps) {
  const approved = approvedInvitation();
  const [email, setEmail] = useState(approved?.email ?? '');
  const [problem, setProblem] = useState<string>();
  const [draft, setDraft] = useState(approved?.terms ?? newTerms);
  const invite = async () => {
    const read = newEmail.safeParse(email.trim());
    setProblem(read.error?.issues[0]?.message);
    if (!read.success) return false;
    await members.invite({ email: read.data, ...termsOf(draft) });
    toast('Convite enviado');
    return true;
  };
  return (
    <FormDialog
      title="Convidar"
      submit="Enviar convite"
      size="normal"
      failure="Não foi possível enviar o convite. Tente novamente."
      onClose={onClose}
      onSubmit={invite}
    >
      <TextField
        label="E-mail"
        type="email"
        autoComplete="off"
        data-autofocus
        maxLength={254}
        hint="O link vai só neste e-mail, serve uma vez e vale por sete dias."
        value={email}
        error={problem}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <TermsFields draft={draft} onChange={setDraft} />
      {draft.role === 'owner' && <OwnerNotice />}
    </FormDialog>
  );
}

/** The invitation that others approved and that the person came to conclude; undefined for any other. */
function approvedInvitation() {
  const order = approvedOrder('member');
  const person = order?.['person'];
  const terms = order && approvedTerms(order);
  return typeof person === 'string' && person.includes('@') && terms ? { email: person, terms } : undefined;
}

function approvedTerms(order: Readonly<Record<string, unknown>>) {
  const role = memberRoles.find((name) => memberRoleTexts[name].label === order['role']);
  const limit = (name: string) => (typeof order[name] === 'number' ? order[name] : null);
  return (
    role &&
    draftOfTerms({ role, refund_limit: limit('refund_limit'), withdrawal_limit: limit('withdrawal_limit') })
  );
}

function OwnerNotice() {
  return (
    <Notice tone="warning">
      Um dono pode tudo o que você pode: sacar sem limite, mudar o PIN e remover outros membros.
    </Notice>
  );
}

type MemberDialogProps = DialogProps & { member: ListedMember; onRemove: () => void };

export function MemberDialog({ members, member, onRemove, onClose }: MemberDialogProps) {
  const approved = approvedOrder('member', { person: member.id });
  const [draft, setDraft] = useState(() => (approved && approvedTerms(approved)) ?? draftOfTerms(member));
  const change = async () => {
    await members.change(member.id, termsOf(draft));
    toast('Membro alterado');
    return true;
  };
  return (
    <FormDialog
      title={member.name}
      submit="Salvar"
      size="normal"
      failure="Não foi possível alterar o membro. Tente novamente."
      onClose={onClose}
      onSubmit={change}
    >
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="text-muted wrap-anywhere">{member.email}</span>
        <Button variant="danger" size="small" onClick={onRemove}>
          Remover da conta
        </Button>
      </p>
      <TermsFields draft={draft} onChange={setDraft} />
      {draft.role === 'owner' && member.role !== 'owner' && <OwnerNotice />}
      {mayDo(member.role, 'approve') && !mayDo(draft.role, 'approve') && <TooFewLeft without={member.id} />}
    </FormDialog>
  );
}

const keyChoices = [
  {
    keys: 'revoke',
    label: 'Revogar',
    note: 'Os sistemas que as usam param até receberem outras.',
  },
  {
    keys: 'keep',
    label: 'Manter',
    note: 'Continuam valendo. Mantenha só se souber onde estão: quem sai pode tê-las copiado.',
  },
] as const;

export function RemoveDialog({
  members,
  member: { id, name },
  onClose,
}: DialogProps & { member: ListedMember }) {
  const [keys, setKeys] = useState<(typeof keyChoices)[number]['keys']>();
  const [problem, setProblem] = useState<string>();
  const field = useId();
  const remove = async () => {
    setProblem(keys === undefined ? 'Escolha o que acontece com as chaves.' : undefined);
    if (keys === undefined) return false;
    const { revoked_keys } = await members.remove(id, keys);
    toast(revoked_keys === 0 ? 'Membro removido' : `Membro removido, chaves revogadas: ${revoked_keys}`);
    return true;
  };
  return (
    <FormDialog
      title={`Remover ${name}?`}
      submit="Remover"
      danger
      failure="Não foi possível remover o membro. Tente novamente."
      onClose={onClose}
      onSubmit={remove}
    >
      <p className="text-muted">
        O acesso a esta conta termina na hora, em todas as telas abertas. A conta da própria pessoa continua.
      </p>
      <TooFewLeft without={id} />
      <fieldset aria-describedby={`${field}-note`} aria-invalid={problem !== undefined || undefined}>
        <legend className="mb-1.5 font-label">As chaves de API que ela criou</legend>
        <div className="divide-y divide-base-300 rounded-field border border-base-300">
          {keyChoices.map((choice) => (
            <label key={choice.keys} className="flex cursor-pointer items-start gap-3 px-3 py-2">
              <input
                type="radio"
                name={field}
                className="mt-0.5 size-5 shrink-0 cursor-pointer accent-primary"
                checked={keys === choice.keys}
                onChange={() => {
                  setKeys(choice.keys);
                  setProblem(undefined);
                }}
              />
              <span className="min-w-0">
                <span className="block font-medium">{choice.label}</span>
                <span className="block text-xs text-muted">{choice.note}</span>
              </span>
            </label>
          ))}
        </div>
        <FieldNote id={`${field}-note`} error={problem} />
      </fieldset>
    </FormDialog>
  );
}

type WithdrawDialogProps = DialogProps & { invitation: OpenInvitation };

export function WithdrawDialog({ members, invitation: { id, email, role }, onClose }: WithdrawDialogProps) {
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Desfazer o convite?"
      confirm="Desfazer convite"
      failure="Não foi possível desfazer o convite. Tente novamente."
      onConfirm={async () => {
        await members.withdraw(id);
        toast('Convite desfeito');
      }}
    >
      O link que <span className="wrap-anywhere">{email}</span> recebeu, com o papel{' '}
      {memberRoleTexts[role].label}, deixa de valer.
    </ConfirmDialog>
  );
}
