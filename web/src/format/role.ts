import type { Role } from '@jangada/contract';

/** The display names of the roles. */
export const roleWords: Readonly<Record<Role, string>> = {
  USER: 'Lojista',
  ADMIN: 'Administrador',
  SUPPORT: 'Suporte',
};
