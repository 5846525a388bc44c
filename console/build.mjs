// Bundles the console into dist/console/: index.html, and files with hashed names that never change. `npm start` does not do it:
// the server does, when somebody opens /console for the first time (decision 200). Types are checked by `npm run types`.
//
//   node console/build.mjs           the bundle, where its sources have changed
//   node console/build.mjs --types   only what the sources are written against: the operations of the Admin API as data, and the types
//                                    of the client
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { whereChanged } from '../tools/where-changed.mjs'
import { operationsIn } from './api/operations-in.mjs'

const root = path.dirname(import.meta.dirname)
const at = (...parts) => path.join(root, ...parts)
const document = at('dist/documents/openapi.admin.json')
const generated = at('dist/console-api')
const bundled = at('dist/console')

await writeOperations()
if (process.argv.includes('--types')) await import('../tools/client-types.mjs')
else await writeBundle()

/** Writes the operations of the Admin API as data, where its document has changed. */
async function writeOperations() {
  const text = readFileSync(document, 'utf8')
  await whereChanged(generated, [text, readFileSync(at('console/api/operations-in.mjs'))], async (folder) => {
    writeFileSync(path.join(folder, 'operations.json'), JSON.stringify(operationsIn(JSON.parse(text))))
  })
}

async function writeBundle() {
  const sources = readdirSync(at('console'), { recursive: true, encoding: 'utf8' })
    .map((name) => at('console', name))
    .filter((file) => statSync(file).isFile())
    .sort()
  const inputs = [...sources, at('package-lock.json'), path.join(generated, 'operations.json')]
  await whereChanged(
    bundled,
    inputs.map((file) => readFileSync(file)),
    async (folder) => {
      const bundle = await rolldown({
        input: { console: at('console/main.tsx') },
        platform: 'browser',
        tsconfig: false,
        transform: { target: 'es2022', jsx: 'react-jsx', define: { 'process.env.NODE_ENV': '"production"' } },
        // Packages mark parts that a server may not run. Here there is only a browser.
        onLog: (level, log, report) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : report(level, log)),
      })
      const { output } = await bundle.write({
        dir: path.join(folder, 'assets'),
        entryFileNames: '[name]-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        minify: true,
      })
      await bundle.close()
      const entry = output.find(({ isEntry }) => isEntry)
      const styles = await writeStyles(path.join(folder, 'assets'))
      const page = readFileSync(at('console/index.html'), 'utf8')
        .replace('{{script}}', `assets/${entry.fileName}`)
        .replace('{{styles}}', `assets/${styles}`)
      writeFileSync(path.join(folder, 'index.html'), page)
      for (const name of readdirSync(path.join(folder, 'assets'))) compress(path.join(folder, 'assets', name))
    },
  )
}

/** The style sheets of packages, as one file: their scripts name none. */
async function writeStyles(folder) {
  const { resolve } = createRequire(import.meta.url)
  const css = ['@xyflow/react/dist/style.css', 'uplot/dist/uPlot.min.css']
    .map((name) => readFileSync(resolve(name), 'utf8'))
    .join('\n')
  const name = `console-${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, name), css)
  return name
}

function compress(file) {
  const bytes = readFileSync(file)
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: quality }))
}
