/** Leads whoever sent a form to the first field that is wrong, once it is marked: one place for every form. */
export function focusFirstInvalidField(page: HTMLElement): () => void {
  const lead = ({ target }: SubmitEvent) => {
    if (!(target instanceof HTMLFormElement)) return;
    setTimeout(() => target.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  page.addEventListener('submit', lead);
  return () => page.removeEventListener('submit', lead);
}
