import { reject } from '../../../application/commands/refused.js'
import type { Answer } from '../server/answer.js'
import { fileAnswer } from '../server/file-answer.js'
import { fileOf, type KeptFile } from '../server/kept-file.js'
import { builtFiles } from './built-files.js'

/**
 * The files of the package swagger-ui-dist that the page needs, by the last part of their URLs, with their types. No other file of
 * the package is served. The build copies them, so that nothing of the package is installed beside the product.
 */
export const swaggerFiles: ReadonlyMap<string, string> = new Map([
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

const page = fileOf(() =>
  pageOf({
    title: 'Guildhall API',
    files: 'docs/',
    stylesheet: 'swagger-ui.css',
    nav: '<a href="docs">Members and applications</a> | <a href="docs?of=admin">Administrators</a> | <a href="docs/gateway">Gateway</a>',
    content: `<div id="documentation"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>`,
  }),
)

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

/** The page of the Gateway's reference, as HTML. */
export function gatewayDocsPage(content: string): string {
  const nav = '<a href="../docs">API</a> | <a href="gateway.json">AsyncAPI 3</a>'
  return pageOf({ title: 'Guildhall Gateway', files: '', stylesheet: 'gateway.css', nav, content })
}

/** A page of the documentation. */
export function pageAnswer(page: KeptFile): Answer {
  return fileAnswer(page, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    // For browsers that do not support frame-ancestors.
    'x-frame-options': 'DENY',
  })
}

/** A file of the page. 404 NOT_FOUND for every other name. */
export function docsFiles(): (name: string) => Answer {
  const built = builtFiles()
  const ofPackage = [...swaggerFiles].map(
    ([name, type]) =>
      [name, fileAnswer(built(name), { 'content-type': type, 'cache-control': 'public, max-age=86400' })] as const,
  )
  const answers = new Map([
    ...ofPackage,
    [
      'start.js',
      fileAnswer(
        fileOf(() => starter),
        { 'content-type': 'text/javascript; charset=utf-8' },
      ),
    ],
    [
      'gateway.css',
      fileAnswer(
        fileOf(() => gatewayStyle),
        { 'content-type': 'text/css; charset=utf-8' },
      ),
    ],
  ])
  return (name) => answers.get(name) ?? reject('NOT_FOUND')
}
