/** How long the button shows the result of a press. */
const resultMs = 2_000;

/**
 * Replaces the link to the code with a button that copies the code. If the browser forbids copying, a press on the
 * button selects the code instead.
 */
export function enableCopyButton(): void {
  const link = document.querySelector<HTMLElement>('a[data-copy]');
  const liveRegion = document.querySelector('[data-copy-voice]');
  const code = document.querySelector<HTMLElement>('[data-code] pre');
  if (!link || !liveRegion || !code) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = link.className;
  button.append(...link.childNodes);
  const hadFocus = document.activeElement === link;
  link.replaceWith(button);
  if (hadFocus) button.focus();

  const label = button.querySelector('[data-copy-words]');
  const initialText = label?.textContent ?? '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const showResult = (text: string, announcement: string) => {
    if (label) label.textContent = text;
    liveRegion.textContent = announcement;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (label) label.textContent = initialText;
      liveRegion.textContent = '';
    }, resultMs);
  };
  button.addEventListener('click', async () => {
    if (await copyOrSelect(code))
      showResult('Código copiado', 'Código copiado. Cole no aplicativo do seu banco.');
    else showResult('Copie o código selecionado', 'O código está selecionado. Copie com o seu aparelho.');
  });
}

/**
 * Copies the code, and returns whether that succeeded. If not, the code stays selected, so that the payer can copy it
 * by hand.
 */
async function copyOrSelect(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    return true;
  } catch {
    // A page without HTTPS has no clipboard API, but can copy the selected text.
    getSelection()?.selectAllChildren(code);
    return document.execCommand('copy');
  }
}
