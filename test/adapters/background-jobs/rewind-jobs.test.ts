import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresBackgroundJobs } from '../../../adapters/background-jobs/postgres-background-jobs.ts'
import { postgresBackgroundWork } from '../../../adapters/background-jobs/postgres-background-work.ts'
import { runBackgroundJob } from '../../../application/administration/jobs/run-background-job.ts'
import { queueRewind } from '../../../application/administration/rewinds/queue-rewind.ts'
import { rewindingGuild } from '../../../application/administration/rewinds/rewinding-guild.ts'
import { channelTypes, type Channel } from '../../../domain/guild/channel.ts'
import { plainChannel } from '../../../domain/guild/layout.ts'
import type { GuildPast } from '../../../domain/guild/rewind.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import {
  channelId,
  membershipId,
  roleId,
  type AccountId,
  type BackgroundJobId,
  type GuildId,
  type InviteCode,
} from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { everyoneRole } from '../../../domain/guild/layout.ts'
import { world, type World } from '../../application/support/world.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'
import { mortal, never } from './mortal-worker.ts'

let the: TestDatabase
beforeAll(async () => {
  the = await migratedDatabase()
})
afterAll(() => the.close())

const jobs = () => postgresBackgroundJobs(the.database)

/** Lets a worker take the job; gives how many steps it took. */
async function work({ ports, now }: World, jobId: BackgroundJobId, step = never): Promise<number> {
  await the.database.pool.query('update background_jobs.jobs set run_at = now() where job_id = $1', [jobId])
  const { of, signal, steps } = mortal(step)
  const { guild, membership, invite } = ports.aggregates
  const aggregates = {
    ...ports.aggregates,
    guild: { ...guild, execute: of(guild.execute) },
    membership: { ...membership, execute: of(membership.execute) },
    invite: { ...invite, execute: of(invite.execute) },
  }
  const { removeChannels, keepChannels } = ports.messages
  const messages = { ...ports.messages, removeChannels: of(removeChannels), keepChannels: of(keepChannels) }
  const records = postgresBackgroundWork(the.database)
  const run = runBackgroundJob({
    work: { ...records, progress: of(records.progress), succeed: of(records.succeed) },
    tasks: { rewind_guild: rewindingGuild({ ...ports, aggregates, messages }) },
    now: () => now,
  })
  await run(jobId, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  return steps()
}

interface Home {
  readonly on: World
  readonly root: AccountId
  readonly id: GuildId
  readonly code: InviteCode
  readonly banned: AccountId
  readonly to: Timestamp
}

const bounds = { events_max: 1000, bytes_max: 1_000_000 }
const moderator = roleId(snowflake('900001'))

async function guildIn({ on, id }: Pick<Home, 'on' | 'id'>): Promise<Guild> {
  const { state } = await on.ports.aggregates.guild.load(id)
  return state.status === 'active' ? state : expect.fail('The guild is gone')
}

/** The channels and roles that a guild is to have at once, by the very command under test. */
async function become(on: World, id: GuildId, by: AccountId, change: (guild: Guild) => Partial<GuildPast>) {
  const now = await guildIn({ on, id })
  const { context } = await on.as(by)
  const to = { ...now, ...change(now) }
  await on.ports.aggregates.guild.execute(id, { type: 'RewindGuild', to, ...bounds }, context)
  await on.ports.readModels.reached(context.written)
}

const numbered = (count: number): readonly Channel[] =>
  Array.from({ length: count }, (_, index) => ({
    ...plainChannel,
    id: channelId(snowflake(String(800_000 + index))),
    type: channelTypes.text,
    name: `room-${index}`,
    position: index + 10,
  }))

/** A guild with many channels, a moderator's role, a ban and an invite; a raid follows. */
async function raided(channels_count: number): Promise<Home> {
  await the.database.pool.query('delete from background_jobs.jobs')
  const on = world()
  const [root, ada, banned, dora] = [await on.newcomer(), await on.newcomer(), await on.newcomer(), await on.newcomer()]
  const { id, code } = await on.guildOf(ada)
  const role = { ...everyoneRole(id, '0'), id: moderator, name: 'Moderator', position: 1 }
  await become(on, id, ada, ({ roles, channels }) => ({
    roles: [...roles, role],
    channels: [...channels, ...numbered(channels_count)],
  }))
  const { membership, invite } = on.ports.aggregates
  const unsent = { deleteMessageSeconds: null, deleteMessageDays: null, email: null, ip: null, expiresAt: null }
  const ban = async (accountId: AccountId) => {
    const { context } = await on.as(ada)
    const terms = { guildId: id, accountId, moderatorId: ada, reason: 'spam', ...unsent, now: on.now }
    await membership.execute(membershipId(id, accountId), { type: 'BanMember', ...terms }, context)
    await on.ports.readModels.reached(context.written)
  }
  await ban(banned)
  const to = on.now
  on.wait(1000)
  await become(on, id, ada, ({ roles }) => ({ name: 'Raided', roles: roles.slice(0, 1), channels: [] }))
  const { context } = await on.as(ada)
  const lift = { type: 'UnbanMember', guildId: id, accountId: banned, now: on.now } as const
  await membership.execute(membershipId(id, banned), lift, context)
  await invite.execute(code, { type: 'DeleteInvite', by: ada, now: on.now }, context)
  await on.ports.readModels.reached(context.written)
  await ban(dora)
  on.wait(1000)
  return { on, root, id, code, banned, to }
}

async function queue({ on, root, id, to }: Home): Promise<BackgroundJobId> {
  const asked = await on.as(root)
  const caller = { ...asked, context: { ...asked.context, operation: 'Rewind guild' } }
  const { job_id: jobId } = await queueRewind({ ...on.ports, backgroundJobs: jobs() })(caller, id, {
    to,
    dryRun: false,
  })
  return jobId ?? expect.fail('Nothing was queued')
}

/** What the guild came to, and how often each thing happened since the raid, without order. */
async function outcome(home: Home) {
  const { on, id, code, banned, to } = home
  const { roles, channels } = await guildIn(home)
  const { state: ban } = await on.ports.aggregates.membership.load(membershipId(id, banned))
  const { state: invite } = await on.ports.aggregates.invite.load(code)
  const ids = (things: readonly { readonly id: string }[]) => things.map((one) => one.id).toSorted()
  const events = (await on.events()).flatMap(({ type, metadata }) =>
    metadata.at > to && type !== 'ChannelMessagesRemoved' ? [type] : [],
  )
  return {
    roles: roles.length,
    channels: ids(channels).filter((one) => one.startsWith('80')),
    ban: ban.status,
    invite: invite.status,
    events: events.toSorted(),
  }
}

describe('a rewind whose worker dies', () => {
  it('between any two steps is finished, and does nothing twice', async () => {
    const whole = await raided(3)
    const steps = await work(whole.on, await queue(whole))
    const expected = await outcome(whole)
    expect(expected).toMatchObject({ roles: 2, ban: 'banned', invite: 'created' })
    expect(expected.channels).toHaveLength(3)
    expect(steps).toBeGreaterThan(12)
    for (let step = 1; step <= steps; step += 1) {
      const home = await raided(3)
      const jobId = await queue(home)
      await work(home.on, jobId, step)
      await work(home.on, jobId)
      expect(await jobs().find(jobId)).toMatchObject({ status: 'succeeded' })
      expect(await outcome(home), `step ${step}`).toStrictEqual(expected)
    }
  })

  it('again and again in a rewind of several parts brings all of it back', async () => {
    const home = await raided(480)
    const jobId = await queue(home)
    for (const step of [3, 7, 9, 14]) await work(home.on, jobId, step)
    await work(home.on, jobId)
    expect(await jobs().find(jobId)).toMatchObject({ status: 'succeeded' })
    const { channels, ban, invite } = await outcome(home)
    expect(channels).toHaveLength(480)
    expect([ban, invite]).toStrictEqual(['banned', 'created'])
    const caller = await home.on.as(home.root)
    const again = queueRewind({ ...home.on.ports, backgroundJobs: jobs() })
    expect(await again(caller, home.id, { to: home.to, dryRun: false })).toMatchObject({ job_id: null, changes: [] })
  })
})
