import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { settingsQuery } from '../../api/queries.ts';
import { PublicLayout } from '../../app/layouts/public-layout.tsx';

/** The frame of the sign-in, for what a link in an e-mail opens. */
export function RecoveryFrame({ children }: { children: ReactNode }) {
  const sandbox = useQuery(settingsQuery).data?.sandbox === true;
  return <PublicLayout sandbox={sandbox}>{children}</PublicLayout>;
}

export function RecoveryTitle({ children, sentence }: { children: ReactNode; sentence: ReactNode }) {
  return (
    <>
      <h1 className="text-xl font-strong">{children}</h1>
      <p className="mt-1 mb-8 text-base text-muted">{sentence}</p>
    </>
  );
}
