import { AVATAR_MAX_BYTES, errors, removeAvatar, uploadAvatar } from '@jangada/contract';
import { useState } from 'react';
import { isCancelled, NotOffered } from '../../api/api-error.ts';
import { call, upload } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { toast } from '../../ui/index.ts';

export type PictureChange = {
  /** The operation in progress. */
  readonly sending: 'change' | 'remove' | null;
  readonly problem: string | undefined;
  readonly change: (file: File) => void;
  readonly remove: () => void;
};

type Ways = {
  /** How the form names the file. */
  readonly name: string;
  readonly change: (form: FormData) => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
  readonly words: { readonly changed: string; readonly removed: string; readonly notRemoved: string };
};

/** A picture that is uploaded as soon as it is chosen: the operation in progress, and its error. */
export function usePicture({ name, words, ...ways }: Ways): PictureChange {
  const [sending, setSending] = useState<'change' | 'remove' | null>(null);
  const [problem, setProblem] = useState<string>();
  const run = async (what: 'change' | 'remove', action: () => Promise<unknown>) => {
    setProblem(undefined);
    setSending(what);
    try {
      await action();
      toast(what === 'change' ? words.changed : words.removed);
    } catch (error) {
      const failure = what === 'change' ? NOT_CHANGED : words.notRemoved;
      if (!isCancelled(error) && !(error instanceof NotOffered)) setProblem(errorText(error, failure));
    } finally {
      setSending(null);
    }
  };
  return {
    sending,
    problem,
    change: (file) => {
      const wrong = avatarProblem(file);
      if (wrong !== undefined) return setProblem(wrong);
      const form = new FormData();
      form.set(name, file);
      void run('change', () => ways.change(form));
    },
    remove: () => void run('remove', ways.remove),
  };
}

const NOT_CHANGED = 'Falha ao fazer upload da imagem. Tente novamente.';

export const AVATAR_TYPES = ['image/jpeg', 'image/png'] as const;

/** The error for an unsuitable picture file, by the browser's file type; the gateway checks the content. */
export function avatarProblem({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!AVATAR_TYPES.some((known) => known === type)) return errors.IMAGE_NOT_ACCEPTED.message;
  if (size > AVATAR_MAX_BYTES) return errors.AVATAR_TOO_LARGE.message;
  return undefined;
}

/** The account's picture; `removable` when the provider can remove it. */
export function useAvatar(): PictureChange & { removable: boolean } {
  const [removable, setRemovable] = useState(true);
  const picture = usePicture({
    name: 'avatar',
    change: async (form) => {
      await upload(uploadAvatar.path, form);
      await queryClient.invalidateQueries(profileQuery);
    },
    remove: async () => {
      try {
        await call(removeAvatar, {});
      } catch (error) {
        if (error instanceof NotOffered) setRemovable(false);
        throw error;
      }
      await queryClient.invalidateQueries(profileQuery);
    },
    words: {
      changed: 'Foto trocada',
      removed: 'Foto removida',
      notRemoved: 'Não foi possível remover a foto.',
    },
  });
  return { ...picture, removable };
}
