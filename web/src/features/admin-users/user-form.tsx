import {
  type AdminUserModel,
  centsFromResponse,
  centsFromText,
  docTypes,
  type Role,
  roles,
} from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useSupports } from '../../api/provider.ts';
import { paths } from '../../app/paths.ts';
import { formatDateAtTime, formatDateTime } from '../../format/date.ts';
import { formatChange, formatMoney } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { auditFilterFrom } from '../../panel/audit-filter.ts';
import { payoutsQuery } from '../../panel/operation/payouts-query.ts';
import { roleLabels } from '../../panel/users/user-display.tsx';
import { Button, bringIntoView, Facts, MoneyField, Notice, SelectField, TextField } from '../../ui/index.ts';
import { KindField } from './kind-field.tsx';
import type { UserFormState } from './use-user-form.ts';
import {
  changesBalance,
  changesDocument,
  changesIdentity,
  isVersioned,
  type UserDraft,
} from './user-draft.ts';

type UserFormProps = {
  id: string;
  user: AdminUserModel;
  /** True when administrators edit their own account. */
  isSelf: boolean;
  form: UserFormState;
  isReloading: boolean;
  onReload: () => void;
};

const OWN_ROLE_OR_BALANCE = 'Ninguém altera o próprio papel ou o próprio saldo.';
const OWN_ACCOUNT = 'Esta é a sua conta. Nome e e-mail mudam em Perfil; o resto, outro administrador altera.';
const REASON_MAX_LENGTH = 500;

/** The form with all fields of a user: identity, permissions, fees and balance. */
export function UserForm({ id, user, isSelf, form, isReloading, onReload }: UserFormProps) {
  const { draft, problems, change } = form;
  // Only our own gateway (`isVersioned`) takes a reason. When the balance changes too, the field for the reason stands
  // below the balance, and its text counts for both changes.
  const needsIdentityReason =
    changesIdentity(draft, user) && !changesBalance(draft, user) && isVersioned(user);
  return (
    <form id={id} noValidate onSubmit={form.submit}>
      {form.failure !== undefined && (
        <FailureNotice failure={form.failure} isReloading={isReloading} onReload={onReload} />
      )}
      {isSelf && (
        <Notice tone="info" className="mb-5">
          {OWN_ACCOUNT}
        </Notice>
      )}
      <Warnings user={user} />
      <div className="grid grid-cols-1 gap-x-8 gap-y-6 lg:grid-cols-[1fr_20rem]">
        <div className="grid grid-cols-1 content-start gap-6">
          <AccountFields draft={draft} problems={problems} onChange={change} user={user} isSelf={isSelf} />
          {needsIdentityReason && <ReasonField label="Motivo da troca" form={form} />}
          <BalanceFields user={user} isSelf={isSelf} form={form} />
          <FeeAndReserveFields form={form} />
        </div>
        <Summary user={user} />
      </div>
    </form>
  );
}

type AccountFieldsProps = {
  draft: UserDraft;
  problems: UserFormState['problems'];
  onChange: (part: Partial<UserDraft>) => void;
  user: AdminUserModel;
  isSelf: boolean;
};

function AccountFields({ draft, problems, onChange, user, isSelf }: AccountFieldsProps) {
  return (
    <FieldGroup title="Conta">
      <TextField
        label="Nome"
        name="name"
        autoComplete="off"
        className="md:col-span-2"
        value={draft.name}
        error={problems.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextField
        label="Usuário"
        name="username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="md:col-span-2"
        value={draft.username}
        error={problems.username}
        onChange={(event) => onChange({ username: event.currentTarget.value })}
      />
      <DocumentFields draft={draft} onChange={onChange} problems={problems} user={user} />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="off"
        className="md:col-span-2"
        value={draft.email}
        error={problems.email}
        onChange={(event) => onChange({ email: event.currentTarget.value })}
      />
      <RoleField draft={draft} isSelf={isSelf} onRole={(role) => onChange({ role })} />
      <KindField user={user} form={{ draft, change: onChange }} />
      <div className="grid content-start">
        <Checkbox
          label="Aprovado"
          checked={draft.approved}
          onChecked={(approved) => onChange({ approved })}
        />
        <Checkbox
          label="API ativa"
          checked={draft.apiActive}
          onChecked={(apiActive) => onChange({ apiActive })}
        />
        {draft.approved !== user.approved && (
          <p className="text-xs text-muted">
            {draft.approved
              ? 'Ao aprovar, a API liga sozinha, a não ser que tenha sido desligada aqui.'
              : 'Sem aprovação, a API para e nada novo é cobrado ou sacado.'}
          </p>
        )}
      </div>
    </FieldGroup>
  );
}

type DocumentFieldsProps = {
  draft: UserDraft;
  onChange: UserFormState['change'];
  problems: UserFormState['problems'];
  user: AdminUserModel;
};

function DocumentFields({ draft, onChange, problems, user }: DocumentFieldsProps) {
  return (
    <>
      <SelectField
        label="Tipo de documento"
        name="docType"
        options={docTypes.map((value) => ({ value, label: value }))}
        value={draft.docType}
        onChange={(event) => {
          const docType = docTypes.find((type) => type === event.currentTarget.value);
          if (docType !== undefined) onChange({ docType, document: '' });
        }}
      />
      <TextField
        label="Documento"
        name="document"
        autoComplete="off"
        value={draft.document}
        error={problems.document}
        hint={
          changesDocument(draft, user) && isVersioned(user)
            ? 'A aprovação é retirada, e a verificação começa de novo.'
            : undefined
        }
        onChange={(event) => onChange({ document: event.currentTarget.value })}
      />
    </>
  );
}

type FailureNoticeProps = {
  failure: NonNullable<UserFormState['failure']>;
  isReloading: boolean;
  onReload: () => void;
};

/** Says why nothing was saved. The notice is scrolled into view, unless a field shows the details and has the focus. */
function FailureNotice({ failure, isReloading, onReload }: FailureNoticeProps) {
  return (
    <div ref={failure.isAtField ? null : bringIntoView} className="mb-5 scroll-my-5">
      <Notice
        tone="error"
        action={
          failure.isStale ? (
            <Button size="small" isSending={isReloading} sendingLabel="Carregando" onClick={onReload}>
              Recarregar
            </Button>
          ) : undefined
        }
      >
        {failure.text}
      </Notice>
    </div>
  );
}

/** Says why the account is frozen, and that its owner asked to close it. */
function Warnings({ user }: { user: AdminUserModel }) {
  return (
    <>
      {user.frozenAt !== null && (
        <Notice tone="warning" className="mb-5" title={`Congelado em ${formatDateAtTime(user.frozenAt)}.`}>
          {user.frozenBecause}
        </Notice>
      )}
      {user.closingRequestedAt !== null && (
        <Notice
          tone={user.frozenAt === null ? 'warning' : 'info'}
          className="mb-5"
          title={`Encerramento pedido em ${formatDateAtTime(user.closingRequestedAt)}.`}
        >
          {user.closingReason ? `“${user.closingReason}” ` : ''}
          {user.frozenAt === null
            ? 'Quando não houver saldo, reserva nem disputa, congele a conta: ela deixa de entrar, cobrar e sacar.'
            : 'Atendido: a conta está congelada, e não entra, não cobra nem saca.'}{' '}
          O que a lei manda guardar, os registros de pagamentos acima de tudo, fica.
        </Notice>
      )}
    </>
  );
}

function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-3 font-strong">{title}</legend>
      <div className="grid grid-cols-1 gap-x-4 gap-y-5 md:grid-cols-2">{children}</div>
    </fieldset>
  );
}

type RoleFieldProps = { draft: UserDraft; isSelf: boolean; onRole: (role: Role) => void };

function RoleField({ draft, isSelf, onRole }: RoleFieldProps) {
  return (
    <SelectField
      label="Papel"
      name="role"
      disabled={isSelf}
      hint={isSelf ? OWN_ROLE_OR_BALANCE : undefined}
      options={roles.map((value) => ({ value, label: `${roleLabels[value]} (${value})` }))}
      value={draft.role}
      onChange={(event) => {
        const role = roles.find((value) => value === event.currentTarget.value);
        if (role !== undefined) onRole(role);
      }}
    />
  );
}

type CheckboxProps = { label: string; checked: boolean; onChecked: (checked: boolean) => void };

function Checkbox({ label, checked, onChecked }: CheckboxProps) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex min-h-11 cursor-pointer items-center gap-3 md:min-h-9">
      <input
        id={id}
        type="checkbox"
        className="size-5 shrink-0 cursor-pointer accent-primary"
        checked={checked}
        onChange={(event) => onChecked(event.currentTarget.checked)}
      />
      <span className="font-medium">{label}</span>
    </label>
  );
}

const feeFields = [
  { field: 'in', label: 'Entrada (%)' },
  { field: 'fixIn', label: 'Entrada fixa (R$)' },
  { field: 'out', label: 'Saída (%)' },
  { field: 'fixOut', label: 'Saída fixa (R$)' },
  { field: 'crypto', label: 'Cripto (%)' },
] as const;

function FeeAndReserveFields({ form: { draft, problems, change } }: { form: UserFormState }) {
  return (
    <>
      <FieldGroup title="Tarifas">
        {feeFields.map(({ field, label }) => (
          <NumberField
            key={field}
            label={label}
            name={field}
            value={draft[field]}
            error={problems[field]}
            onValue={(value) => change({ [field]: value })}
          />
        ))}
      </FieldGroup>
      <FieldGroup title="Reserva">
        <div className="md:col-span-2">
          <Checkbox
            label="Reter uma parte do que entra"
            checked={draft.reserveEnabled}
            onChecked={(reserveEnabled) => change({ reserveEnabled })}
          />
        </div>
        <NumberField
          label="Percentual (%)"
          name="reservePercentage"
          value={draft.reservePercentage}
          error={problems.reservePercentage}
          onValue={(reservePercentage) => change({ reservePercentage })}
        />
        <NumberField
          label="Liberação (dias)"
          name="reserveDays"
          value={draft.reserveDays}
          error={problems.reserveDays}
          onValue={(reserveDays) => change({ reserveDays })}
        />
      </FieldGroup>
    </>
  );
}

type NumberFieldProps = {
  label: string;
  name: string;
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
};

/** A text field, because a number field drops the decimal comma in browsers set to another language. */
function NumberField({ onValue, ...field }: NumberFieldProps) {
  return (
    <TextField
      {...field}
      inputMode="decimal"
      autoComplete="off"
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  );
}

function ReasonField({ label, form: { draft, problems, change } }: { label: string; form: UserFormState }) {
  return (
    <TextField
      label={label}
      name="reason"
      required
      autoComplete="off"
      maxLength={REASON_MAX_LENGTH}
      hint="Fica no registro de auditoria."
      value={draft.reason}
      error={problems.reason}
      onChange={(event) => change({ reason: event.currentTarget.value })}
    />
  );
}

type BalanceFieldsProps = { user: AdminUserModel; isSelf: boolean; form: UserFormState };

/** The balance. Our own gateway does not overwrite it, but books the difference with its author and reason. */
function BalanceFields({ user, isSelf, form }: BalanceFieldsProps) {
  const { draft, problems, change } = form;
  const hasNewBalance = changesBalance(draft, user);
  const booksAdjustments = isVersioned(user);
  const difference = (draft.balanceCents ?? 0) - user.balanceCents;
  const balanceHint = () => {
    if (isSelf) return OWN_ROLE_OR_BALANCE;
    if (hasNewBalance) return `Ajuste de ${formatChange(difference)}.`;
    return booksAdjustments ? 'Mudar o saldo registra um ajuste.' : undefined;
  };
  return (
    <FieldGroup title="Saldo">
      <MoneyField
        label="Saldo disponível"
        name="balanceCents"
        size="normal"
        disabled={isSelf}
        readAmount={centsFromText}
        cents={draft.balanceCents}
        error={problems.balanceCents}
        hint={balanceHint()}
        onCents={(balanceCents) => change({ balanceCents })}
      />
      {hasNewBalance && booksAdjustments && <ReasonField label="Motivo do ajuste" form={form} />}
      {hasNewBalance && difference > 0 && <UncoveredCreditNotice creditCents={difference} />}
    </FieldGroup>
  );
}

/**
 * Warns that the balance at the bank would not cover a credit. A credit adds no money to the bank account, and all
 * withdrawals stop while the account holds less than the merchants own.
 */
function UncoveredCreditNotice({ creditCents }: { creditCents: number }) {
  const { bank_balance: bankBalance, needed } = useQuery(payoutsQuery).data ?? {};
  if (bankBalance == null || needed == null) return null;
  const neededCents = (centsFromResponse(needed) ?? 0) + creditCents;
  if (neededCents <= (centsFromResponse(bankBalance) ?? 0)) return null;
  return (
    <Notice tone="warning" className="md:col-span-2" title="O banco não cobre este crédito.">
      Há {formatMoney(centsFromResponse(bankBalance) ?? 0)} na conta, e os lojistas passariam a ter{' '}
      {formatMoney(neededCents)}: os saques de todos param até você aportar a diferença.
    </Notice>
  );
}

const kycLabels = {
  none: 'Não enviada',
  pending: 'Pendente',
  approved: 'Aprovada',
  rejected: 'Rejeitada',
} as const;

/** The facts about a user that nobody can edit. */
function Summary({ user }: { user: AdminUserModel }) {
  const hasAuditLog = useSupports('auditLog');
  const { kyc, secondFactor, heldBy } = user;
  return (
    <aside className="h-fit rounded-box bg-base-200 p-4 md:p-5">
      <Facts
        bordered={false}
        facts={[
          { label: 'ID', value: user.id },
          ...(heldBy === null ? [] : [{ label: 'Titular', value: heldBy.name }]),
          { label: 'Chave de API', value: user.apiKey === '' ? '—' : user.apiKey },
          { label: 'Criado em', value: formatDateTime(user.createdAt) },
          ...(kyc === null ? [] : [{ label: 'Verificação KYC', value: kycLabels[kyc] }]),
          ...(secondFactor === null
            ? []
            : [{ label: 'Segundo fator', value: secondFactor ? 'Ativo' : 'Não tem' }]),
        ]}
      />
      {hasAuditLog && (
        <Link
          to={paths.adminAuditLog}
          search={auditFilterFrom({ user: user.id })}
          className="link mt-4 inline-block"
        >
          Ver no registro de auditoria
        </Link>
      )}
    </aside>
  );
}
