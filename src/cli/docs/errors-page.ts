/** Prints the error reference from the table of error codes. */
import { errorKinds } from '../../errors.ts'

export function errorsPage(): string {
  const rows = Object.entries(errorKinds).map(
    ([code, { status, retry, title }]) => `| ${status} | \`${code}\` | ${title} | ${retry ? 'yes' : 'no'} |`,
  )
  return `# Errors

Printed from the table of error codes by \`npm run docs\`; edit \`src/errors.ts\`, not this page.

Every error is \`application/problem+json\` (RFC 9457): \`type\`, \`title\`, \`status\`, \`detail\` (one sentence that says what to do),
\`code\`, \`request_id\`, and if they apply \`errors\` (\`[{path, message, userPresentableMessage}]\`, each path a JSON Pointer into the request),
\`upstream\` (\`{status, code, message}\`: what the third-party system said) and \`retry_after\` (seconds).
\`ConexError\` in the client library has the same codes.

| Status | Code | Meaning | May the same call succeed later? |
|---|---|---|---|
${rows.join('\n')}
`
}
