import { createStore } from 'zustand/vanilla';
import { session } from '../session/session.ts';
import { ApiError } from './api-error.ts';

/**
 * The refusal of an act that others must approve first, and for which the gateway has asked them. The frame shows it;
 * null once it was read.
 */
export const requestedApproval = createStore<{ refusal: ApiError | null }>(() => ({ refusal: null }));

session.subscribe(({ token }) => {
  if (token === null) requestedApproval.setState({ refusal: null });
});

/** True when an act was not carried out but sent to whoever approves. The frame tells the user, so a form only closes. */
export function isApprovalRequested(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'APPROVAL_REQUESTED';
}
