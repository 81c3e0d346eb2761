import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../api/queries.ts';

/** `Fale com o suporte.`, with the e-mail address if the gateway provides one. */
export function AskSupport() {
  const email = useQuery(settingsQuery).data?.adminEmail ?? null;
  if (email === null) return 'Fale com o suporte.';
  return (
    <>
      Fale com o suporte:{' '}
      <a className="link wrap-anywhere" href={`mailto:${email}`}>
        {email}
      </a>
    </>
  );
}
