/** After a failed submit, focuses the first invalid field once it is marked. One listener serves every form. */
export function focusFirstInvalidField(page: HTMLElement): () => void {
  const lead = ({ target }: SubmitEvent) => {
    if (!(target instanceof HTMLFormElement)) return;
    setTimeout(() => target.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  page.addEventListener('submit', lead);
  return () => page.removeEventListener('submit', lead);
}
