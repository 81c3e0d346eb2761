import { AVATAR_MAX_BYTES, errors, removeAvatar, uploadAvatar } from '@jangada/contract';
import { useState } from 'react';
import { isCancelled, UnsupportedCallError } from '../../api/api-error.ts';
import { call, upload } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { toast } from '../../ui/index.ts';

/** The two operations on a picture, and their state, for the screen that offers them. */
export type PictureChange = {
  /** The operation in progress; null when there is none. */
  readonly sending: 'change' | 'remove' | null;
  readonly problem: string | undefined;
  readonly change: (file: File) => void;
  readonly remove: () => void;
};

type PictureOptions = {
  /** The name of the file's field in the multipart form. */
  readonly fieldName: string;
  readonly change: (form: FormData) => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
  readonly texts: { readonly changed: string; readonly removed: string; readonly notRemoved: string };
};

/** Changes or removes a picture: the account's own picture or its logo. A chosen file is uploaded at once. */
export function usePicture({ fieldName, texts, ...operations }: PictureOptions): PictureChange {
  const [sending, setSending] = useState<'change' | 'remove' | null>(null);
  const [problem, setProblem] = useState<string>();
  const run = async (operation: 'change' | 'remove', send: () => Promise<unknown>) => {
    setProblem(undefined);
    setSending(operation);
    try {
      await send();
      toast(operation === 'change' ? texts.changed : texts.removed);
    } catch (error) {
      const failure = operation === 'change' ? NOT_CHANGED : texts.notRemoved;
      if (!isCancelled(error) && !(error instanceof UnsupportedCallError))
        setProblem(errorText(error, failure));
    } finally {
      setSending(null);
    }
  };
  return {
    sending,
    problem,
    change: (file) => {
      const fileProblem = pictureProblem(file);
      if (fileProblem !== undefined) return setProblem(fileProblem);
      const form = new FormData();
      form.set(fieldName, file);
      void run('change', () => operations.change(form));
    },
    remove: () => void run('remove', operations.remove),
  };
}

const NOT_CHANGED = 'Falha ao fazer upload da imagem. Tente novamente.';

export const ACCEPTED_PICTURE_TYPES = ['image/jpeg', 'image/png'] as const;

/** The error for an unsuitable picture file. The type is what the browser reports; the gateway checks the content. */
export function pictureProblem({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!ACCEPTED_PICTURE_TYPES.some((accepted) => accepted === type)) return errors.IMAGE_NOT_ACCEPTED.message;
  if (size > AVATAR_MAX_BYTES) return errors.AVATAR_TOO_LARGE.message;
  return undefined;
}

/**
 * Changes or removes the account's picture. `isRemovable` becomes false when the provider (the gateway behind the
 * dashboard) turns out not to implement the removal.
 */
export function useAvatar(): PictureChange & { isRemovable: boolean } {
  const [isRemovable, setIsRemovable] = useState(true);
  const picture = usePicture({
    fieldName: 'avatar',
    change: async (form) => {
      await upload(uploadAvatar.path, form);
      await queryClient.invalidateQueries(profileQuery);
    },
    remove: async () => {
      try {
        await call(removeAvatar, {});
      } catch (error) {
        if (error instanceof UnsupportedCallError) setIsRemovable(false);
        throw error;
      }
      await queryClient.invalidateQueries(profileQuery);
    },
    texts: {
      changed: 'Foto trocada',
      removed: 'Foto removida',
      notRemoved: 'Não foi possível remover a foto.',
    },
  });
  return { ...picture, isRemovable };
}
