import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { EmbeddedPostgresError } from '../../../../adapters/postgres/embedded/error.ts'
import {
  afterThisTest,
  initialisedFolder,
  isRoot,
  needsRoot,
  ordinaryUser,
  query,
  start,
  startChild,
  temporaryFolder,
} from './support.ts'

describe('a folder in use', () => {
  it('is refused with the number of the process that has it', async () => {
    const folder = await initialisedFolder()
    const child = startChild(folder)
    await child.connection()
    const refused = start(folder)
    await expect(refused).rejects.toThrow(`DATA_DIR ${folder} is in use by process ${child.pid}`)
    await expect(refused).rejects.toBeInstanceOf(EmbeddedPostgresError)
  })

  it('is refused to the same process too', async () => {
    const folder = await initialisedFolder()
    await start(folder)
    await expect(start(folder)).rejects.toThrow(`is in use by process ${process.pid}`)
  })

  it('goes to exactly one of many that start at once', async () => {
    const folder = temporaryFolder()
    const children = Array.from({ length: 5 }, () => startChild(folder))
    const said = await Promise.all(children.map((child) => child.said()))
    const winners = children.filter((_, index) => said[index]?.connection !== undefined)
    expect(winners).toHaveLength(1)
    const refusals = said.flatMap(({ error }) => (error === undefined ? [] : [error]))
    expect(new Set(refusals)).toEqual(
      new Set([expect.stringContaining(`DATA_DIR ${folder} is in use by process ${winners[0]?.pid}`)]),
    )
  })

  it('is not taken for in use by a process that has the number of one that is gone', async () => {
    const folder = await initialisedFolder()
    writeFileSync(path.join(folder, 'claims'), `claim 6f1c ${process.ppid} boot/12345\nclaim 6f1d 999999999 boot/1\n`)
    const { connection } = await start(folder)
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('is refused when the process that has it is in another container', async ({ skip }) => {
    skip(spawnSync('flock', ['--version']).status !== 0, 'this host has no flock')
    const folder = temporaryFolder()
    const holder = spawn('flock', [path.join(folder, 'lock'), 'sh', '-c', 'echo held; read _'])
    afterThisTest(async () => {
      holder.stdin.end()
      await once(holder, 'exit')
    })
    await once(holder.stdout, 'data')
    await expect(start(folder)).rejects.toThrow(`DATA_DIR ${folder} is in use by a process that cannot be named`)
  })
})

describe('a folder that cannot be used', () => {
  it('is refused when it is, or lies below, a file', async () => {
    const file = path.join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    await expect(start(file)).rejects.toThrow(`DATA_DIR ${file} is, or lies below, a file`)
    await expect(start(path.join(file, 'below'))).rejects.toThrow('is, or lies below, a file')
  })

  it('is refused when it cannot be written to', async () => {
    const folder = temporaryFolder({ owner: ordinaryUser, mode: 0o500 })
    const { error } = await startChild(folder, { as: ordinaryUser }).said()
    expect(error).toMatch(`EmbeddedPostgresError: DATA_DIR ${folder} cannot be written to`)
  })

  it('is refused when another major version wrote it', async () => {
    const folder = temporaryFolder()
    mkdirSync(path.join(folder, 'cluster'))
    writeFileSync(path.join(folder, 'cluster', 'PG_VERSION'), '16\n')
    const refused = start(folder)
    await expect(refused).rejects.toThrow(`DATA_DIR ${folder} was written by Postgres 16`)
    await expect(refused).rejects.toThrow('is Postgres 18')
  })

  it('is refused when its cluster is something else', async () => {
    const folder = temporaryFolder()
    mkdirSync(path.join(folder, 'cluster'))
    writeFileSync(path.join(folder, 'cluster', 'letter.txt'), 'dear reader')
    await expect(start(folder)).rejects.toThrow('it is not the data of a Postgres')
  })

  it('is refused to an ordinary user when the data belongs to another', async ({ skip }) => {
    skip(!isRoot, needsRoot)
    const folder = temporaryFolder({ owner: ordinaryUser, mode: 0o755 })
    mkdirSync(path.join(folder, 'cluster'))
    chownSync(path.join(folder, 'cluster'), 12_345, 12_345)
    const { error } = await startChild(folder, { as: ordinaryUser }).said()
    expect(error).toContain('belongs to user id 12345, and this process is user id 65534')
  })

  it('is free again once the reason is gone', async () => {
    const folder = temporaryFolder()
    mkdirSync(path.join(folder, 'cluster'))
    writeFileSync(path.join(folder, 'cluster', 'letter.txt'), 'dear reader')
    await expect(start(folder)).rejects.toThrow('it is not the data of a Postgres')
    rmSync(path.join(folder, 'cluster', 'letter.txt'))
    const { connection } = await start(folder)
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})
