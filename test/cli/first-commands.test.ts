import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Ended } from './support/command-process.js'
import { instance, type Instance } from './support/instance.js'

let site: Instance
let folder: string

beforeEach(async () => {
  site = await instance(undefined, { withoutTables: true })
  folder = await mkdtemp(path.join(tmpdir(), 'guildhall-'))
})
afterEach(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

/** The error of a refused command: one line, and nothing on standard output. */
async function refusal(...words: readonly string[]): Promise<string> {
  return lineOf(await site.guildhall(words))
}

/** The same for a command in a process of its own. */
async function refusalSpawned(...words: readonly string[]): Promise<string> {
  return lineOf(await site.spawned(words))
}

function lineOf({ code, output, said }: Ended): string {
  expect({ code, output }).toStrictEqual({ code: 1, output: '' })
  expect(said).toMatch(/^.+\n$/)
  return said.trimEnd()
}

describe('an instance that no server has started on', () => {
  const askReadModels = [
    ['projections'],
    ['ip-bans'],
    ['registrations', 'list'],
    ['registration-url', 'list'],
    ['admin', 'grant', 'Ada#0001', '*'],
    ['verify'],
  ]

  it.each(askReadModels)('tells %s that it has no read models, and what creates them', async (...words) => {
    expect(await refusal(...words)).toBe(
      'There are no read models yet: a server that starts builds them, and so does replay',
    )
  })
})

describe('a file that cannot be used', () => {
  it('is named with the reason; the temporary file is not', async () => {
    const nowhere = path.join(folder, 'none', 'history.jsonl')
    expect(await refusalSpawned('export', nowhere)).toBe(`${nowhere} can't be written: no such file or directory`)
    await expect(access(path.dirname(nowhere))).rejects.toThrow('ENOENT')
    expect(await refusal('import', nowhere)).toBe(`${nowhere} can't be read: no such file or directory`)
    expect(await refusalSpawned('import', folder)).toBe(`${folder} can't be read: it is a folder`)
  })
})

describe('a server that does not answer', () => {
  it('is named before the story begins', async () => {
    const saying = (url: string) => `No server answers at ${url}: start one with 'npm start', or name one with --url`
    expect(await refusalSpawned('demo', '--url', 'http://127.0.0.1:1')).toBe(saying('http://127.0.0.1:1'))
    expect(await refusal('demo', '--url', 'nowhere')).toBe(saying('nowhere'))
  })
})
