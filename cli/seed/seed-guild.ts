import { followingContext } from '../../application/commands/following-context.ts'
import { eventIdOf } from '../../application/commands/command-context.ts'
import { joinGuild } from '../../application/communities/admission/join-guild.ts'
import { channelTypes } from '../../domain/guild/channel.ts'
import { defaultLayout } from '../../domain/guild/layout.ts'
import { initialFeatures } from '../../domain/guild/features.ts'
import { systemChannelFlags, type Guild } from '../../domain/guild/state.ts'
import { channelId, guildId, roleId, type AccountId, type ChannelId } from '../../domain/ids/ids.ts'
import { streamName } from '../../domain/streams.ts'
import { permissionBits } from '../../domain/permissions/permission-bits.ts'
import { channelOf, roleNames } from './words.ts'
import type { Seeding, SeededGuild } from './seeding.ts'

const noLimit = Number.MAX_SAFE_INTEGER
/** The permissions of the first role; the others only have colours. */
const moderation = permissionBits.MANAGE_MESSAGES | permissionBits.KICK_MEMBERS | permissionBits.MODERATE_MEMBERS

/** Creates the guild with its roles and channels, in the first moments of the past. */
export async function seedGuild(seeding: Seeding, ownerId: AccountId): Promise<SeededGuild> {
  const { aggregates, past, guildName: name } = seeding
  const [actor, founded_ms] = [{ kind: 'account', id: ownerId } as const, past.from_ms]
  const context = past.contextAt(founded_ms, actor)
  const [id, textCategory, voiceCategory] = [context.newId(), context.newId(), context.newId()]
  const channelIds = {
    textCategory: channelId(textCategory),
    voiceCategory: channelId(voiceCategory),
    text: channelId(context.newId()),
    voice: channelId(context.newId()),
  }
  const found = {
    type: 'CreateGuild',
    guildId: guildId(id),
    name,
    ownerId,
    features: initialFeatures,
    layout: defaultLayout(guildId(id), channelIds),
  } as const
  await aggregates.guild.execute(id, { ...found, now: context.now }, context, 'initial')
  const following = followingContext(context, eventIdOf(context, streamName('guild', id), found.type, 0))
  const founding = {
    guildId: found.guildId,
    accountId: ownerId,
    temporary: false,
    admission: { by: 'founding' },
  } as const
  await joinGuild({ aggregates }, founding, following)
  await welcomeNobody(seeding, { id: found.guildId, ownerId })
  await addRoles(seeding, { id: found.guildId, ownerId })
  await addChannels(seeding, { id: found.guildId, ownerId }, channelIds.textCategory)
  const { state } = await aggregates.guild.load(id)
  if (state.status !== 'active') throw new Error('The guild was deleted while it was seeded')
  return { guild: state, ownerId }
}

type Owned = Pick<Guild, 'id' | 'ownerId'>

const actorOf = ({ id: inGuild, ownerId: accountId }: Owned) => ({
  guildId: inGuild,
  accountId,
  roles: [],
  hasAuthenticator: true,
})

/** Turns off welcome messages: one for each join would be more than all the requested messages. */
async function welcomeNobody({ aggregates, past }: Seeding, guild: Owned): Promise<void> {
  const settings = { systemChannelFlags: systemChannelFlags.SUPPRESS_JOIN_NOTIFICATIONS }
  const context = past.contextAt(past.from_ms, { kind: 'account', id: guild.ownerId })
  await aggregates.guild.execute(guild.id, { type: 'ChangeSettings', settings }, context)
}

async function addRoles({ aggregates, chance, past }: Seeding, guild: Owned): Promise<void> {
  for (const [index, name] of roleNames.entries()) {
    const context = past.contextAt(past.from_ms + index + 1, { kind: 'account', id: guild.ownerId })
    const role = {
      type: 'CreateRole',
      by: actorOf(guild),
      roleId: roleId(context.newId()),
      name,
      color: chance.below(2 ** 24),
      permissions: { wanted: index === 0 ? moderation : 0n, undeclared: 0n },
      roles_max: noLimit,
    } as const
    await aggregates.guild.execute(guild.id, role, context)
  }
}

async function addChannels({ aggregates, past, sizes }: Seeding, guild: Owned, parentId: ChannelId): Promise<void> {
  const first_ms = past.from_ms + roleNames.length + 1
  for (let index = 0; index < sizes.channels_count; index += 1) {
    const context = past.contextAt(first_ms + index, { kind: 'account', id: guild.ownerId })
    const made = {
      type: 'CreateChannel',
      by: actorOf(guild),
      viewer: { threadAccess: false },
      channelId: channelId(context.newId()),
      wishes: { ...channelOf(index), type: channelTypes.text, parentId },
      limits: { channels_max: noLimit, channelsPerCategory_max: noLimit },
      undeclaredBits: 0n,
    } as const
    await aggregates.guild.execute(guild.id, made, context)
  }
}
