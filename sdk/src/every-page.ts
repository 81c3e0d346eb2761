/** Reads page after page: `next` says where the following page starts, and is null on the last one. */
export async function* everyPage<Page extends { readonly next: string | null }>(
  read: (from: string | undefined) => Promise<Page>,
  from?: string | undefined,
): AsyncGenerator<Page, void> {
  for (let next = from; ; ) {
    const page = await read(next);
    yield page;
    if (page.next === null || page.next === next) return;
    next = page.next;
  }
}
