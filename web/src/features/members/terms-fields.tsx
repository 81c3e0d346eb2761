import { centsFromText, memberRoles, memberRoleTexts } from '@jangada/contract';
import { useId } from 'react';
import { MoneyField } from '../../ui/index.ts';
import { hasLimit, type TermsDraft } from './terms-draft.ts';

type TermsFieldsProps = { draft: TermsDraft; onChange: (draft: TermsDraft) => void };

/** The choice of a role, and of the limits by day that mean something for it. */
export function TermsFields({ draft, onChange }: TermsFieldsProps) {
  const name = useId();
  return (
    <>
      <fieldset>
        <legend className="mb-1.5 font-label">Papel</legend>
        <div className="divide-y divide-base-300 rounded-field border border-base-300">
          {memberRoles.map((role) => (
            <label key={role} className="flex min-h-11 cursor-pointer items-start gap-3 px-3 py-2">
              <input
                type="radio"
                name={name}
                className="mt-0.5 size-5 shrink-0 cursor-pointer accent-primary"
                checked={draft.role === role}
                onChange={() => onChange({ ...draft, role })}
              />
              <span className="min-w-0">
                <span className="block font-medium">{memberRoleTexts[role].label}</span>
                <span className="block text-xs text-muted">{memberRoleTexts[role].sentence}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="grid gap-5 empty:hidden md:grid-cols-2">
        {hasLimit(draft.role, 'refund') && (
          <MoneyField
            label="Limite de estornos por dia"
            hint="Em branco, não há limite. Com 0,00, nada se estorna."
            placeholder="sem limite"
            size="normal"
            cents={draft.refundCents}
            readAmount={centsFromText}
            onCents={(refundCents) => onChange({ ...draft, refundCents })}
          />
        )}
        {hasLimit(draft.role, 'withdraw') && (
          <MoneyField
            label="Limite de saques por dia"
            hint="Em branco, não há limite. Com 0,00, nada se saca."
            placeholder="sem limite"
            size="normal"
            cents={draft.withdrawalCents}
            readAmount={centsFromText}
            onCents={(withdrawalCents) => onChange({ ...draft, withdrawalCents })}
          />
        )}
      </div>
    </>
  );
}
