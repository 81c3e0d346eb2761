import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { settingsQuery } from '../../api/queries.ts';
import { Link } from '../../navigation/index.ts';
import { Tag } from '../../ui/index.ts';
import { paths } from '../paths.ts';

const icon = <FlaskConical className="size-3.5" strokeWidth={1.75} aria-hidden="true" />;

/** In sandbox mode, says in the top bar that no money is real and links to the test bank. Shown from 1024 px. */
export function SandboxSign() {
  const { data } = useQuery(settingsQuery);
  if (data?.sandbox !== true) return null;
  return (
    <div className="flex items-center gap-2.5 max-lg:hidden">
      <Tag icon={icon}>Sandbox</Tag>
      <span className="text-muted max-xl:hidden">Nenhum dinheiro real circula aqui.</span>
      <BankLink url={data.bankUrl} label="Abrir o Banco Sandbox" />
      {data.mailbox && <MailboxLink />}
    </div>
  );
}

/** The sandbox sign under 1024 px, as a strip below the top bar. */
export function SandboxStrip() {
  const { data } = useQuery(settingsQuery);
  if (data?.sandbox !== true) return null;
  return (
    <aside
      aria-label="Ambiente de teste"
      className="flex flex-wrap items-center gap-x-2 px-4 pb-1 text-xs text-muted lg:hidden"
    >
      <Tag icon={icon}>Sandbox</Tag>
      <span>Dinheiro de teste.</span>
      <BankLink url={data.bankUrl} label="Banco Sandbox" />
      {data.mailbox && <MailboxLink />}
    </aside>
  );
}

function MailboxLink() {
  return (
    <Link to={paths.mailbox} target="_blank" className="link">
      E-mails
    </Link>
  );
}

function BankLink({ url, label }: { url: string | null; label: string }) {
  if (url === null) return null;
  return (
    <a className="link" href={url} target="_blank" rel="noreferrer">
      {label}
    </a>
  );
}
