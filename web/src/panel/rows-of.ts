/** Rows to show; undefined while they are on their way. That an earlier page or filter had none tells nothing of the present one. */
export function rowsOf<Row>(
  list: { isPlaceholderData: boolean },
  rows: Row[] | undefined,
): Row[] | undefined {
  return list.isPlaceholderData && rows?.length === 0 ? undefined : rows;
}
