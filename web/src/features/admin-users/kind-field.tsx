import { type AdminUserModel, merchantKinds } from '@jangada/contract';
import { SelectField } from '../../ui/index.ts';
import type { UserFormState } from './use-user-form.ts';

const labels = { pooled: 'Conta do operador', direct: 'Conta própria' } as const;
/** The consequences of a change to each kind. */
const hints = {
  pooled: 'Novas cobranças passam a ser recebidas na conta do operador.',
  direct:
    'Sem uma conta própria conectada, não há novas cobranças. O saldo na conta do operador ainda pode ser sacado.',
} as const;

type KindFieldProps = { user: AdminUserModel; form: Pick<UserFormState, 'draft' | 'change'> };

/** The account into which the user is paid. Missing if the provider does not report it. */
export function KindField({ user, form: { draft, change } }: KindFieldProps) {
  if (draft.merchantKind === null) return null;
  return (
    <SelectField
      label="Recebe em"
      name="merchantKind"
      hint={draft.merchantKind === user.merchantKind ? undefined : hints[draft.merchantKind]}
      options={merchantKinds.map((value) => ({ value, label: labels[value] }))}
      value={draft.merchantKind}
      onChange={(event) => {
        const merchantKind = merchantKinds.find((value) => value === event.currentTarget.value);
        if (merchantKind !== undefined) change({ merchantKind });
      }}
    />
  );
}
