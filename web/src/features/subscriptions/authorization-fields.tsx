import { authorizations, centsFromText } from '@jangada/contract';
import { useId } from 'react';
import { dayOf } from '../../format/date.ts';
import { FieldNote, MoneyField, TextField } from '../../ui/index.ts';
import { hasFirstPayment } from './subscription-draft.ts';
import type { DraftProps } from './subscription-form.tsx';
import { authorizationChoices } from './subscription-words.ts';

/** How the payer allows the debits, and for a request in the bank's app, at which account. */
export function AuthorizationFields({ draft, problems, onChange }: DraftProps) {
  const name = useId();
  return (
    <div className="grid grid-cols-1 gap-5">
      <fieldset aria-describedby={`${name}-note`}>
        <legend className="mb-1.5 font-label">Como o pagador autoriza</legend>
        <div className="divide-y divide-base-300 rounded-field border border-control">
          {authorizations.map((value) => (
            <label key={value} className="flex min-h-11 cursor-pointer items-start gap-3 px-3 py-2.5">
              <input
                type="radio"
                name={name}
                className="mt-0.5 size-4 shrink-0 cursor-pointer accent-primary"
                checked={draft.authorization === value}
                aria-describedby={`${name}-${value}`}
                aria-labelledby={`${name}-${value}-label`}
                onChange={() => onChange({ authorization: value })}
              />
              <span>
                <span id={`${name}-${value}-label`} className="block font-medium">
                  {authorizationChoices[value].label}
                </span>
                <span id={`${name}-${value}`} className="block text-xs text-muted">
                  {authorizationChoices[value].hint}
                </span>
              </span>
            </label>
          ))}
        </div>
        <FieldNote id={`${name}-note`} error={problems.authorization} />
      </fieldset>
      {hasFirstPayment(draft) && <FirstPaymentFields draft={draft} problems={problems} onChange={onChange} />}
      {draft.authorization === 'push' && (
        <AccountFields draft={draft} problems={problems} onChange={onChange} />
      )}
    </div>
  );
}

function FirstPaymentFields({ draft, problems, onChange }: DraftProps) {
  const isOptional = draft.pricing === 'fixed';
  return (
    <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
      <MoneyField
        label={isOptional ? 'Valor desse pagamento (opcional)' : 'Valor desse pagamento'}
        size="normal"
        hint={
          isOptional
            ? 'Em branco, o mesmo valor das cobranças, que começam depois no dia combinado.'
            : 'As cobranças começam depois, no dia combinado.'
        }
        cents={draft.firstCents}
        readAmount={centsFromText}
        error={problems.firstCents}
        onCents={(firstCents) => onChange({ firstCents })}
      />
      {draft.authorization === 'offer' && (
        <TextField
          label="Vencimento"
          type="date"
          min={dayOf(new Date())}
          value={draft.firstDueDate}
          error={problems.firstDueDate}
          onChange={(event) => onChange({ firstDueDate: event.currentTarget.value })}
        />
      )}
    </div>
  );
}

function AccountFields({ draft, problems, onChange }: DraftProps) {
  return (
    <div className="grid grid-cols-1 gap-5 md:grid-cols-3">
      <TextField
        label="ISPB do banco"
        hint="O número do banco no Pix, com 8 dígitos."
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
        value={draft.ispb}
        error={problems.ispb}
        onChange={(event) => onChange({ ispb: event.currentTarget.value })}
      />
      <TextField
        label="Agência (opcional)"
        hint="Sem o dígito."
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        value={draft.branch}
        error={problems.branch}
        onChange={(event) => onChange({ branch: event.currentTarget.value })}
      />
      <TextField
        label="Conta"
        hint="Com o dígito."
        autoComplete="off"
        maxLength={24}
        value={draft.number}
        error={problems.number}
        onChange={(event) => onChange({ number: event.currentTarget.value })}
      />
    </div>
  );
}
