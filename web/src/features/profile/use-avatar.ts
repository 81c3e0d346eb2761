import { removeAvatar, uploadAvatar } from '@jangada/contract';
import { useState } from 'react';
import { NotOffered } from '../../api/api-error.ts';
import { call, upload } from '../../api/client.ts';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { type PictureChange, usePicture } from './use-picture.ts';

/** The picture of the account; `removable`: the provider knows how. */
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
