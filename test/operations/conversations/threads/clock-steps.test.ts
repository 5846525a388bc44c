import { afterEach, describe, expect, it, vi } from 'vitest'
import { channelId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, invite } from '../../support/answers.ts'
import { openThreads } from '../../support/threads.ts'

const { guildhall, brian, home, ada, threads } = await openThreads()
const code = await invite(guildhall, ada, home.channel)

const clock = Date.now.bind(Date)
/** Moves the clock of the whole process. Timers that do not use it go on as before. */
const step = (hours: number) => vi.spyOn(Date, 'now').mockImplementation(() => clock() + hours * 3_600_000)
afterEach(() => {
  vi.restoreAllMocks()
})

const leave = (account: TestAccount) =>
  guildhall.request('DELETE', `/v1/users/@me/guilds/${home.id}`, { token: account.token })
const membersOf = async (thread: string): Promise<readonly string[]> => {
  const { state } = await guildhall.ports.aggregates.thread.load(thread)
  return state.status === 'open' ? Object.keys(state.members) : []
}
const shown = async (thread: string, account: TestAccount) =>
  (await guildhall.ports.queries.threads.members(channelId(snowflake(thread)), { limit: 100 })).some(
    ({ accountId }) => accountId === account.id,
  )

describe.each([
  ['went back an hour', -1],
  ['went on an hour', 1],
])('a member who leaves a guild after the clock %s', (_, hours) => {
  it('leaves its threads, and is in none after coming back', async () => {
    const [thread, guest] = [await threads.started(brian, home.channel), await home.member()]
    expect((await threads.join(guest, thread)).status).toBe(204)
    step(hours)
    expect((await leave(guest)).status).toBe(204)
    expect((await accept(guildhall, guest, code)).status).toBe(200)
    await expect.poll(() => membersOf(thread)).not.toContain(guest.id)
    await expect.poll(() => shown(thread, guest)).toBe(false)
    expect(await membersOf(thread)).toContain(brian.id)
  })
  it('stays in those that it joins once it is back', async () => {
    const [thread, other, guest] = [
      await threads.started(brian, home.channel),
      await threads.started(brian, home.channel),
      await home.member(),
    ]
    await threads.join(guest, thread)
    await leave(guest)
    step(hours)
    await accept(guildhall, guest, code)
    expect((await threads.join(guest, other)).status).toBe(204)
    await expect.poll(() => membersOf(thread)).not.toContain(guest.id)
    // Later departures are handled later: when this one is done, so is the first.
    const last = await home.member()
    await threads.join(last, other)
    await leave(last)
    await expect.poll(() => membersOf(other)).not.toContain(last.id)
    expect(await membersOf(other)).toContain(guest.id)
  })
})

describe('a member who leaves, comes back and joins the thread again in one instant of the clock', () => {
  it('is in it', async () => {
    const [thread, guest] = [await threads.started(brian, home.channel), await home.member()]
    await threads.join(guest, thread)
    const now = clock()
    vi.spyOn(Date, 'now').mockImplementation(() => now)
    await leave(guest)
    await expect.poll(() => membersOf(thread)).not.toContain(guest.id)
    await accept(guildhall, guest, code)
    expect((await threads.join(guest, thread)).status).toBe(204)
    const last = await home.member()
    await threads.join(last, thread)
    await leave(last)
    await expect.poll(() => membersOf(thread)).not.toContain(last.id)
    expect(await membersOf(thread)).toContain(guest.id)
  })
})
