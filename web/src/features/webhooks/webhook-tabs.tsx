import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { PageHeader } from '../../ui/index.ts';

const tabs = [
  { to: paths.webhooks, label: 'Endereços' },
  { to: paths.webhookDeliveries, label: 'Entregas' },
  { to: paths.webhookDoctor, label: 'Doutor' },
] as const;

/** How each of the three screens opens: what it is for, and the way to the others. */
export function WebhooksHeader({ sentence, actions }: { sentence: string; actions?: React.ReactNode }) {
  return (
    <>
      <PageHeader title="Webhooks" sentence={sentence} actions={actions} />
      <nav aria-label="Webhooks" className="mb-5 border-b border-base-300">
        <ul className="flex gap-6">
          {tabs.map(({ to, label }) => (
            <li key={to} className="-mb-px">
              <Link
                to={to}
                activeOptions={{ exact: true, includeSearch: false }}
                className="flex h-11 items-center border-b-2 border-transparent font-medium text-muted transition-colors duration-120 hover:text-base-content data-[status=active]:border-primary data-[status=active]:text-base-content"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
