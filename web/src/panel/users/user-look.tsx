import type { AdminUserModel, DocType, Role } from '@jangada/contract';
import { formatCnpj, formatCpf } from '@jangada/pix';
import { StatusBadge } from '../../ui/index.ts';

/** A document in its mask; one that is shown in part stays as it came. */
export function documentOf({ docType, document }: { docType: DocType; document: string }): string {
  return docType === 'CNPJ' ? formatCnpj(document) : formatCpf(document);
}

export const roleWords: Record<Role, string> = {
  USER: 'Lojista',
  ADMIN: 'Administrador',
  SUPPORT: 'Suporte',
};

/** Whether an account is stopped, approved, and may use the API. */
export function StandingBadges({ approved, apiActive, frozenAt }: AdminUserModel) {
  return (
    <span className="flex flex-wrap gap-1.5 2xl:min-w-54">
      {frozenAt !== null && <StatusBadge status="failed">Congelado</StatusBadge>}
      <StatusBadge status={approved ? 'done' : 'waiting'}>{approved ? 'Aprovado' : 'Pendente'}</StatusBadge>
      <StatusBadge status={apiActive ? 'done' : 'gone'}>
        {apiActive ? 'API Ativa' : 'API Inativa'}
      </StatusBadge>
    </span>
  );
}

/** Where room is short it breaks before the @, never in a word. */
export function Email({ address }: { address: string }) {
  const at = address.lastIndexOf('@');
  if (at <= 0) return <span className="wrap-anywhere">{address}</span>;
  return (
    <span className="wrap-anywhere">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  );
}
