import {
  type AdminUserModel,
  adminFreezeUser,
  adminUnfreezeUser,
  adminUpdateUser,
  type BodyInput,
} from '@jangada/contract';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { isApprovalRequested } from '../../api/approval-requested.ts';
import { call, callRaw } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { toast } from '../../ui/index.ts';
import { changeOf, type DraftProblems, draftOf, isEdited, problemsOf, type UserDraft } from './user-draft.ts';

const FAILURE = 'Erro ao atualizar usuário';
const NO_ID = 'ID do usuário não encontrado. Por favor, tente novamente.';

/** The field that shows the error for each of these error codes of the gateway. */
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
 * Why nothing was saved. `isAtField` is true when a field shows the details. `isStale` is true when the user or the
 * balance has changed since the form was loaded, so that only reloading helps.
 */
type UserFormFailure = { text: string; isAtField: boolean; isStale: boolean };

export type UserFormState = ReturnType<typeof useUserForm>;

/** The state of the form that edits a user, with the functions that change and submit it. */
export function useUserForm(user: AdminUserModel, onSaved: () => void) {
  const [draft, setDraft] = useState(() => draftOf(user));
  const [problems, setProblems] = useState<DraftProblems>({});
  const [failure, setFailure] = useState<UserFormFailure>();
  const [isSaving, setIsSaving] = useState(false);

  const save = async (form: HTMLFormElement) => {
    setIsSaving(true);
    try {
      await updateUser(user.id, changeOf(draft, user));
      toast('Usuário atualizado');
      onSaved();
    } catch (error) {
      if (!isApprovalRequested(error)) showFailure(error, form);
    } finally {
      setIsSaving(false);
    }
  };
  /** Shows a notice above the form, and the details at the field that the error concerns, if there is one. */
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
    isSaving,
    /** True when closing the form would lose changes. */
    hasUnsavedChanges: isEdited(draft, user) || draft.reason !== '',
    /** Changes fields of the draft, and hides their errors until the next submit. */
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
  await callRaw(adminUpdateUser, { params: { id }, body });
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

/** Fetches the lists of users again, and also the signed-in account, in case that is the account that was changed. */
async function refetchUsers(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['admin-users'] }),
    queryClient.invalidateQueries(profileQuery),
  ]);
}
