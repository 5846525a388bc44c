import { describe, it } from 'vitest'
import type { GuildCommand } from '../../../domain/guild/commands.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import { guild } from '../../../domain/guild/guild.ts'
import type { GuildChanges } from '../../../domain/guild/modify.ts'
import { initialSettings, type CustomCode } from '../../../domain/guild/state.ts'
import { channelId, inviteCode } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { ada, grace, home, start } from '../../../domain/testing/people.ts'

const founded: readonly GuildEvent[] = [
  { type: 'GuildCreated', data: { guildId: home, name: 'Home', ownerId: ada, features: [], createdAt: start } },
  { type: 'GuildSettingsChanged', data: { guildId: home, settings: initialSettings } },
]
const featured = (...features: readonly GuildFeature[]): GuildEvent => ({
  type: 'GuildFeaturesChanged',
  data: { guildId: home, features },
})

describe('the instance', () => {
  const by = 'instance'
  const claimed: CustomCode = { code: inviteCode('engine'), claim: 1 }
  const write = (changes: GuildChanges): GuildCommand => ({
    type: 'ModifyGuild',
    by,
    changes,
    bannerMoves: false,
    now: start,
  })

  it('gives the guild to whom it says, and changes nothing for the owner', () => {
    const transferred = { type: 'OwnershipTransferred', data: { guildId: home, from: ada, to: grace } } as const
    given(guild, founded).when({ type: 'TransferOwnership', by, to: grace }).then(transferred)
    given(guild, founded).when({ type: 'TransferOwnership', by, to: ada }).changesNothing()
    given(guild, founded).when({ type: 'TransferOwnership', by: grace, to: grace }).refuses('MISSING_PERMISSIONS')
    given(guild, []).when({ type: 'TransferOwnership', by, to: grace }).refuses('UNKNOWN_GUILD')
  })

  it('deletes the guild', () => {
    given(guild, founded)
      .when({ type: 'DeleteGuild', by })
      .then({ type: 'GuildDeleted', data: { guildId: home, ownerId: ada, channelIds: [] } })
  })

  it('names a custom code for a guild without the feature', () => {
    const named = { type: 'VanityCodeChanged', data: { guildId: home, before: null, after: claimed } } as const
    given(guild, founded).when({ type: 'SetVanityCode', by, custom: claimed }).then(named)
    given(guild, [...founded, named])
      .when({ type: 'SetVanityCode', by, custom: claimed })
      .changesNothing()
  })

  it('sets the MFA level and what is disabled, but no channel that is not there and no level that the directory forbids', () => {
    given(guild, founded)
      .when(write({ mfaLevel: 1, disabledOperations: 3 }))
      .then({
        type: 'GuildModified',
        data: {
          guildId: home,
          before: { mfaLevel: 0, disabledOperations: 0 },
          after: { mfaLevel: 1, disabledOperations: 3 },
        },
      })
    given(guild, founded)
      .when(write({ afkChannelId: channelId(snowflake('9')) }))
      .refuses('INVALID_FORM_BODY', field('afk_channel_id', 'AFK_CHANNEL_MUST_BE_IN_GUILD'))
    given(guild, [...founded, featured('DISCOVERABLE')])
      .when(write({ verificationLevel: 0 }))
      .refuses('INVALID_FORM_BODY', field('verification_level', 'DISCOVERABLE_GUILD_VERIFICATION_LEVEL_TOO_LOW'))
  })
})
