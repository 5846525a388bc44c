import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guild as guildAggregate } from '../../domain/guild/guild.ts'
import { invite as inviteAggregate } from '../../domain/invite/invite.ts'
import { account as accountAggregate } from '../../domain/account/account.ts'
import { membership as membershipAggregate } from '../../domain/membership/membership.ts'
import { directChannel } from '../../domain/direct-channel/direct-channel.ts'
import { guildAudit } from '../../domain/guild-audit/guild-audit.ts'
import { privateChannel } from '../../domain/private-channel/private-channel.ts'
import { relationship } from '../../domain/relationship/relationship.ts'
import { report } from '../../domain/report/report.ts'
import { userGuildSettings } from '../../domain/user-guild-settings/user-guild-settings.ts'
import { userSettings } from '../../domain/user-settings/user-settings.ts'
import { guildQueries } from '../../projections/guilds/queries.ts'
import { readModels } from '../../projections/read-models.ts'
import { buildInto } from '../../projections/runner/build.ts'
import { compareSchemas } from '../../projections/runner/rows/compare.ts'
import { accountCommands } from '../../domain/testing/commands/account-arbitraries.ts'
import { guildCommands, inviteCommands, membershipCommands } from '../../domain/testing/commands/arbitraries.ts'
import { guildAuditCommands } from '../../domain/testing/commands/guild-audit-commands.ts'
import {
  directChannelCommands,
  privateChannelCommands,
} from '../../domain/testing/commands/private-channel-commands.ts'
import { relationshipCommands } from '../../domain/testing/commands/relationship-commands.ts'
import { reportCommands } from '../../domain/testing/commands/report-commands.ts'
import { home } from '../../domain/testing/people.ts'
import { userGuildSettingsCommands, userSettingsCommands } from '../../domain/testing/commands/settings-arbitraries.ts'
import { histories } from '../../domain/testing/histories.ts'
import { world, type AnyEvent, type World } from './support/world.ts'

let the: World

beforeEach(async () => {
  the = await world()
})

afterEach(() => the.close())

/** The possible events of one guild, its invite, one member and that member's settings, in a mixed order. */
const histories_ = fc
  .tuple(
    histories(guildAggregate, guildCommands),
    histories(inviteAggregate, inviteCommands),
    histories(membershipAggregate, membershipCommands),
    histories(accountAggregate, accountCommands),
    histories(userSettings, userSettingsCommands),
    histories(userGuildSettings, userGuildSettingsCommands),
    histories(relationship, relationshipCommands),
    histories(guildAudit, guildAuditCommands),
    histories(directChannel, directChannelCommands),
    histories(privateChannel, privateChannelCommands),
    histories(report, reportCommands),
    fc.infiniteStream(fc.nat(10)),
  )
  .map(
    ([
      guild,
      invite,
      membership,
      account,
      settings,
      guildSettings,
      relations,
      deletions,
      direct,
      group,
      reports,
      turns,
    ]) => {
      const lanes: readonly (readonly AnyEvent[])[] = [
        guild.events,
        invite.events,
        membership.events,
        account.events,
        settings.events,
        guildSettings.events,
        relations.events,
        deletions.events,
        direct.events,
        group.events,
        reports.events,
      ]
      return { events: woven(lanes, turns), guild: guild.state }
    },
  )

function woven(lanes: readonly (readonly AnyEvent[])[], turns: Iterator<number>): readonly AnyEvent[] {
  const left = lanes.map((lane) => [...lane])
  const events: AnyEvent[] = []
  while (left.some((lane) => lane.length > 0)) {
    const event = left[turns.next().value]?.shift()
    if (event) events.push(event)
  }
  return events
}

describe('any history', () => {
  it('gives the same rows live, in batches of any size, and in a replay of all events', async () => {
    const projector = await the.projector(readModels)
    const client = await the.database.pool.connect()
    const replay = { client, store: the.store, signal: new AbortController().signal }
    const property = fc.asyncProperty(histories_, fc.integer({ min: 1, max: 20 }), async ({ events, guild }, size) => {
      for (let first = 0; first < events.length; first += size) {
        await projector.reached(await the.happens(...events.slice(first, first + size)))
      }
      await buildInto(replay, 'scratch_', readModels, await the.store.end())
      for (const model of readModels) {
        expect(await compareSchemas(client, model, model.name, `scratch_${model.name}`)).toStrictEqual([])
      }
      if (guild.status === 'absent') return
      const found = await guildQueries(the.database).find(home)
      expect(found?.settings).toStrictEqual(guild.status === 'active' ? guild.settings : undefined)
      expect(found?.features).toStrictEqual(guild.status === 'active' ? guild.features : undefined)
    })
    await fc.assert(property, { numRuns: 15, includeErrorInReport: true }).finally(() => client.release())
  })
})
