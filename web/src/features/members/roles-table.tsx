import {
  type MemberRole,
  mayDo,
  memberRoles,
  memberRoleTexts,
  type Permission,
  permissions,
  permissionTexts,
} from '@jangada/contract';
import { Check } from 'lucide-react';
import { SectionHeader, useIsNarrow } from '../../ui/index.ts';

const rows = Object.keys(permissions) as Permission[];

/** What each role may do, from the table by which the server decides. On phones, one role below the other. */
export function RolesTable() {
  const isNarrow = useIsNarrow();
  return (
    <section aria-labelledby="roles" className="mt-10">
      <SectionHeader id="roles" title="O que cada papel pode" />
      {isNarrow ? <RolesList /> : <WideRoles />}
    </section>
  );
}

function WideRoles() {
  return (
    <div className="overflow-x-auto">
      <table className="table" aria-labelledby="roles">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Permissão</span>
            </th>
            {memberRoles.map((role) => (
              <th key={role} scope="col" className="text-center">
                {memberRoleTexts[role].label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((permission) => (
            <tr key={permission} className="row-still">
              <th scope="row" className="text-left font-normal">
                {permissionTexts[permission]}
              </th>
              {memberRoles.map((role) => (
                <td key={role} className="text-center">
                  <May role={role} permission={permission} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function May({ role, permission }: { role: MemberRole; permission: Permission }) {
  if (!mayDo(role, permission)) return <span className="sr-only">Não</span>;
  return <Check className="mx-auto size-4 text-success" strokeWidth={1.75} aria-label="Sim" role="img" />;
}

function RolesList() {
  return (
    <ul className="divide-y divide-base-300 border-b border-base-300">
      {memberRoles.map((role) => (
        <li key={role}>
          <details className="group">
            <summary className="min-h-11 cursor-pointer py-3">
              <span className="font-medium">{memberRoleTexts[role].label}</span>
              <span className="block text-muted">{memberRoleTexts[role].sentence}</span>
            </summary>
            <ul className="grid gap-1.5 pb-4">
              {rows
                .filter((permission) => mayDo(role, permission))
                .map((permission) => (
                  <li key={permission} className="flex gap-2">
                    <Check
                      className="mt-0.5 size-4 shrink-0 text-success"
                      strokeWidth={1.75}
                      aria-hidden="true"
                    />
                    {permissionTexts[permission]}
                  </li>
                ))}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  );
}
