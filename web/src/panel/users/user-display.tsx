import type { AdminUserModel, DocType, Role } from '@jangada/contract';
import { formatCnpj, formatCpf } from '@jangada/pix';
import { StatusBadge } from '../../ui/index.ts';

/** A CPF or CNPJ with its punctuation; a document that is partly masked is left unchanged. */
export function formatUserDocument({ docType, document }: { docType: DocType; document: string }): string {
  return docType === 'CNPJ' ? formatCnpj(document) : formatCpf(document);
}

/** The display names of the roles. */
export const roleLabels: Record<Role, string> = {
  USER: 'Lojista',
  ADMIN: 'Administrador',
  SUPPORT: 'Suporte',
};

/** Badges for whether a user is frozen, approved and allowed to use the API. */
export function UserStatusBadges({ approved, apiActive, frozenAt }: AdminUserModel) {
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

/** An e-mail address that, when space is short, breaks before its @ rather than inside a word. */
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
