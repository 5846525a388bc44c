import { randomUUID } from 'node:crypto'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { sha256Of } from '../../cli/backup/format.ts'
import { openBackup } from '../../cli/backup/check-backup.ts'
import { restoreBesideHistory } from '../../cli/backup/restore-backup.ts'
import { RestoreUnfinished } from '../../process/unfinished-restore.ts'
import { openStore } from '../../process/store.ts'
import { startEventStoreDouble } from '../support/eventstoredb-double/double.ts'
import {
  emptyPlace,
  placeKey,
  placeOfTest,
  playScene,
  seenBy,
  type BackupScene,
  type Place,
} from './support/backup-scene.ts'
import { runHere } from './support/command-here.ts'
import { people } from './support/happenings.ts'
import { instance } from './support/instance.ts'

let folder: string
let backup: string
let source: Place
let scene: BackupScene
let before: Readonly<Record<string, unknown>>
let target: Place

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gh-backup-'))
  backup = path.join(folder, 'backup')
  source = await emptyPlace({ isLaid: true })
  const server = await source.serve()
  scene = await playScene(server)
  before = await seenBy(server, scene)
  expect(await source.guildhall('backup', backup)).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await source.close()
  await rm(folder, { recursive: true, force: true })
})
/** Makes a place for each test that writes to it. */
function eachHasItsTarget(): void {
  beforeEach(async () => {
    target = await placeOfTest()
  })
}

/** A copy of the backup that a test may change. */
async function copied(): Promise<string> {
  const copy = await mkdtemp(path.join(folder, 'copy-'))
  await cp(backup, copy, { recursive: true })
  return copy
}

async function changeManifest(where: string, change: (manifest: Record<string, unknown>) => object): Promise<void> {
  const file = path.join(where, 'manifest.json')
  const [line = ''] = (await readFile(file, 'utf8')).split('\n')
  const changed = JSON.stringify(change(JSON.parse(line) as Record<string, unknown>))
  await writeFile(file, `${changed}\n${JSON.stringify({ sha256: sha256Of(changed) })}\n`)
}

/** Expects a refusal that leaves the place empty, and gives its reason. */
async function refusal(from: string, settings: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, output, said } = await runHere(['restore', from], { ...target.environment, ...settings })
  expect({ code, output }).toStrictEqual({ code: 1, output: '' })
  expect(await target.rows(`select nspname from pg_namespace where nspname in ('ledger', 'messages')`)).toStrictEqual(
    [],
  )
  expect(await readdir(target.dataDir)).toStrictEqual([])
  return said.trim().split('\n').at(-1) ?? ''
}

async function anImage(where: string): Promise<string> {
  const files = await readdir(path.join(where, 'images'), { recursive: true })
  return path.join(where, 'images', files.find((name) => name.endsWith('.webp')) ?? 'none')
}

describe('nothing is written of a backup', () => {
  // It stays empty, as each refusal checks.
  beforeAll(async () => {
    target = await emptyPlace()
  })
  afterAll(() => target.close())

  it('that is not there, or is none', async () => {
    expect(await refusal(path.join(folder, 'none'))).toMatch(/^There is no backup at .+none$/)
    const empty = await mkdtemp(path.join(folder, 'empty-'))
    expect(await refusal(empty)).toContain('it has no manifest.json, which is written last')
    await writeFile(path.join(empty, 'manifest.json'), '{}\n')
    expect(await refusal(empty)).toContain('is not the manifest of a guildhall-backup')
  })

  it.each(['history.jsonl', 'tables.jsonl', 'images.jsonl'])('whose %s is cut, changed or gone', async (name) => {
    const cut = await copied()
    const { length } = await readFile(path.join(cut, name))
    await truncate(path.join(cut, name), length - 10)
    expect(await refusal(cut)).toBe(`${name} has ${length - 10} bytes, and had ${length} when the backup was written`)
    const longer = await copied()
    await appendFile(path.join(longer, name), '\n')
    expect(await refusal(longer)).toContain(`and had ${length} when the backup was written`)
    const changed = await copied()
    const text = await readFile(path.join(changed, name), 'latin1')
    const at = text.lastIndexOf('1')
    await writeFile(path.join(changed, name), `${text.slice(0, at)}2${text.slice(at + 1)}`, 'latin1')
    expect(await refusal(changed)).toBe(`${name} is not as it was written: its digest is another one`)
    const lacking = await copied()
    await rm(path.join(lacking, name))
    expect(await refusal(lacking)).toBe(`The backup lacks its file ${name}`)
  })

  it('with an image that is changed or gone', async () => {
    const changed = await copied()
    await appendFile(await anImage(changed), 'x')
    expect(await refusal(changed)).toMatch(/^The image .+ is not as it was written$/)
    const lacking = await copied()
    await rm(await anImage(lacking))
    expect(await refusal(lacking)).toMatch(/^The backup lacks the image /)
  })

  it('whose manifest was changed, or does not fit its files', async () => {
    const changed = await copied()
    const file = path.join(changed, 'manifest.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace('"keys":3', '"keys":4'))
    expect(await refusal(changed)).toContain('is not as it was written: its digest is another one')
    const counts = await copied()
    await changeManifest(counts, ({ events, ...others }) => ({ ...others, events: Number(events) + 1 }))
    expect(await refusal(counts)).toMatch(/^history.jsonl has \d+ events, and the manifest says \d+$/)
    const fewer = await copied()
    await changeManifest(fewer, ({ images, ...others }) => ({ ...others, images: Number(images) + 1 }))
    expect(await refusal(fewer)).toMatch(/^images.jsonl lists \d images, and the manifest \d$/)
    const outside = await copied()
    await changeManifest(outside, (manifest) => ({
      ...manifest,
      files: [{ name: '../x', bytes: 1, sha256: 'a'.repeat(64) }],
    }))
    expect(await refusal(outside)).toContain('is not the manifest of a guildhall-backup')
  })

  it('of a newer version, of the format or of the tables', async () => {
    const newer = await copied()
    await changeManifest(newer, (manifest) => ({ ...manifest, version: 2 }))
    expect(await refusal(newer)).toBe(
      'The backup has version 2 of its format, and this program knows 1: restore it with a newer version of Guildhall',
    )
    const tables = await copied()
    await changeManifest(tables, ({ migrations, ...others }) => {
      const known = migrations as readonly object[]
      return { ...others, migrations: [...known, { number: known.length + 1, name: 'later', digest: 'x' }] }
    })
    expect(await refusal(tables)).toContain('The backup is of a newer version of Guildhall: its tables have')
    const other = await copied()
    await changeManifest(other, ({ migrations, ...others }) => {
      const [first, ...rest] = migrations as readonly object[]
      return { ...others, migrations: [{ ...first, digest: 'x' }, ...rest] }
    })
    expect(await refusal(other)).toContain('have run another migration 1 (ledger)')
  })

  it('with an event that this program cannot read, unless the operator asks for it', async () => {
    const there = await instance(placeKey)
    onTestFinished(() => there.close())
    await people(there.store.events, 1)
    const stored = await there.stored.at(await there.stored.end())
    if (!stored) throw new Error('There are no events')
    const later = { ...stored, type: 'FromTheFuture', eventId: randomUUID(), revision: stored.revision + 1 }
    await there.stored.append(stored.position, [{ ...later, position: stored.position + 1n }])
    const own = path.join(await mkdtemp(path.join(folder, 'own-')), 'backup')
    const images = { environment: { DATA_DIR: target.dataDir, MEDIA_URL: '' } }
    expect(await there.guildhall(['backup', own], images)).toMatchObject({ code: 0 })
    expect(await refusal(own)).toMatch(/^This program can't read an event of the backup: .+ restore with --unreadable$/)
    const readable = await placeOfTest()
    const restored = await readable.guildhall('restore', own, '--unreadable')
    expect(restored).toMatchObject({ code: 0 })
    expect(await readable.rows('select distinct stream from read_models.parked')).toStrictEqual([
      { stream: stored.stream },
    ])
  })

  it('without the right PERSONAL_DATA_KEY', async () => {
    expect(await refusal(backup, { PERSONAL_DATA_KEY: '' })).toContain(
      'The backup does not hold PERSONAL_DATA_KEY: set it to that of the instance it was taken of, or put',
    )
    const other = Buffer.alloc(32, 1).toString('base64')
    expect(await refusal(backup, { PERSONAL_DATA_KEY: other })).toBe(
      'PERSONAL_DATA_KEY is another one than that of the instance the backup was taken of',
    )
  })
})

describe('a place with an instance', () => {
  eachHasItsTarget()

  it('is refused, and stays as it is', async () => {
    const there = await instance(placeKey)
    onTestFinished(() => there.close())
    await people(there.store.events, 1)
    const { code, said } = await there.guildhall(['restore', backup])
    expect(code).toBe(1)
    expect(said).toMatch(/^There is an instance in the database .+ already\. Restore into a place without one/)
    expect(await there.events()).toHaveLength(5)
    expect(await there.rows('select count(*)::int as count from messages.messages')).toStrictEqual([{ count: 0 }])
  })

  it('is one whose event store has events, beside a new database', async () => {
    const double = await startEventStoreDouble()
    onTestFinished(() => double.close())
    const there = await instance(placeKey, { eventStoreUrl: double.url })
    onTestFinished(() => there.close())
    await people(there.store.events, 1)
    expect(await refusal(backup, { EVENTSTORE_URL: double.url })).toMatch(
      /^There is an instance in the event store of EVENTSTORE_URL already/,
    )
  })
})

const never = new AbortController().signal

async function halfway(signal = never, onProgress = (): void => undefined): Promise<void> {
  await restoreBesideHistory(await openBackup(backup), target.connection, { signal, onProgress })
}

async function expectWhole(): Promise<void> {
  expect(await target.guildhall('restore', backup)).toMatchObject({ code: 0 })
  expect(await seenBy(await target.serve(), scene)).toStrictEqual(before)
  const late = await target.guildhall('restore', backup)
  expect(late.said).toContain('There is an instance in the database')
}

describe('an interrupted restore', () => {
  // The first test leaves it unfinished, and the second one finishes it.
  beforeAll(async () => {
    target = await emptyPlace()
    await halfway()
  })
  afterAll(() => target.close())

  it('is not finished by another backup', async () => {
    const other = await copied()
    await changeManifest(other, (manifest) => ({ ...manifest, id: '00000000-0000-4000-8000-000000000000' }))
    const { said } = await target.guildhall('restore', other)
    expect(said).toContain('was interrupted: finish it with that backup, or empty the place')
  })

  it('is finished by another one; no server starts before, and no command runs', async () => {
    const { connection } = target
    const opening = openStore({ connection, personalDataKey: placeKey, onError: () => undefined })
    await expect(opening).rejects.toThrow(RestoreUnfinished)
    await expect(target.serve()).rejects.toThrow('run guildhall restore again with the same backup')
    const exported = await target.guildhall('export')
    expect(exported.said).toContain('A restore into this place was interrupted')
    await expectWhole()
  })
})

describe('an interrupted restore', () => {
  eachHasItsTarget()

  it('in the middle of the tables has written none of them', async () => {
    const abort = new AbortController()
    await expect(halfway(abort.signal, () => abort.abort())).rejects.toThrow('aborted')
    expect(await target.rows('select count(*)::int as count from messages.messages')).toStrictEqual([{ count: 0 }])
    await expectWhole()
  })
})
