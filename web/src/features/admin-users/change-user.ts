import { adminFreezeUser, adminUnfreezeUser, adminUpdateUser, type BodyInput } from '@jangada/contract';
import { call, send } from '../../api/client.ts';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';

export type UserChange = BodyInput<typeof adminUpdateUser>;

export async function updateUser(id: string, body: UserChange): Promise<void> {
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
