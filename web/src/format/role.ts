import type { Role } from '@jangada/contract';

/** Roles as people read them. */
export const roleWords: Readonly<Record<Role, string>> = {
  USER: 'Lojista',
  ADMIN: 'Administrador',
  SUPPORT: 'Suporte',
};
