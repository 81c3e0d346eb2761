/** Approval and API status of an account. `api_held`: an administrator switched the API off. */
export type ApprovalState = {
  readonly approved: boolean;
  readonly api_active: boolean;
  readonly api_held: boolean;
};

/**
 * Approval switches the API on unless an administrator switched it off; revoking approval switches it off. `apiActive`
 * counts as a request only if it differs from the current value.
 */
export function nextApprovalState(
  current: ApprovalState,
  wanted: { readonly approved?: boolean | undefined; readonly apiActive?: boolean | undefined },
): ApprovalState {
  const { api_active, api_held } = current;
  const approved = wanted.approved ?? current.approved;
  const switched = wanted.apiActive !== undefined && wanted.apiActive !== api_active;
  if (!switched && approved === current.approved) return { approved, api_active, api_held };
  const held = switched ? !wanted.apiActive : api_held;
  return { approved, api_active: approved && !held, api_held: held };
}
