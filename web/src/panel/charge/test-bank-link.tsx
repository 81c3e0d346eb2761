import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { settingsQuery } from '../../api/queries.ts';

/** A link to the test bank, which opens with the code filled in. Renders nothing outside the test mode. */
export function TestBankLink({ pixCode, children }: { pixCode: string; children: ReactNode }) {
  const testBankUrl = useQuery(settingsQuery).data?.bankUrl;
  if (testBankUrl == null || pixCode === '') return null;
  return (
    <a
      className="link"
      href={`${testBankUrl}/?codigo=${encodeURIComponent(pixCode)}`}
      target="_blank"
      rel="noopener"
    >
      {children}
    </a>
  );
}
