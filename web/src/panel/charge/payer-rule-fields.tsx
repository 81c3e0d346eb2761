import type { PayerRule, PayerRules } from '@jangada/contract';
import { SelectField } from '../../ui/index.ts';

export type PayerCase = keyof PayerRules;

const cases: readonly { readonly name: PayerCase; readonly label: string; readonly hint: string }[] = [
  {
    name: 'other_payer',
    label: 'Se outra pessoa pagar',
    hint: 'O CPF ou CNPJ de quem paga não é o da cobrança. Sem documento do banco, ninguém é outro.',
  },
  {
    name: 'late',
    label: 'Se pagarem fora do prazo',
    hint: 'Depois do último dia, ou de a cobrança acabar ou ser cancelada.',
  },
  { name: 'doubled', label: 'Se pagarem duas vezes', hint: 'A cobrança já foi paga, e chega outro Pix.' },
];

const ruleLabels: Readonly<Record<PayerRule, string>> = {
  accept: 'Aceitar',
  hold: 'Reter e perguntar a mim',
  give_back: 'Devolver na hora',
};

const ruleOptions = (['accept', 'hold', 'give_back'] as const).map((value) => ({
  value,
  label: ruleLabels[value],
}));

type PayerRuleFieldsProps = {
  rules: PayerRules;
  onChange: (rules: PayerRules) => void;
  /** What holds without a rule, by case. */
  withoutRule: Readonly<Record<PayerCase, string>>;
  disabled?: boolean;
};

/** What is done with a Pix that is not as expected, for each of the three cases. */
export function PayerRuleFields({ rules, onChange, withoutRule, disabled = false }: PayerRuleFieldsProps) {
  return (
    <>
      {cases.map(({ name, label, hint }) => (
        <SelectField
          key={name}
          label={label}
          hint={hint}
          disabled={disabled}
          options={[{ value: '', label: withoutRule[name] }, ...ruleOptions]}
          value={rules[name] ?? ''}
          onChange={(event) => {
            const rule = ruleOptions.find(({ value }) => value === event.currentTarget.value);
            onChange({ ...rules, [name]: rule?.value ?? null });
          }}
        />
      ))}
    </>
  );
}
