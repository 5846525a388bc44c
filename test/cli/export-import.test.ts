import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { streamName } from '../../domain/streams.ts'
import { readModels } from '../../projections/read-models.ts'
import { account, registered } from '../projections/support/people.ts'
import { until } from '../projections/support/world.ts'
import { exported, imported, pieces } from './support/history-files.ts'
import { happens, people } from './support/happenings.ts'
import { instance, type Instance } from './support/instance.ts'

const personalDataKey = new Uint8Array(32).fill(5)

let source: Instance
let target: Instance
let folder: string

beforeEach(async () => {
  ;[source, target] = await Promise.all([instance(personalDataKey), instance(personalDataKey)])
  folder = await mkdtemp(path.join(tmpdir(), 'gh-export-'))
})

afterEach(async () => {
  await Promise.all([source.close(), target.close()])
  await rm(folder, { recursive: true })
})

const emailsOf = async ({ events }: Instance): Promise<readonly unknown[]> =>
  (await events()).flatMap(({ data }) => ('email' in data ? [data.email] : []))
const withoutKeys = ({ stored }: Instance) => ({ stored })

describe('an export, imported into an empty store,', () => {
  it('gives the same history: ids, revisions, metadata, positions; and exports to the same bytes', async () => {
    await source.storePeople(250)
    const file = path.join(folder, 'history.jsonl')
    const out = await source.spawned(['export', file, '--with-keys'])
    expect(out).toMatchObject({ code: 0, output: '' })
    expect(out.said).toContain('Exported 1250 events and 250 keys. What comes later: --after 1250.')
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    const back = await target.spawned(['import'], { input: await readFile(file) })
    expect(back).toMatchObject({ code: 0, output: '' })
    expect(back.said).toContain('Imported 1250 events and 250 keys; 0 events were there already.')
    expect(await target.events()).toEqual(await source.events())
    expect(await emailsOf(target)).toContain('user250@example.org')

    const again = await target.spawned(['export', '--with-keys'])
    expect(again.output).toBe(await readFile(file, 'utf8'))
    expect(await target.guildhall(['replay'])).toMatchObject({ code: 0 })
    expect(await target.guildhall(['verify'])).toMatchObject({
      code: 0,
      output: `All ${readModels.length} read models equal what history makes of them, at position 1250.\n`,
    })
    expect(await target.rows('select count(*)::int4 as count from accounts.accounts')).toEqual([{ count: 250 }])
  })

  it('continues like the source: the next event comes after the last imported one', async () => {
    await people(source.store.events, 3)
    // A failed append uses up a position.
    await source.rows(`select nextval(pg_get_serial_sequence('event_store.events', 'position'))`)
    await people(source.store.events, 1, 4)
    expect(await imported(target, await exported(source))).toEqual({ found: 0, written: 20 })
    const next = await Promise.all(
      [target, source].map(({ store }) => happens(store.events, streamName('account', account(9)), registered(9))),
    )
    expect(next).toEqual([22n, 22n])
  })

  it('contains no readable personal data, and keys only on request', async () => {
    await people(source.store.events, 2)
    const plain = await exported(withoutKeys(source))
    const withKeys = await exported(source)
    for (const text of [plain, withKeys]) expect(text).not.toMatch(/example\.org|argon2|1990-12-10/)
    expect(plain).not.toContain('"kind":"key"')
    expect(withKeys.match(/"kind":"key"/g)).toHaveLength(2)

    const file = path.join(folder, 'plain.jsonl')
    await writeFile(file, plain)
    const { said } = await target.guildhall(['import', file])
    expect(said).toContain('The file has no keys')
    expect(await emailsOf(target)).toEqual([null, null])
    // The keys may follow later: the events are there already, and are the same.
    expect(await imported(target, withKeys)).toEqual({ found: 10, written: 0 })
    expect(new Set(await emailsOf(target))).toEqual(new Set(['user1@example.org', 'user2@example.org']))
  })

  it('restores no destroyed key, neither one of the source nor one of the target', async () => {
    await people(source.store.events, 3)
    const before = await exported(source)
    await source.store.keys.destroy(account(1))
    const after = await exported(source)
    expect(after).toContain(`{"kind":"destroyed_key","account":"${account(1)}"`)

    await imported(target, after)
    expect(await exported(target)).toBe(after)
    expect(await emailsOf(target)).toEqual(expect.arrayContaining([null, 'user2@example.org', 'user3@example.org']))
    await target.store.keys.destroy(account(2))
    await imported(target, before)
    const wrapped = await target.rows('select account_id from personal_data.keys where wrapped_key is not null')
    expect(wrapped).toEqual([{ account_id: account(3) }])
    // A key that was destroyed at the source since then is destroyed here too.
    const third = await instance(personalDataKey)
    await imported(third, before)
    await imported(third, after)
    expect(await exported(third)).toBe(after)
    await third.close()
  })

  it('may come in parts, each after the last event of the one before', async () => {
    await people(source.store.events, 10)
    const first = await exported(source)
    await people(source.store.events, 10, 11)
    const file = path.join(folder, 'second.jsonl')
    const { said } = await source.guildhall(['export', file, '--after', '50', '--with-keys'])
    const second = await readFile(file, 'utf8')
    expect(said).toContain('Exported 50 events and 20 keys. What comes later: --after 100.')

    await expect(imported(target, second)).rejects.toThrow(
      'begins after position 50, which this store does not hold: it is empty',
    )
    expect(await target.events()).toEqual([])
    expect(await imported(target, first)).toEqual({ found: 0, written: 50 })
    expect(await imported(target, second)).toEqual({ found: 0, written: 50 })
    expect(await imported(target, second)).toEqual({ found: 50, written: 0 })
    expect(await imported(target, first)).toEqual({ found: 50, written: 0 })
    expect(await exported(target)).toBe(await exported(source))
    await expect(exported(source, 101n)).rejects.toThrow('No event is at position 101')
  })

  it('of an empty store is also a file', async () => {
    const file = await exported(source)
    expect(file.trimEnd().split('\n')).toHaveLength(2)
    expect(await imported(target, file)).toEqual({ found: 0, written: 0 })
  })

  it('leaves no partial file, and changes no other file', async () => {
    const file = path.join(folder, 'kept.jsonl')
    await writeFile(file, 'kept')
    const refused = await source.guildhall(['export', file])
    expect(refused.code).toBe(1)
    expect(refused.said).toContain('exists already')
    expect(await readFile(file, 'utf8')).toBe('kept')
    const wrong = path.join(folder, 'wrong.jsonl')
    expect(await source.guildhall(['export', wrong, '--after', '77'])).toMatchObject({ code: 1 })
    await expect(stat(`${wrong}.part`)).rejects.toThrow('ENOENT')
    await expect(stat(wrong)).rejects.toThrow('ENOENT')
  })
})

describe('an import that was interrupted', () => {
  it('is resumed after the last stored event, by importing the whole file again', async () => {
    await source.storePeople(600)
    const whole = await exported(withoutKeys(source))
    await expect(imported(target, pieces(whole, whole.length * 0.7))).rejects.toThrow('The connection broke')
    expect(await target.stored.end()).toBe(2000n)
    expect(await imported(target, whole)).toEqual({ found: 2000, written: 1000 })
    expect(await imported(target, whole)).toEqual({ found: 3000, written: 0 })
    expect(await exported(withoutKeys(target))).toBe(whole)
  })

  it('by SIGKILL has written whole blocks, and is resumed in the same way', async () => {
    await source.storePeople(1000)
    const whole = await exported(withoutKeys(source))
    const killed = await target.spawned(['import'], {
      input: whole,
      killWhen: () => until(async () => (await target.stored.end()) > 0n, 30_000),
    })
    expect(killed.code).toBe(null)
    // Statements that it had sent may still be committed.
    await until(async () => {
      const before = await target.stored.end()
      await new Promise((resolve) => setTimeout(resolve, 500))
      return before === (await target.stored.end())
    })
    const there = Number(await target.stored.end())
    expect(there % 1000).toBe(0)
    expect(await imported(target, whole)).toEqual({ found: there, written: 5000 - there })
    expect(await exported(withoutKeys(target))).toBe(whole)
  })

  it('by the end of its input keeps whole blocks, and says that the file is incomplete', async () => {
    await source.storePeople(300)
    const whole = await exported(withoutKeys(source))
    const cut = `${whole.split('\n').slice(0, 1200).join('\n')}\n`
    const ended = await target.spawned(['import'], { input: cut })
    expect(ended.code).toBe(1)
    expect(ended.said).toContain('The file has no last line: it is not whole')
    expect(await target.events()).toHaveLength(1000)
    expect(await imported(target, whole)).toEqual({ found: 1000, written: 500 })
  })

  it('does not begin if a named file is incomplete: the file is checked to its end before anything is written', async () => {
    await source.storePeople(300)
    const whole = await exported(withoutKeys(source))
    const file = path.join(folder, 'cut.jsonl')
    await writeFile(file, whole.slice(0, -1000))
    const refused = await target.guildhall(['import', file])
    expect(refused.code).toBe(1)
    expect(refused.said).toContain('not whole')
    expect(await target.events()).toEqual([])
    await writeFile(file, whole)
    expect(await target.guildhall(['import', file])).toMatchObject({ code: 0 })
    expect(await exported(withoutKeys(target))).toBe(whole)
  })
})
