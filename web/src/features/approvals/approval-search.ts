/** What the URL of the approvals' page names: one request, or the withdrawal or refund that waits for one. */
export type ApprovalSearch = { id?: string; order?: string };

const ID_MAX_LENGTH = 64;

/** Reads what a URL names. Invalid values are left out, so that an old or broken link still opens the page. */
export function approvalSearchFrom(search: Record<string, unknown>): ApprovalSearch {
  const textOf = (name: string) => (search[name] == null ? '' : String(search[name]).slice(0, ID_MAX_LENGTH));
  const id = textOf('id');
  if (id !== '') return { id };
  const order = textOf('order');
  return order === '' ? {} : { order };
}
