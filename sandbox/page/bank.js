const SERVER_GONE = 'O banco não respondeu. Tente de novo.';

/** Sends JSON to the bank and returns its response, or throws an Error with a message fit to show. */
async function send(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error(SERVER_GONE);
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error?.message ?? SERVER_GONE);
  return answer;
}

/** Parses `1.234,56` into cents. */
function readCents(field) {
  return Number(field.value.replace(/\D/g, ''));
}

/** Makes a money field fill up from the cents while typing. */
function fillFromCents(field) {
  const cents = Math.min(readCents(field), 9_999_999_999);
  field.value = cents === 0 ? '' : (cents / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2 });
}

/** Sends the form of a payment, and opens the receipt. */
function startPayment(form) {
  const error = form.querySelector('[data-pay-error]');
  const button = form.querySelector('button[type=submit]');
  const amount = form.querySelector('[data-amount]');
  const amountError = form.querySelector('[data-amount-error]');
  const showAmountError = (text) => {
    amountError.textContent = text;
    amount.setAttribute('aria-invalid', String(text !== ''));
  };
  amount?.addEventListener('input', () => {
    fillFromCents(amount);
    error.textContent = '';
    showAmountError('');
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    error.textContent = '';
    if (amount && readCents(amount) === 0) {
      showAmountError('Digite quanto quer pagar.');
      amount.focus();
      return;
    }
    button.disabled = true;
    try {
      const enteredAmount = amount ? { amount: readCents(amount) / 100 } : {};
      const paid = await send('POST', '/sandbox/payments', { brCode: form.dataset.code, ...enteredAmount });
      location.assign(`/comprovante/${paid.endToEndId}`);
    } catch (reason) {
      error.textContent = reason.message;
      button.disabled = false;
    }
  });
}

/** Sends the form that contests a payment. */
function startContest(form) {
  const error = form.querySelector('[data-contest-error]');
  const button = form.querySelector('button[type=submit]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    error.textContent = '';
    button.disabled = true;
    const endToEndId = form.dataset.contest;
    const { reason, comment } = form.elements;
    try {
      await send('POST', '/sandbox/disputes', { endToEndId, reason: reason.value, comment: comment.value });
      location.assign(`/comprovante/${endToEndId}`);
    } catch (refusal) {
      error.textContent = refusal.message;
      button.disabled = false;
    }
  });
}

const RESOLUTIONS = {
  accepted: { accepted: true },
  rejected: { accepted: false },
  cancelled: { cancelled: true },
};

/** Lets the reader decide a dispute. */
function startResolving(section) {
  const error = section.querySelector('[data-resolve-error]');
  for (const button of section.querySelectorAll('[data-resolve]')) {
    button.addEventListener('click', async () => {
      error.textContent = '';
      try {
        const path = `/sandbox/disputes/${section.dataset.dispute}/resolution`;
        await send('POST', path, RESOLUTIONS[button.dataset.resolve]);
        location.reload();
      } catch (reason) {
        error.textContent = reason.message;
      }
    });
  }
}

async function readPicture(file) {
  const { default: decodeQR } = await import('/assets/qr/decode.js');
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, 1600 / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height));
}

/** Fills the code field from a picture of a QR code. */
function startReading(form) {
  const error = form.querySelector('[data-code-error]');
  form.querySelector('[data-picture]').addEventListener('change', async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    error.textContent = '';
    try {
      form.elements.codigo.value = await readPicture(file);
      form.requestSubmit();
    } catch {
      error.textContent = 'Não achamos um QR Code nesta foto.';
      event.target.value = '';
    }
  });
}

/** Saves each changed setting of the bank's behaviour, and moves its clock. */
function startBehaviour(section) {
  const saved = section.querySelector('[data-saved]');
  const save = async (change, reload) => {
    try {
      await send('PUT', '/sandbox/behaviour', change);
      saved.textContent = 'Salvo.';
      if (reload) location.reload();
    } catch (reason) {
      saved.textContent = reason.message;
    }
  };
  for (const field of section.querySelectorAll('select, input')) {
    field.addEventListener('change', () =>
      save({ [field.name]: field.type === 'number' ? Number(field.value) : field.value }),
    );
  }
  section
    .querySelector('[data-reset]')
    .addEventListener('click', () => save(JSON.parse(section.dataset.normal), true));
  for (const button of section.querySelectorAll('[data-advance]')) {
    button.addEventListener('click', async () => {
      try {
        await send('POST', '/sandbox/clock', { advanceSeconds: Number(button.dataset.advance) });
        location.reload();
      } catch (reason) {
        saved.textContent = reason.message;
      }
    });
  }
}

for (const form of document.querySelectorAll('[data-pay]')) startPayment(form);
for (const form of document.querySelectorAll('[data-code-form]')) startReading(form);
for (const form of document.querySelectorAll('[data-contest]')) startContest(form);
for (const section of document.querySelectorAll('[data-dispute]')) startResolving(section);
for (const section of document.querySelectorAll('[data-behaviour]')) startBehaviour(section);
