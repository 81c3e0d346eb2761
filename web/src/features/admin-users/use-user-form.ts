import {
  type AdminUserModel,
  adminFreezeUser,
  adminUnfreezeUser,
  adminUpdateUser,
  type BodyInput,
} from '@jangada/contract';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call, send } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { toast } from '../../ui/index.ts';
import { changeOf, type DraftProblems, draftOf, isEdited, problemsOf, type UserDraft } from './user-draft.ts';

const FAILURE = 'Erro ao atualizar usuário';
const NO_ID = 'ID do usuário não encontrado. Por favor, tente novamente.';

/** The field to which each error code of the gateway belongs. */
const fieldByCode = new Map<string | null, keyof UserDraft>([
  ['USERNAME_TAKEN', 'username'],
  ['DOCUMENT_TAKEN', 'document'],
  ['EMAIL_TAKEN', 'email'],
  ['ADMIN_EMAIL', 'email'],
  ['REASON_REQUIRED', 'reason'],
  ['ADJUSTMENT_LIMIT', 'balanceCents'],
  ['INSUFFICIENT_BALANCE', 'balanceCents'],
]);

/**
 * Why nothing was saved. `isAtField` means that a field has the details, and `isStale` that another administrator
 * changed the user meanwhile.
 */
type UserFormFailure = { text: string; isAtField: boolean; isStale: boolean };

export type UserFormState = ReturnType<typeof useUserForm>;

/** The state of the form that edits a user, and saving it. */
export function useUserForm(user: AdminUserModel, onSaved: () => void) {
  const [draft, setDraft] = useState(() => draftOf(user));
  const [problems, setProblems] = useState<DraftProblems>({});
  const [failure, setFailure] = useState<UserFormFailure>();
  const [sending, setSending] = useState(false);

  const save = async (form: HTMLFormElement) => {
    setSending(true);
    try {
      await updateUser(user.id, changeOf(draft, user));
      toast('Usuário atualizado');
      onSaved();
    } catch (error) {
      showFailure(error, form);
    } finally {
      setSending(false);
    }
  };
  const showFailure = (error: unknown, form: HTMLFormElement) => {
    const code = error instanceof ApiError ? error.code : null;
    const text = errorText(error, FAILURE);
    const field = fieldByCode.get(code);
    if (field !== undefined) {
      setProblems({ [field]: text });
      focusField(form, field);
    }
    setFailure({
      text: field === undefined ? text : FAILURE,
      isAtField: field !== undefined,
      isStale: code === 'STALE_VERSION' || code === 'STALE_BALANCE',
    });
  };
  return {
    draft,
    problems,
    failure,
    sending,
    /** True when closing would lose changes. */
    hasUnsavedChanges: isEdited(draft, user) || draft.reason !== '',
    change(part: Partial<UserDraft>) {
      setDraft((previous) => ({ ...previous, ...part }));
      setProblems((previous) =>
        Object.fromEntries(Object.entries(previous).filter(([field]) => !(field in part))),
      );
    },
    submit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      setFailure(undefined);
      if (user.id === '') return setFailure({ text: NO_ID, isAtField: false, isStale: false });
      if (!isEdited(draft, user)) return onSaved();
      const newProblems = problemsOf(draft, user);
      setProblems(newProblems);
      const firstField = Object.keys(newProblems)[0];
      if (firstField === undefined) return void save(event.currentTarget);
      focusField(event.currentTarget, firstField);
    },
  };
}

function focusField(form: HTMLFormElement, name: string): void {
  form.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
}

export type UserChange = BodyInput<typeof adminUpdateUser>;

async function updateUser(id: string, body: UserChange): Promise<void> {
  await send(adminUpdateUser, { params: { id }, body });
  await refetchUsers();
}

export async function freezeUser(id: string, reason: string): Promise<void> {
  await call(adminFreezeUser, { params: { userId: id }, body: { reason } });
  await refetchUsers();
}

export async function unfreezeUser(id: string, reason: string): Promise<void> {
  await call(adminUnfreezeUser, { params: { userId: id }, body: { reason } });
  await refetchUsers();
}

/** Refetches the lists, and the signed-in account in case it was the one changed. */
async function refetchUsers(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['admin-users'] }),
    queryClient.invalidateQueries(profileQuery),
  ]);
}
