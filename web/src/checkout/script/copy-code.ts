const confirmationMs = 2_000;

/**
 * Turns the link to the code into a button that copies it. If the browser forbids copying, selects the code instead.
 */
export function offerCopying(): void {
  const link = document.querySelector<HTMLElement>('a[data-copy]');
  const voice = document.querySelector('[data-copy-voice]');
  const code = document.querySelector<HTMLElement>('[data-code] pre');
  if (!link || !voice || !code) return;
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
  const confirm = (text: string, announcement: string) => {
    if (label) label.textContent = text;
    voice.textContent = announcement;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (label) label.textContent = initialText;
      voice.textContent = '';
    }, confirmationMs);
  };
  button.addEventListener('click', async () => {
    if (await copyOrSelect(code))
      confirm('Código copiado', 'Código copiado. Cole no aplicativo do seu banco.');
    else confirm('Copie o código selecionado', 'O código está selecionado. Copie com o seu aparelho.');
  });
}

/** True when the code was copied; otherwise it stays selected, so that the payer can copy it by hand. */
async function copyOrSelect(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    return true;
  } catch {
    // Without HTTPS, pages have no clipboard API.
    getSelection()?.selectAllChildren(code);
    return document.execCommand('copy');
  }
}
