import { randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { unzipSync } from 'fflate'
import { beforeEach, describe, expect, it } from 'vitest'
import { part_bytes } from '../../../adapters/media/archive-files.ts'
import { buildNextArchive, type ArchiveBuilding } from '../../../application/identity/archives/build-archive.ts'
import { archiveAttempts_max } from '../../../adapters/archives/postgres-archive-work.ts'
import { accountId, guildId, type ArchiveId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { messagesIn } from '../../operations/support/archives.ts'
import { openServer } from '../../operations/support/scene.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bytesOf, openBuilding, writtenTexts } from './building.ts'

const guildhall = await openServer()
const { archives, files, work, building, ask, change, stored } = await openBuilding(guildhall)
const alive = new AbortController().signal
let ada: TestAccount

beforeEach(async () => {
  ada = await guildhall.register()
  await change('completed_at = now(), has_files = false where completed_at is null')
})

class Dead extends Error {}

const fewestSteps = 9

/** The same builder in a process that dies instead of its step number `last` and every later one. Counts the steps. */
function dyingAt(last: number): ArchiveBuilding & { readonly steps: () => number } {
  let steps = 0
  const step = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    steps += 1
    if (steps >= last) throw new Dead()
    return act()
  }
  return {
    ...building,
    steps: () => steps,
    work: {
      ...work,
      begin: () => work.begin(),
      progress: (...given) => step(() => work.progress(...given)),
      complete: (...given) => step(() => work.complete(...given)),
      release: (...given) => step(() => work.release(...given)),
      fail: (...given) => step(() => work.fail(...given)),
    },
    files: {
      removeTurn: (...given) => step(() => files.removeTurn(...given)),
      remove: (...given) => step(() => files.remove(...given)),
      write: (turn, bytes) => files.write(turn, counted(bytes, step)),
    },
  }
}

/** Each thirtieth piece is a step. */
async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  step: (act: () => Promise<void>) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let pieces = 0
  for await (const piece of bytes) {
    if (pieces++ % 30 === 0) await step(async () => undefined)
    yield piece
  }
}

/** The same bytes, once all of them are read and something else is over. */
async function* allAfter(other: () => Promise<void>, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const all = await bytesOf(bytes)
  await other()
  yield all
}

/** As long as a worker lives that reports nothing, nobody else takes its archive. */
const leaseEnds = () => change('run_at = now() where completed_at is null')

async function contentsOf(id: ArchiveId): Promise<Readonly<Record<string, readonly string[]>>> {
  const opened = await archives.open(id)
  if (!opened) throw new Error('There is no such archive')
  const bytes = await bytesOf(opened.bytes)
  expect(bytes.length).toBe(opened.size_bytes)
  return messagesIn(new Map(Object.entries(unzipSync(bytes))))
}

describe('building an archive', () => {
  it('keeps it in sealed parts, in which nothing can be read', async () => {
    const id = await ask(ada)
    expect(await buildNextArchive(building)(alive)).toBe(true)
    expect(await contentsOf(id)).toEqual(writtenTexts)
    const { size_bytes } = (await archives.find(id)) ?? {}
    expect(Number(size_bytes)).toBeGreaterThan(part_bytes)
    expect((await stored()).filter((name) => name.includes(`/${id}/`)).length).toBe(
      Math.ceil(Number(size_bytes) / part_bytes),
    )
  })
  it('is resumed by another process wherever one died, and leaves the parts of one turn alone', async () => {
    const whole = dyingAt(Infinity)
    await ask(ada)
    await buildNextArchive(whole)(alive)
    // How often progress is recorded depends on the time that building takes, too.
    expect(whole.steps()).toBeGreaterThan(fewestSteps)
    for (let last = 1; last <= fewestSteps; last += 1) {
      const id = await ask(ada)
      await expect(buildNextArchive(dyingAt(last))(alive)).rejects.toThrow(Dead)
      expect(await buildNextArchive(building)(alive)).toBe(false)
      await leaseEnds()
      expect(await buildNextArchive(building)(alive)).toBe(true)
      expect(await contentsOf(id)).toEqual(writtenTexts)
      expect(new Set((await stored()).filter((name) => name.includes(`/${id}/`)).map(folderOf)).size).toBe(1)
    }
  })
  it('leaves nothing of a part that a process had half written as it died', async () => {
    const id = await ask(ada)
    await expect(buildNextArchive(dyingAt(fewestSteps))(alive)).rejects.toThrow(Dead)
    const partsOf = async () => (await stored()).filter((name) => name.includes(`/${id}/`))
    const [part] = await partsOf()
    if (part === undefined) throw new Error('The worker died before it had written a part')
    await rename(part, `${part}.${randomUUID()}`)
    await leaseEnds()
    expect(await buildNextArchive(building)(alive)).toBe(true)
    expect(new Set((await partsOf()).map(folderOf)).size).toBe(1)
    expect(await contentsOf(id)).toEqual(writtenTexts)
    await archives.removeAllOf(accountId(snowflake(ada.id)))
    expect(await partsOf()).toEqual([])
  })
  it.each(['reading', 'writing'] as const)(
    'stops where another worker has taken the archive while it hung in %s: those bytes stay, and none of its own',
    async (hangs) => {
      const id = await ask(ada)
      let overtaken = false
      const overtake = async (): Promise<void> => {
        if (overtaken) return
        overtaken = true
        await leaseEnds()
        await buildNextArchive(building)(alive)
      }
      const slow: ArchiveBuilding = {
        ...building,
        authored: {
          ...building.authored,
          page: async (...given) => {
            if (hangs === 'reading') await overtake()
            return building.authored.page(...given)
          },
        },
        files: {
          ...files,
          // It writes its last parts after the other one has finished.
          write: (turn, bytes) => files.write(turn, hangs === 'writing' ? allAfter(overtake, bytes) : bytes),
        },
      }
      expect(await buildNextArchive(slow)(alive)).toBe(true)
      expect(overtaken).toBe(true)
      expect(await contentsOf(id)).toEqual(writtenTexts)
      expect(await archives.find(id)).toMatchObject({ percent: 100, failedAt: null })
      expect(new Set((await stored()).filter((name) => name.includes(`/${id}/`)).map(folderOf)).size).toBe(1)
    },
  )
  it('is left to others at once by a worker that ends, however often', async () => {
    const id = await ask(ada)
    for (let time = 0; time < archiveAttempts_max + 1; time += 1) {
      const end = new AbortController()
      const ending: ArchiveBuilding = {
        ...building,
        readImage: async () => undefined,
        readFile: async () => undefined,
        authored: {
          ...building.authored,
          page: async (...given) => {
            end.abort(new Error('The worker ends'))
            return building.authored.page(...given)
          },
        },
      }
      expect(await buildNextArchive(ending)(end.signal)).toBe(true)
    }
    expect(await buildNextArchive(building)(alive)).toBe(true)
    expect(await contentsOf(id)).toEqual(writtenTexts)
  })
  it('fails after its last attempt, with its files gone and no inner text', async () => {
    const id = await ask(ada)
    const broken: ArchiveBuilding = {
      ...building,
      authored: { ...building.authored, page: () => Promise.reject(new Error('an inner text')) },
    }
    for (let attempt = 1; attempt <= archiveAttempts_max; attempt += 1) {
      expect((await archives.find(id))?.failedAt).toBeNull()
      await leaseEnds()
      await expect(buildNextArchive(broken)(alive)).rejects.toThrow('an inner text')
    }
    const failed = await archives.find(id)
    expect(failed).toMatchObject({ step: 'Failed', completedAt: null, errorMessage: 'The archive could not be built' })
    expect(failed?.failedAt).not.toBeNull()
    await leaseEnds()
    expect(await buildNextArchive(building)(alive)).toBe(false)
    await work.sweep()
    expect((await stored()).filter((name) => name.includes(`/${id}/`))).toEqual([])
  })
  it('fails at once if its guild is gone, with no file', async () => {
    const id = await ask(ada, { origin: 'admin', subject: { type: 'guild', id: guildId(snowflake('7')) } })
    expect(await buildNextArchive(building)(alive)).toBe(true)
    expect(await archives.find(id)).toMatchObject({ step: 'Failed', completedAt: null, failedAt: expect.any(String) })
    expect(await buildNextArchive(building)(alive)).toBe(false)
    expect((await stored()).filter((name) => name.includes(`/${id}/`))).toEqual([])
  })
  it('fails too if every worker died that began it', async () => {
    const id = await ask(ada)
    for (let attempt = 1; attempt <= archiveAttempts_max; attempt += 1) {
      await leaseEnds()
      await expect(buildNextArchive(dyingAt(3))(alive)).rejects.toThrow(Dead)
    }
    await leaseEnds()
    expect(await buildNextArchive(building)(alive)).toBe(false)
    expect(await archives.find(id)).toMatchObject({ step: 'Failed', completedAt: null })
  })
})

describe('the end of an archive', () => {
  it('comes with its expiry: its bytes go, and later its record', async () => {
    const id = await ask(ada)
    await buildNextArchive(building)(alive)
    await work.sweep()
    expect(await archives.open(id)).toBeDefined()
    await change(`expires_at = now() where archive_id = ${id}`)
    await work.sweep()
    expect(await archives.open(id)).toBeUndefined()
    expect((await stored()).filter((name) => name.includes(`/${id}/`))).toEqual([])
    expect(await archives.find(id)).toBeDefined()
    await change(`expires_at = now() - interval '91 days' where archive_id = ${id}`)
    await work.sweep()
    expect(await archives.find(id)).toBeUndefined()
  })
  it('comes while it is built: the worker stops and leaves nothing', async () => {
    const id = await ask(ada)
    let removed = false
    const slow: ArchiveBuilding = {
      ...building,
      authored: {
        ...building.authored,
        page: async (...given) => {
          if (!removed) await archives.removeAllOf(accountId(snowflake(ada.id)))
          removed = true
          return building.authored.page(...given)
        },
      },
    }
    expect(await buildNextArchive(slow)(alive)).toBe(true)
    expect(await archives.find(id)).toBeUndefined()
    expect((await stored()).filter((name) => name.includes(`/${ada.id}/`))).toEqual([])
  })
  it('comes with the key of its account: the same parts cannot be opened any more', async () => {
    const id = await ask(ada)
    await buildNextArchive(building)(alive)
    const opened = await archives.open(id)
    await guildhall.ports.personalDataKeys.destroy(accountId(snowflake(ada.id)))
    await expect(bytesOf(opened?.bytes ?? (async function* () {})())).rejects.toThrow('key')
  })
})

const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('/'))
