import type { ReactNode } from 'react';
import { Superseded } from '../ui/index.ts';
import { LoadFailure, type LoadFailureProps } from './load-failure.tsx';

type ListBodyProps = Omit<LoadFailureProps, 'of'> & {
  of: LoadFailureProps['of'] & { data: unknown; isError: boolean; isPlaceholderData: boolean };
  /** The rows and the pagination, or the empty state. */
  children: ReactNode;
};

/**
 * The area below a list's filters. Rows of an earlier page or filter are dimmed while the requested ones load; with
 * nothing to show, the failure is displayed instead.
 */
export function ListBody({ of, place = 'list', children, ...failure }: ListBodyProps) {
  return (
    <Superseded when={of.isPlaceholderData}>
      {of.data === undefined && of.isError ? <LoadFailure of={of} place={place} {...failure} /> : children}
    </Superseded>
  );
}
