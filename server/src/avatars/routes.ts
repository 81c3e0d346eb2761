import { avatarPicture, removeAvatar as removal, uploadAvatar } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { FileAnswer } from '../http/file-answer.ts';
import { type Route, route } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { changeAvatar, removeAvatar } from './change-avatar.ts';
import { findAvatar } from './store.ts';

const done = { success: true } as const;

export function avatarRoutes(deps: Deps): Route[] {
  return [
    route(uploadAvatar, async ({ caller, files }) => ({
      ...done,
      avatar: await changeAvatar(deps, caller.userId, files.avatar),
    })),
    route(removal, async ({ caller }) => {
      await removeAvatar(deps, caller.userId);
      return done;
    }),
    route(avatarPicture, async ({ params }) => {
      const content = await findAvatar(deps.db, params.id);
      if (content === undefined) throw new Refusal('PICTURE_NOT_FOUND');
      const shown = { shown: true, immutable: true };
      return new FileAnswer({ contentType: 'image/webp', fileName: 'avatar.webp', content, ...shown });
    }),
  ];
}
