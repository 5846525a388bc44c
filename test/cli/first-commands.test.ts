import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { instance, type Instance } from './support/instance.js'

let site: Instance
let folder: string

beforeEach(async () => {
  site = await instance()
  folder = await mkdtemp(path.join(tmpdir(), 'guildhall-'))
})
afterEach(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

/** What a command says where it refuses: one line, and nothing on standard output. */
async function refusal(...words: readonly string[]): Promise<string> {
  const { code, output, said } = await site.guildhall(words)
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

  it.each(askReadModels)('says to %s that it has no read models, and what makes them', async (...words) => {
    expect(await refusal(...words)).toBe(
      'There are no read models yet: a server that starts builds them, and so does replay',
    )
  })
})

describe('a file that can’t be used', () => {
  it('is named with the reason, and not the file that would have become it', async () => {
    const nowhere = path.join(folder, 'none', 'history.jsonl')
    expect(await refusal('export', nowhere)).toBe(`${nowhere} can't be written: no such file or directory`)
    await expect(access(path.dirname(nowhere))).rejects.toThrow('ENOENT')
    expect(await refusal('import', nowhere)).toBe(`${nowhere} can't be read: no such file or directory`)
    expect(await refusal('import', folder)).toBe(`${folder} can't be read: it is a folder`)
  })
})

describe('a server that does not answer', () => {
  it('is named before the story begins', async () => {
    for (const url of ['http://127.0.0.1:1', 'nowhere'])
      expect(await refusal('demo', '--url', url)).toBe(
        `No server answers at ${url}: start one with 'npm start', or name one with --url`,
      )
  })
})
