import type { ReactNode } from 'react';
import { Superseded } from '../ui/index.ts';
import { LoadFailure, type LoadFailureProps } from './load-failure.tsx';

type ListBodyProps = Omit<LoadFailureProps, 'of'> & {
  of: LoadFailureProps['of'] & { data: unknown; isError: boolean; isPlaceholderData: boolean };
  /** The rows and the way to more of them, or what stands in the place of none. */
  children: ReactNode;
};

/**
 * What stands under the filters of a list. Rows of an earlier page or filter step back while those that were asked for are on their
 * way; where there is nothing to show, the failure is told instead.
 */
export function ListBody({ of, place = 'list', children, ...failure }: ListBodyProps) {
  return (
    <Superseded when={of.isPlaceholderData}>
      {of.data === undefined && of.isError ? <LoadFailure of={of} place={place} {...failure} /> : children}
    </Superseded>
  );
}
