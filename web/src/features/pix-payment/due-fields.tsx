import { formatDocument } from '@jangada/pix';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, IconButton, Notice, SelectField, TextField } from '../../ui/index.ts';
import {
  canAddDiscount,
  type DiscountStep,
  type DueDraft,
  type DueProblems,
  dueWarningsOf,
  type TypedValue,
} from './due-draft.ts';

type PartProps = {
  draft: DueDraft;
  problems: DueProblems;
  onChange: (changed: Partial<DueDraft>) => void;
};

/** The fields of a charge with a due date: the payer, the days, and what late and early payers owe. */
export function DueFields({
  amountCents,
  children,
  ...props
}: PartProps & { amountCents: number | null; children?: ReactNode }) {
  const warnings = dueWarningsOf(props.draft, amountCents);
  return (
    <>
      <Payer {...props} />
      <Days {...props} />
      <div>
        <Late {...props} />
        <div role="status">
          {warnings.length > 0 && (
            <Notice
              tone="warning"
              title="Confira com quem entende de lei."
              className="mt-4"
              announced={false}
            >
              Quando quem paga é consumidor, {warnings.join(', e ')}. Você pode seguir assim mesmo.
            </Notice>
          )}
        </div>
      </div>
      <Discounts {...props} />
      <MoreOptions {...props} />
      {children}
    </>
  );
}

function Payer({ draft, problems, onChange }: PartProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Nome de quem paga"
        autoComplete="off"
        maxLength={200}
        value={draft.name}
        error={problems.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextField
        label="CPF ou CNPJ"
        autoComplete="off"
        spellCheck={false}
        maxLength={18}
        value={draft.document}
        error={problems.document}
        onChange={(event) => onChange({ document: event.currentTarget.value })}
        onBlur={(event) => onChange({ document: formatDocument(event.currentTarget.value) })}
      />
    </div>
  );
}

function Days({ draft, problems, onChange }: PartProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Vencimento"
        type="date"
        hint="Num fim de semana ou feriado, vale o dia útil seguinte."
        value={draft.dueDate}
        error={problems.dueDate}
        onChange={(event) => onChange({ dueDate: event.currentTarget.value })}
      />
      <TextField
        label="Pode ser paga por"
        inputMode="numeric"
        maxLength={3}
        after={<span className="text-muted">dias depois</span>}
        hint="Depois disso, o código não vale mais."
        value={draft.validAfterDue}
        error={problems.validAfterDue}
        onChange={(event) => onChange({ validAfterDue: event.currentTarget.value })}
      />
    </div>
  );
}

function Late({ draft, problems, onChange }: PartProps) {
  const { interest, interestPer } = draft;
  const per = { day: 'ao dia', month: 'ao mês', year: 'ao ano' }[interestPer];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <ValueField
        label="Multa por atraso"
        hint="Uma vez, do dia útil seguinte em diante."
        typed={draft.fine}
        error={problems.fine}
        onTyped={(fine) => onChange({ fine })}
      />
      <ValueField
        label={`Juros ${interest.unit === 'percent' ? per : 'por dia'}`}
        hint="Contados por dia de atraso, sem juros sobre juros."
        typed={interest}
        error={problems.interest}
        onTyped={(typed) => onChange({ interest: typed })}
      />
    </div>
  );
}

function Discounts({ draft, problems, onChange }: PartProps) {
  const { discounts, discountUnit } = draft;
  const change = (place: number, changed: Partial<DiscountStep>) =>
    onChange({
      discounts: discounts.map((step, index) => (index === place ? { ...step, ...changed } : step)),
    });
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1.5 font-label">Desconto para quem paga antes</legend>
      {discounts.map((step, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a discount is known by its place alone
        <div key={place} className="grid grid-cols-[1fr_auto] gap-2">
          <div className="grid gap-4 sm:grid-cols-2">
            <ValueField
              label={`${place + 1}º desconto`}
              typed={{ unit: discountUnit, text: step.text }}
              error={problems[`discount${place}`]}
              onTyped={({ unit, text }) => {
                // The bank takes one unit for all.
                onChange({
                  discountUnit: unit,
                  discounts: discounts.map((other, index) => (index === place ? { ...other, text } : other)),
                });
              }}
            />
            <TextField
              label="Para quem paga até"
              type="date"
              value={step.until}
              error={problems[`until${place}`]}
              onChange={(event) => change(place, { until: event.currentTarget.value })}
            />
          </div>
          <IconButton
            className="mt-6.5"
            label={`Tirar o ${place + 1}º desconto`}
            icon={<X className="size-4" strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => onChange({ discounts: discounts.filter((_, index) => index !== place) })}
          />
        </div>
      ))}
      {canAddDiscount(draft) && (
        <div>
          <Button
            size="small"
            icon={<Plus className="size-4" strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => onChange({ discounts: [...discounts, { until: '', text: '' }] })}
          >
            {discounts.length === 0 ? 'Dar desconto' : 'Mais um desconto'}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

const interestPeriods = [
  { value: 'month', label: 'Ao mês' },
  { value: 'day', label: 'Ao dia' },
  { value: 'year', label: 'Ao ano' },
] as const;

/** Fields that few need. The section opens by itself when one of them has to be mended. */
function MoreOptions({ draft, problems, onChange }: PartProps) {
  const [isOpen, setIsOpen] = useState(false);
  const hasProblem = problems.rebate !== undefined || problems.early !== undefined;
  return (
    <details open={isOpen || hasProblem} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="link w-fit cursor-pointer py-1 font-medium">Mais opções</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <ValueField
          label="Abatimento"
          hint="Sai do valor, em qualquer dia."
          typed={draft.rebate}
          error={problems.rebate}
          onTyped={(rebate) => onChange({ rebate })}
        />
        {draft.discounts.length === 0 && (
          <ValueField
            label="Desconto por dia de antecedência"
            typed={draft.early}
            error={problems.early}
            onTyped={(early) => onChange({ early })}
          />
        )}
        {draft.interest.unit === 'percent' && (
          <SelectField
            label="Período dos juros"
            options={interestPeriods}
            value={draft.interestPer}
            onChange={(event) =>
              onChange({
                interestPer:
                  interestPeriods.find(({ value }) => value === event.currentTarget.value)?.value ?? 'month',
              })
            }
          />
        )}
        <DaysField
          label="Juros contam"
          value={draft.interestDays}
          onValue={(interestDays) => onChange({ interestDays })}
        />
        {draft.discounts.length === 0 && draft.early.text !== '' && (
          <DaysField
            label="A antecedência conta"
            value={draft.earlyDays}
            onValue={(earlyDays) => onChange({ earlyDays })}
          />
        )}
      </div>
    </details>
  );
}

type DaysFieldProps = {
  label: string;
  value: DueDraft['interestDays'];
  onValue: (value: DueDraft['interestDays']) => void;
};

function DaysField({ label, value, onValue }: DaysFieldProps) {
  return (
    <SelectField
      label={label}
      options={[
        { value: 'calendar', label: 'Dias corridos' },
        { value: 'business', label: 'Só dias úteis' },
      ]}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value === 'business' ? 'business' : 'calendar')}
    />
  );
}

type ValueFieldProps = {
  label: string;
  hint?: string;
  typed: TypedValue;
  error: string | undefined;
  onTyped: (typed: TypedValue) => void;
};

/** A percentage or an amount: the text, and the choice of its unit within the same frame. */
function ValueField({ label, hint, typed, error, onTyped }: ValueFieldProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      inputMode="decimal"
      autoComplete="off"
      maxLength={14}
      placeholder="0,00"
      value={typed.text}
      onChange={(event) => onTyped({ ...typed, text: event.currentTarget.value })}
      after={
        <select
          aria-label={`Unidade: ${label}`}
          className="-mr-2 h-8 shrink-0 cursor-pointer rounded-field bg-transparent px-1 text-muted"
          value={typed.unit}
          onChange={(event) =>
            onTyped({ ...typed, unit: event.currentTarget.value === 'amount' ? 'amount' : 'percent' })
          }
        >
          <option value="percent">%</option>
          <option value="amount">R$</option>
        </select>
      }
    />
  );
}
