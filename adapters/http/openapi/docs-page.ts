import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { reject } from '../../../application/commands/refused.js'
import type { Answer, Headers } from '../server/answer.js'

const swaggerUi = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** The files that the page needs, by the last part of their URLs, with their types. No other file of the package is served. */
const files: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
])

const starter = `const documents = {
  public: new URL('v1/openapi.json', document.baseURI).href,
  admin: new URL('v1/openapi.admin.json', document.baseURI).href,
}
SwaggerUIBundle({
  url: new URLSearchParams(location.search).get('of') === 'admin' ? documents.admin : documents.public,
  dom_id: '#documentation',
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  filter: true,
  persistAuthorization: true,
  validatorUrl: null,
})
`

interface DocsPage {
  readonly title: string
  /** Where its files are, from its own address. */
  readonly files: string
  readonly stylesheet: string
  readonly nav: string
  readonly content: string
}

const pageOf = ({ title, files, stylesheet, nav, content }: DocsPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="icon" type="image/png" href="${files}favicon-32x32.png">
<link rel="stylesheet" href="${files}${stylesheet}">
</head>
<body>
<nav>${nav}</nav>
${content}
</body>
</html>
`

const page = pageOf({
  title: 'Guildhall API',
  files: 'docs/',
  stylesheet: 'swagger-ui.css',
  nav: '<a href="docs">Members and applications</a> | <a href="docs?of=admin">Administrators</a> | <a href="docs/gateway">Gateway</a>',
  content: `<div id="documentation"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>`,
})

const gatewayStyle = `body { font-family: sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { border: 1px solid #bbb; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
`

/** Allows only what this server sends itself, and forbids frames and form targets. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The page that shows the API document, or with `?of=admin` the one for administrators. Its URLs are relative, so that it works
 * below any path prefix of a proxy.
 */
export function docsPage(): Answer {
  return pageAnswer(page)
}

/** The page of the Gateway's reference. */
export function gatewayDocsPage(content: string): Answer {
  const nav = '<a href="../docs">API</a> | <a href="gateway.json">AsyncAPI 3</a>'
  return pageAnswer(pageOf({ title: 'Guildhall Gateway', files: '', stylesheet: 'gateway.css', nav, content }))
}

function pageAnswer(body: string): Answer {
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      // For browsers that do not support frame-ancestors.
      'x-frame-options': 'DENY',
    },
    body,
  }
}

/** A file of the page. 404 NOT_FOUND for every other name. */
export function docsFiles(): (name: string) => Promise<Answer> {
  const read = new Map<string, Promise<Buffer>>()
  return async (name) => {
    if (name === 'start.js') return fileAnswer(starter, { 'content-type': 'text/javascript; charset=utf-8' })
    if (name === 'gateway.css') return fileAnswer(gatewayStyle, { 'content-type': 'text/css; charset=utf-8' })
    const type = files.get(name)
    if (type === undefined) return reject('NOT_FOUND')
    const content = read.get(name) ?? readFile(path.join(swaggerUi, name))
    read.set(name, content)
    return fileAnswer(await content, { 'content-type': type, 'cache-control': 'public, max-age=86400' })
  }
}

function fileAnswer(body: string | Buffer, headers: Headers): Answer {
  return { status: 200, headers, body }
}
