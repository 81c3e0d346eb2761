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

/** The field that each refusal is about. */
const fieldOf = new Map<string | null, keyof UserDraft>([
  ['USERNAME_TAKEN', 'username'],
  ['DOCUMENT_TAKEN', 'document'],
  ['EMAIL_TAKEN', 'email'],
  ['ADMIN_EMAIL', 'email'],
  ['REASON_REQUIRED', 'reason'],
  ['ADJUSTMENT_LIMIT', 'balanceCents'],
  ['INSUFFICIENT_BALANCE', 'balanceCents'],
]);

/** Why nothing was saved; `atField` when a field below tells more. */
type UserFormFailure = { text: string; atField: boolean; stale: boolean };

export type UserFormState = ReturnType<typeof useUserForm>;

/** The state of a user being edited, and saving it. */
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
      tell(error, form);
    } finally {
      setSending(false);
    }
  };
  const tell = (error: unknown, form: HTMLFormElement) => {
    const code = error instanceof ApiError ? error.code : null;
    const text = errorText(error, FAILURE);
    const field = fieldOf.get(code);
    if (field !== undefined) {
      setProblems({ [field]: text });
      focusField(form, field);
    }
    setFailure({
      text: field === undefined ? text : FAILURE,
      atField: field !== undefined,
      stale: code === 'STALE_VERSION' || code === 'STALE_BALANCE',
    });
  };
  return {
    draft,
    problems,
    failure,
    sending,
    /** True when closing would lose typed changes. */
    edited: isEdited(draft, user) || draft.reason !== '',
    change(part: Partial<UserDraft>) {
      setDraft((before) => ({ ...before, ...part }));
      setProblems((before) =>
        Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))),
      );
    },
    submit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      setFailure(undefined);
      if (user.id === '') return setFailure({ text: NO_ID, atField: false, stale: false });
      if (!isEdited(draft, user)) return onSaved();
      const found = problemsOf(draft, user);
      setProblems(found);
      const first = Object.keys(found)[0];
      if (first === undefined) return void save(event.currentTarget);
      focusField(event.currentTarget, first);
    },
  };
}

function focusField(form: HTMLFormElement, name: string): void {
  form.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
}

export type UserChange = BodyInput<typeof adminUpdateUser>;

async function updateUser(id: string, body: UserChange): Promise<void> {
  await send(adminUpdateUser, { params: { id }, body });
  await usersChanged();
}

export async function freezeUser(id: string, reason: string): Promise<void> {
  await call(adminFreezeUser, { params: { userId: id }, body: { reason } });
  await usersChanged();
}

export async function unfreezeUser(id: string, reason: string): Promise<void> {
  await call(adminUnfreezeUser, { params: { userId: id }, body: { reason } });
  await usersChanged();
}

/** Refetches the lists, and the signed-in account in case it was the one changed. */
async function usersChanged(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['admin-users'] }),
    queryClient.invalidateQueries(profileQuery),
  ]);
}
