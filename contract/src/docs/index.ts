export { buildDocs, documentedEndpoints, documentedErrors } from './build-docs.ts';
export { errorTexts } from './error-texts.ts';
export { type ExampleIds, exampleAnswers, exampleCall, exampleIds } from './example-calls.ts';
export * from './page.ts';
export { printLlms, printMarkdown } from './print-markdown.ts';
export { printSamples, type SampleCall } from './print-samples.ts';
export { receiverSamples } from './webhook-samples.ts';
export { webhooksGuide } from './webhooks-guide.ts';
