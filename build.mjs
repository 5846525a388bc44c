// Builds the programs into dist/: a file for each, and the chunks that they share. Node needs twice as long to load the
// product from a thousand files (decision 47). Types are not checked here: `npm run types` does that. Then it writes the documents
// that the server sends as they are (decision 146).
//
//   node build.mjs             the product, and the programs that tests and benchmarks start
//   node build.mjs --product   the product alone, in a dist/ of nothing else, for what is published
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import path from 'node:path'
import process from 'node:process'
import { rolldown } from 'rolldown'

/** The folders of the product, and the files in them that run as a process of their own. */
const product = {
  folders: ['domain', 'application', 'projections', 'adapters', 'gateway', 'process', 'client', 'cli'],
  programs: ['cli/guildhall', 'adapters/media/decoding/worker', 'adapters/status/thread', 'cli/documents/write'],
}
const workbench = {
  folders: ['test', 'bench'],
  programs: [
    'bench/bench',
    'bench/directory/list-reader',
    'bench/gateway/bare-gateway',
    'bench/gateway/ready-cost',
    'bench/gateway/resume-load',
    'bench/gateway/session-load',
    'bench/support/memory-probe',
    'bench/http/bare-fastify',
    'bench/http/bare-upload',
    'bench/http/http-load',
    'bench/http/noop-server',
    'bench/http/read-back-load',
    'bench/stores/bare-store-route',
    'cli/reference/write',
    'test/adapters/jobs/support/busy-worker',
    'test/adapters/postgres/embedded/run-embedded-postgres',
    'test/faults/projecting/projector-process',
    'test/support/eventstoredb-double/serve',
    'test/support/stores/serve',
    'test/support/lay-tables',
  ],
}
/**
 * Packages that a start loads as they are installed: they are native code, read files of their own (pages, WebAssembly, workers), or
 * are loaded only where something asks for them. All others go into the chunks, which saves a third of what a start loads.
 */
const staysPackage = new Set([
  '@aws-sdk/client-s3',
  '@eventstore/db-client',
  // Fastify asks for these three only where Fastify has schemas of its own, or where requests are simulated.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
  '@grpc/grpc-js',
  '@jsquash/jxl',
  '@node-rs/argon2',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  'graphile-worker',
  'libheif-js',
  'mmdb-lib',
  'nodemailer',
  'pino',
  'rolldown',
  'sharp',
  // Asks the compiler for the types of events, in `npm run reference`.
  'typescript',
  'vitest',
  // Asked for by pg and ws, and not installed: both do without.
  'bufferutil',
  'pg-native',
  'utf-8-validate',
])
const staleChunk_ms = 86_400_000
const stampFile = 'dist/build.stamp'
const documents = {
  program: 'cli/documents/write',
  folder: 'dist/documents',
  stampFile: 'dist/documents.stamp',
  eventSchemas: 'docs/reference/events.json',
}
/** What Node keeps of chunks that it has compiled (cli/cache-compiled-code.ts). */
const compileCache = 'dist/compile.cache'
/** Stands for the way from a chunk to dist/ until the chunk's place is known. */
const distMark = '__guildhall_dist__'

/** A module finds the files beside it (tables.sql, programs) where it would stand without chunks: in its own folder of dist/. */
const keepOwnPlaces = {
  name: 'keep-own-places',
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('import.meta.')) return undefined
    const own = path.relative('.', id).replace(/ts$/, 'js').split(path.sep).join('/')
    const place = (file) => `new URL('${distMark}/${file}', import.meta.url)`
    const placed = code
      .replaceAll('import.meta.url', `${place(own)}.href`)
      .replaceAll('import.meta.dirname', `decodeURIComponent(${place(path.posix.dirname(own))}.pathname)`)
    return { code: placed, map: null }
  },
  renderChunk(code, { fileName }) {
    const up = path.posix.relative(path.posix.dirname(fileName), '.')
    return code.includes(distMark) ? { code: code.replaceAll(distMark, up), map: null } : undefined
  },
}

const began = performance.now()
const isPublished = process.argv.includes('--product')
const parts = isPublished ? [product] : [product, workbench]
const sources = parts.flatMap(({ folders }) => folders).flatMap(sourcesBelow)
const programs = parts.flatMap((part) => part.programs)
const stamp = stampOf([...sources, 'build.mjs', 'package-lock.json', documents.eventSchemas])

if (!isBuilt()) {
  process.stderr.write(`Building ${programs.length} programs from ${sources.length} files... `)
  rmSync(isPublished ? 'dist' : stampFile, { recursive: true, force: true })
  rmSync(compileCache, { recursive: true, force: true })
  const written = await buildPrograms()
  dropStaleSql()
  for (const file of sources.filter((source) => source.endsWith('.sql'))) copyToDist(file)
  dropStaleChunks(written)
  writeDocuments()
  writeFileSync(stampFile, stamp)
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n`)
}

/** Returns the names of the files that it wrote, from dist/ on. */
async function buildPrograms() {
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((program) => [program, `${program}.ts`])),
    platform: 'node',
    tsconfig: false,
    transform: { target: 'es2023', typescript: { onlyRemoveTypeImports: true } },
    external: isExternal,
    plugins: [keepOwnPlaces],
  })
  const { output } = await bundle.write({
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    keepNames: true,
    // A start reads what is here. Licences stay.
    comments: { legal: true, annotation: false, jsdoc: false },
    sourcemap: true,
  })
  await bundle.close()
  return output.map(({ fileName }) => fileName)
}

/** Takes what an import names. */
function isExternal(id) {
  if (/^[./]/.test(id)) return false
  const name = id.split('/', id.startsWith('@') ? 2 : 1).join('/')
  return isBuiltin(id) || staysPackage.has(name) || name.startsWith('@embedded-postgres/')
}

function isBuilt() {
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) return false
  return areDocumentsWritten() && programs.every((program) => existsSync(`dist/${program}.js`))
}

/**
 * Writes what the server sends as it is, where what writes it or the schemas of events have changed: the name of a chunk follows
 * from its content, so the code of the program names all that it runs.
 */
function writeDocuments() {
  const program = `dist/${documents.program}.js`
  const inputs = createHash('sha256')
    .update(readFileSync(program))
    .update(readFileSync('package-lock.json'))
    .update(readFileSync(documents.eventSchemas))
    .digest('hex')
  if (areDocumentsWritten() && readFileSync(documents.stampFile, 'utf8') === inputs) return
  const swaggerUi = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  execFileSync(process.execPath, [program, documents.folder, swaggerUi, documents.eventSchemas], { stdio: 'inherit' })
  writeFileSync(documents.stampFile, inputs)
}

/** What lists them is written last. */
function areDocumentsWritten() {
  return existsSync(`${documents.folder}/hashes.json`) && existsSync(documents.stampFile)
}

/** Old chunks stay for a day: a process that still runs may load one late. */
function dropStaleChunks(written) {
  const kept = new Set(written.flatMap((file) => [file, `${file}.map`]))
  for (const name of readdirSync('dist/chunks')) {
    const file = `chunks/${name}`
    const age_ms = Date.now() - statSync(`dist/${file}`).mtimeMs
    if (!kept.has(file) && age_ms > staleChunk_ms) rmSync(`dist/${file}`)
  }
}

/** A migration that another branch has would be run from here. */
function dropStaleSql() {
  const copied = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sql'))
  for (const file of copied.filter((name) => !sources.includes(name))) rmSync(path.join('dist', file))
}

function copyToDist(file) {
  mkdirSync(path.join('dist', path.dirname(file)), { recursive: true })
  cpSync(file, path.join('dist', file))
}

function sourcesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|sql)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
}

function stampOf(files) {
  const hash = createHash('sha256')
  for (const file of [...files].sort((one, other) => (one < other ? -1 : 1))) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}
