/** Shows the print buttons, which do nothing without a script. */
export function offerPrinting(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }
}
