import { takesInvites } from '../../domain/guild/channel.js'
import { disabledOperationBits } from '../../domain/guild/state.js'
import type { ChannelId } from '../../domain/ids/ids.js'
import { expiresAt } from '../../domain/invite/state.js'
import { requireChannel, type ChannelAccess } from '../access/guild-access.js'
import { requireAge } from '../access/require-age.js'
import type { Caller } from '../caller.js'
import { reject, Refused } from '../commands/refused.js'
import { inviteMetadataObject, type InviteMetadataObject } from '../objects/invite-objects.js'
import type { InviteRecord } from '../ports/queries/invite-queries.js'
import type { Ports } from '../ports.js'
import { randomInviteCode } from './invite-code.js'
import { invitePartsIn } from './invite-parts.js'

/** What Create channel invite reads of its body; null and absent have taken their defaults. */
export interface InviteWishes {
  /** 0-100; 0 for no limit. */
  readonly maxUses: number
  /** Seconds, 0-604800; 0 for no end. */
  readonly maxAge: number
  readonly unique: boolean
  readonly temporary: boolean
}

/** How many codes are drawn before giving up: among 62^8 codes a second draw is rare already. */
const draws_max = 5

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'readModels' | 'room' | 'limits' | 'presence'>

/**
 * Makes an invite to a guild channel, or gives the equivalent one that stands. Refuses with UNKNOWN_CHANNEL, MISSING_ACCESS,
 * MISSING_PERMISSIONS, INVALID_CHANNEL_TYPE, NSFW_CONTENT_AGE_RESTRICTED, FEATURE_TEMPORARILY_DISABLED, MAX_INVITES.
 * Contract: part 1, Create channel invite.
 */
export function createChannelInvite(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId, wishes: InviteWishes): Promise<InviteMetadataObject> => {
    const access = await requireChannel(ports, caller, channelId)
    checkAllowed(caller, access)
    const invite =
      (await equivalent(ports, caller, access, wishes)) ?? (await makeWithinLimit(ports, caller, access, wishes))
    return inviteMetadataObject(await invitePartsIn(ports, access, invite, caller.account))
  }
}

function checkAllowed(caller: Caller, { guild, channel, can }: ChannelAccess): void {
  if (!can('VIEW_CHANNEL')) reject('MISSING_ACCESS')
  if (!takesInvites(channel)) reject('INVALID_CHANNEL_TYPE')
  if (!can('CREATE_INSTANT_INVITE')) reject('MISSING_PERMISSIONS')
  requireAge(guild, channel, caller)
  if (guild.settings.disabledOperations & disabledOperationBits.INSTANT_INVITES) reject('FEATURE_TEMPORARILY_DISABLED')
}

async function equivalent(
  { queries }: Needs,
  caller: Caller,
  { channel }: ChannelAccess,
  wishes: InviteWishes,
): Promise<InviteRecord | undefined> {
  if (wishes.unique) return undefined
  return queries.invites.equivalent(
    { ...wishes, channelId: channel.id, inviterId: caller.account.id },
    caller.context.now,
  )
}

async function makeWithinLimit(
  ports: Needs,
  caller: Caller,
  access: ChannelAccess,
  wishes: InviteWishes,
): Promise<InviteRecord> {
  const { queries, readModels, room, limits } = ports
  const { max_guild_invites: invites_max } = await limits.ofGuild(access.guild)
  const made = await room.within(
    `invites of guild ${access.guild.id}`,
    invites_max,
    () => queries.invites.countOf(access.guild.id, caller.context.now),
    async () => {
      const invite = await make(ports, caller, access, wishes)
      await readModels.reached(caller.context.written)
      return invite
    },
  )
  return made ?? reject('MAX_INVITES')
}

/** Draws codes until one was never given: the invite's stream must not exist yet. */
async function make(
  { aggregates }: Needs,
  caller: Caller,
  { guild, channel }: ChannelAccess,
  wishes: InviteWishes,
): Promise<InviteRecord> {
  const terms = {
    guildId: guild.id,
    channelId: channel.id,
    inviterId: caller.account.id,
    maxUses: wishes.maxUses,
    maxAge: wishes.maxAge,
    temporary: wishes.temporary,
    createdAt: caller.context.now,
  }
  for (let draw = 0; draw < draws_max; draw += 1) {
    const code = randomInviteCode(caller.context)
    try {
      await aggregates.invite.executeNew(code, { type: 'CreateInvite', terms: { ...terms, code } }, caller.context)
      return { ...terms, code, uses: 0, expiresAt: expiresAt(terms) }
    } catch (error) {
      if (!(error instanceof Refused) || error.refusal.code !== 'CONFLICT') throw error
    }
  }
  return reject('CONFLICT')
}
