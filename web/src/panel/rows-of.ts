/**
 * The rows to show; undefined while they load. An empty earlier page or filter says nothing about the current one.
 */
export function rowsOf<Row>(
  list: { isPlaceholderData: boolean },
  rows: Row[] | undefined,
): Row[] | undefined {
  return list.isPlaceholderData && rows?.length === 0 ? undefined : rows;
}
