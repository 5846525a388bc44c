import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quiet_ms } from '../../application/health/open-outages.ts'
import {
  call,
  createGuild,
  createInvite,
  currentUser,
  getGuild,
  register,
  send,
  type FoundedGuild,
  type Person,
} from '../support/load-api.ts'
import { startTestGuildhall, type TestGuildhall } from '../support/test-guildhall.ts'

type Line = Readonly<Record<string, unknown>>

const refusing = `
  create function refuse_for_want_of_room() returns trigger language plpgsql as
    $$begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end$$;
  create trigger disk_is_full before insert on event_store.events
    for each statement execute function refuse_for_want_of_room()`

/** A trigger gives the answer that Postgres gives to each append on a full disk: the same SQLSTATE in the same way. */
describe('a full disk', () => {
  const lines: Line[] = []
  let guildhall: TestGuildhall
  let owner: Person
  let guild: FoundedGuild

  beforeAll(async () => {
    const write = (line: string): void => void lines.push(JSON.parse(line) as Line)
    guildhall = await startTestGuildhall({ withStatus: true, logger: pino({ level: 'info' }, { write }) })
    owner = await call(guildhall.url, register('ada'))
    const { id } = await call(guildhall.url, createGuild(owner, 'The Analytical Engine'))
    guild = await call(guildhall.url, getGuild(owner, id))
  })
  afterAll(() => guildhall.close())

  const write = (max_age: number) =>
    send(guildhall.url, createInvite(owner, guild.textChannel, { max_uses: 1, max_age }))
  const ready = async () => (await fetch(`${guildhall.statusUrl}/_ready`)).json()
  const ofDisk = (message: string): readonly Line[] =>
    lines.filter(({ msg, part }) => msg === message && part === 'disk')

  it('is logged in two lines, with the count, and named by readiness until writes are accepted again', async () => {
    const { pool } = guildhall.store.database
    await expect.poll(ready).toMatchObject({ ready: true, missing: [], without: [] })
    await pool.query(refusing)
    const answers = await Promise.all(Array.from({ length: 40 }, (_none, index) => write(1000 + index)))
    expect(answers.every(({ status }) => status >= 500)).toBe(true)
    expect((await send(guildhall.url, currentUser(owner))).status).toBe(200)
    await expect.poll(ready).toMatchObject({ ready: false, missing: ['disk'], without: [] })
    expect((await fetch(`${guildhall.statusUrl}/_health`)).status).toBe(200)
    // The outage goes on while writes are refused.
    const until = performance.now() + quiet_ms + 2000
    let age = 5000
    while (performance.now() < until) {
      await write((age += 1))
      await sleep(250)
    }
    await expect.poll(ready).toMatchObject({ missing: ['disk'] })
    await pool.query('drop trigger disk_is_full on event_store.events')
    expect((await write(90_000)).status).toBe(200)
    await expect.poll(ready).toMatchObject({ ready: true, missing: [], without: [] })
    expect(ofDisk('an outage begins')).toHaveLength(1)
    expect(ofDisk('an outage is over')).toHaveLength(1)
    expect(Number(ofDisk('an outage is over')[0]?.['failures'])).toBeGreaterThan(answers.length)
    expect(lines.filter(({ msg }) => msg === 'failed to answer')).toEqual([])
  })
})
