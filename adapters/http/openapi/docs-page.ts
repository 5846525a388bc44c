import { reject } from '../../../application/commands/refused.ts'
import type { Operation } from '../operation.ts'
import { html } from '../pages/html.ts'
import type { Answer } from '../answer.ts'
import { fileAnswer } from '../file-answer.ts'
import { fileOf, type KeptFile } from '../kept-file.ts'
import { builtFiles } from './built-files.ts'
import { tagOf } from './document.ts'

/**
 * The files of the package swagger-ui-dist that the page needs, by the last part of their URLs, with their types. No other file of
 * the package is served. The build copies them, so that nothing of the package is installed beside the product.
 */
export const swaggerFiles: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
])

/** Starts swagger-ui, with the quick reader of JSON instead of its own of YAML. Once it has drawn the operations, the list goes. */
const starter = `const documents = {
  public: new URL('v1/openapi.json', document.baseURI).href,
  admin: new URL('v1/openapi.admin.json', document.baseURI).href,
}
const quickly = () => ({
  // The page has the introduction already.
  components: { InfoContainer: () => null },
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson: (_, { specActions }) => (text) => specActions.updateJsonSpec(JSON.parse(text)),
      },
    },
  },
})
SwaggerUIBundle({
  url: new URLSearchParams(location.search).get('of') === 'admin' ? documents.admin : documents.public,
  dom_id: '#documentation',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [quickly],
  layout: 'BaseLayout',
  deepLinking: true,
  filter: true,
  persistAuthorization: true,
  validatorUrl: null,
  onComplete: () => document.querySelector('#list').remove(),
})
`

interface DocsPage {
  readonly title: string
  /** Where its files are, from its own address. */
  readonly files: string
  readonly stylesheets: readonly string[]
  /** Whether the page has a dark form too. */
  readonly schemes: 'light' | 'light dark'
  readonly nav: string
  readonly content: string
}

const pageOf = ({ title, files, stylesheets, schemes, nav, content }: DocsPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="${schemes}">
<title>${title}</title>
<link rel="icon" type="image/png" href="${files}favicon-32x32.png">
${stylesheets.map((stylesheet) => `<link rel="stylesheet" href="${files}${stylesheet}">`).join('\n')}
</head>
<body>
<nav>${nav}</nav>
${content}
</body>
</html>
`

/**
 * The page of an API document: the introduction, as HTML, and the operations. They stand in the page as a list, for readers without
 * scripts and until swagger-ui, which replaces it, is there: below it, so that nothing moves when it goes. URLs are relative, so that the page works below any path prefix of a
 * proxy.
 */
export function apiDocsPage(introduction: string, operations: readonly Operation[]): string {
  return pageOf({
    title: 'Guildhall API',
    files: 'docs/',
    stylesheets: ['swagger-ui.css', 'docs.css'],
    // Swagger UI has no dark form that follows the browser.
    schemes: 'light',
    nav: '<a href="docs">Members and applications</a> | <a href="docs?of=admin">Administrators</a> | <a href="docs/gateway">Gateway</a>',
    content: `<main>
<h1>Guildhall API</h1>
${introduction}
<h2 id="operations">Operations</h2>
<p>As OpenAPI 3.1: <a href="v1/openapi.json">members and applications</a>, <a href="v1/openapi.admin.json">administrators</a>. As JSON Schema: <a href="v1/events.json">stored events</a></p>
</main>
<div id="documentation"></div>
<div id="list">
${operationList(operations)}
</div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>`,
  })
}

function operationList(operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map(tagOf))]
  const those = (tag: string) => operations.filter((operation) => tagOf(operation) === tag)
  return tags.map((tag) => `<h3>${tag}</h3>\n<ul>\n${those(tag).map(lineOf).join('\n')}\n</ul>`).join('\n')
}

function lineOf({ method, path, name }: Operation): string {
  return html`<li><code>${method} ${path.replace(/:(\w+)/g, '{$1}')}</code> ${name}</li>`.text
}

const style = `body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; overflow-wrap: anywhere }
nav, main, #list { box-sizing: border-box; max-width: 72rem; margin: 1rem auto; padding: 0 1rem }
.scroll, pre { overflow-x: auto; margin: 1rem 0 }
pre, code { font-family: ui-monospace, monospace; font-size: .9em }
pre { border: 1px solid #8888; padding: .5rem }
table { border-collapse: collapse; overflow-wrap: normal }
th, td { border: 1px solid #8888; padding: .3rem .6rem; text-align: left; vertical-align: top; min-width: 3rem }
:focus-visible { outline: .2rem solid #3b82f6; outline-offset: .15rem }
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

/** The page of the Gateway's reference, as HTML. */
export function gatewayDocsPage(content: string): string {
  const nav = '<a href="../docs">API</a> | <a href="gateway.json">AsyncAPI 3</a>'
  const main = `<main>\n${content}\n</main>`
  return pageOf({
    title: 'Guildhall Gateway',
    files: '',
    stylesheets: ['docs.css'],
    schemes: 'light dark',
    nav,
    content: main,
  })
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
      'docs.css',
      fileAnswer(
        fileOf(() => style),
        { 'content-type': 'text/css; charset=utf-8' },
      ),
    ],
  ])
  return (name) => answers.get(name) ?? reject('NOT_FOUND')
}
