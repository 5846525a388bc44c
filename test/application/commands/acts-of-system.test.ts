import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { dueActs, rootActs } from '../../../application/commands/acts-of-system.ts'
import { dueContext } from '../../../application/commands/due-context.ts'
import { createGuild } from '../../../application/communities/guilds/create-guild.ts'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import { processNames } from '../../../application/processes/process-managers.ts'
import { membershipId } from '../../../domain/ids/ids.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { streamName } from '../../../domain/streams.ts'
import { world } from '../support/world.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The files that make a context from nothing: each takes the cause from a request, an event, or a record that kept it. */
const makers = [
  'adapters/http/server/carry-out.ts',
  'application/administration/bulk/work-on-items.ts',
  'application/administration/jobs/run-background-job.ts',
  'application/commands/command-context.ts',
  'application/commands/following-context.ts',
  'application/commands/system-context.ts',
  'application/conversations/messages/record-message-deletions.ts',
  'cli/seed/past.ts',
]

describe('an act of the system', () => {
  it('has its cause from one of few places', () => {
    const sources = ['adapters', 'application', 'cli', 'gateway', 'process', 'projections'].flatMap((folder) =>
      readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => `${folder}/${file}`),
    )
    const found = sources.filter((file) => readFileSync(`${root}/${file}`, 'utf8').includes('commandContext('))
    expect(found.toSorted()).toEqual(makers)
  })
  it('that begins a chain has a name that nothing else has, and its reason', () => {
    const others = new Set<string>([...Object.keys(dueActs), ...processNames])
    expect(Object.keys(rootActs).filter((name) => others.has(name))).toEqual([])
    for (const reason of Object.values(rootActs)) expect(reason).toMatch(/^[A-Z].*\.$/)
  })
  it('that is due belongs to the chain of the newest event that made it so, and begins one where there is none', async () => {
    const on = world()
    const [ada, brian] = [await on.newcomer(), await on.newcomer()]
    const { id } = await on.guildOf(ada)
    const stream = streamName('membership', membershipId(id, ada))
    await on.ports.readModels.reached(0n)
    const joined = (await on.events()).findLast((event) => event.stream === stream)
    expect(joined?.type).toBe('MemberJoined')
    const context = await dueContext(on.ports, 'temporary memberships', stream, on.now)
    expect(context).toMatchObject({
      correlationId: joined?.metadata.correlationId,
      causationId: joined?.metadata.eventId,
      actor: { kind: 'system', name: 'temporary memberships' },
    })
    const other = streamName('membership', membershipId(id, brian))
    const alone = await dueContext(on.ports, 'temporary memberships', other, on.now)
    expect(alone.causationId).toBe(alone.commandId)
    expect(alone.correlationId).toBe(alone.commandId)
  })
  it('keeps the operation of the request whose step it finishes', async () => {
    const on = world()
    const ada = await on.newcomer()
    on.dieBefore('MemberJoined')
    const founding = { name: 'Home', emptyFeatures: false, icon: null, template: null }
    const founded = createGuild(on.ports)(await on.as(ada, { operation: 'Create guild' }), founding)
    await expect(founded).rejects.toThrow('MemberJoined')
    on.restart()
    await on.ports.readModels.reached(0n)
    await finishUnfinished(on.ports)(timestamp(Date.UTC(9999, 0)), on.now)
    const events = await on.events()
    const created = events.find(({ type }) => type === 'GuildCreated')
    const joined = events.at(-1)
    expect(joined).toMatchObject({
      type: 'MemberJoined',
      metadata: {
        actor: { kind: 'system', name: 'founding' },
        causationId: created?.metadata.eventId,
        operation: 'Create guild',
      },
    })
  })
})
