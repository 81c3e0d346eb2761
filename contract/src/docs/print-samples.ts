import type { Method } from '../endpoint.ts';
import type { Samples, SampleValues } from './page.ts';

/** The call that a sample makes. */
export type SampleCall = {
  readonly method: Method;
  /** The path relative to /api, with its parameters filled in and the query appended. */
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
};

/** Prints one call in every language. A reader can copy and run each sample unchanged. */
export function printSamples(
  call: SampleCall,
  { address, apiKey }: Pick<SampleValues, 'address' | 'apiKey'>,
): Samples {
  const url = `${address}/api${call.path}`;
  const headers: [string, string][] = [
    ['x-api-key', apiKey],
    ...(call.body === undefined ? [] : ([['content-type', 'application/json']] as [string, string][])),
    ...(call.idempotencyKey === undefined
      ? []
      : ([['idempotency-key', call.idempotencyKey]] as [string, string][])),
  ];
  return {
    curl: printCurl(call, url, headers),
    javascript: printJavaScript(call, url, headers),
    python: printPython(call, url, headers),
    php: printPhp(call, url, headers),
  };
}

type Headers = readonly (readonly [name: string, value: string])[];

function printCurl({ method, body }: SampleCall, url: string, headers: Headers): string {
  return [
    method === 'GET' ? `curl '${url}'` : `curl -X ${method} '${url}'`,
    ...headers.map(([name, value]) => `  -H '${name}: ${value}'`),
    ...(body === undefined
      ? []
      : [`  -d '${shellText(JSON.stringify(body, null, 2)).replaceAll('\n', '\n  ')}'`]),
  ].join(' \\\n');
}

/** Escapes a text for use between single quotes in a shell. */
function shellText(text: string): string {
  return text.replaceAll("'", `'\\''`);
}

function printJavaScript({ method, body }: SampleCall, url: string, headers: Headers): string {
  const lines = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    ...headers.map(([name, value]) => `    '${name}': '${value}',`),
    '  },',
    ...(body === undefined ? [] : [`  body: JSON.stringify(${printJavaScriptValue(body, '  ')}),`]),
  ];
  return `const response = await fetch('${url}', {
${lines.join('\n')}
});
const answer = await response.json();
if (!response.ok) throw new Error(\`\${answer.error.code} (\${answer.requestId})\`);
console.log(answer);`;
}

/** Prints a value as a JavaScript literal, with quotes only around property names that need them. */
function printJavaScriptValue(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return `[${value.map((element) => printJavaScriptValue(element, inner)).join(', ')}]`;
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return String(value);
  const lines = Object.entries(value).map(
    ([name, element]) =>
      `${inner}${/^\w+$/.test(name) ? name : quoted(name)}: ${printJavaScriptValue(element, inner)},`,
  );
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

function printPython({ method, body }: SampleCall, url: string, headers: Headers): string {
  // The argument `json=` of Python's requests sets the content type.
  const otherHeaders = headers.filter(([name]) => name !== 'content-type');
  const lines = [
    `    "${url}",`,
    '    headers={',
    ...otherHeaders.map(([name, value]) => `        "${name}": "${value}",`),
    '    },',
    ...(body === undefined ? [] : [`    json=${printPythonValue(body, '    ')},`]),
    '    timeout=30,',
  ];
  return `import requests

response = requests.${method.toLowerCase()}(
${lines.join('\n')}
)
answer = response.json()
if not response.ok:
    raise RuntimeError(f"{answer['error']['code']} ({answer['requestId']})")
print(answer)`;
}

/** Prints a value as a Python literal. */
function printPythonValue(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  if (Array.isArray(value)) return `[${value.map((element) => printPythonValue(element, inner)).join(', ')}]`;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const lines = Object.entries(value).map(
    ([name, element]) => `${inner}${JSON.stringify(name)}: ${printPythonValue(element, inner)},`,
  );
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function printPhp({ method, body }: SampleCall, url: string, headers: Headers): string {
  const lines = [
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
    '    CURLOPT_RETURNTRANSFER => true,',
    '    CURLOPT_TIMEOUT => 30,',
    '    CURLOPT_HTTPHEADER => [',
    ...headers.map(([name, value]) => `        '${name}: ${value}',`),
    '    ],',
    ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${printPhpValue(body, '    ')}),`]),
  ];
  return `<?php
$call = curl_init('${url}');
curl_setopt_array($call, [
${lines.join('\n')}
]);
$body = curl_exec($call);
if ($body === false) {
    throw new RuntimeException(curl_error($call));
}
$answer = json_decode($body, true);
if (curl_getinfo($call, CURLINFO_RESPONSE_CODE) >= 400) {
    throw new RuntimeException("{$answer['error']['code']} ({$answer['requestId']})");
}
print_r($answer);`;
}

/** Prints a value as a PHP literal. */
function printPhpValue(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  if (Array.isArray(value)) return `[${value.map((element) => printPhpValue(element, inner)).join(', ')}]`;
  if (typeof value === 'string')
    return value.includes('\n') ? JSON.stringify(value).replaceAll('$', '\\$') : quoted(value);
  if (value === null || typeof value !== 'object') return String(value);
  const lines = Object.entries(value).map(
    ([name, element]) => `${inner}${quoted(name)} => ${printPhpValue(element, inner)},`,
  );
  // PHP encodes an empty array as a JSON list, so an empty JSON object must be printed as a PHP object.
  if (lines.length === 0) return 'new stdClass()';
  return `[\n${lines.join('\n')}\n${indent}]`;
}
