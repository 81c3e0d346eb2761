/** Whether an account is approved, and whether its API is on; held: an administrator switched it off. */
export type ApprovalState = {
  readonly approved: boolean;
  readonly api_active: boolean;
  readonly api_held: boolean;
};

/**
 * Approval switches the API on unless an administrator switched it off; approval taken back switches it off. Of
 * `apiActive` only one that differs from the present one is somebody's wish.
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
