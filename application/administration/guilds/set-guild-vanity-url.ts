import type { GuildId, InviteCode } from '../../../domain/ids/ids.ts'
import type { Acting } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { refuseServiceName, setVanityCode, type VanityNeeds } from '../../communities/guilds/vanity-url.ts'
import type { Ports } from '../../ports.ts'
import type { AdminGuildObject } from '../../wire-objects/administration/admin-guild-object.ts'
import { asInstance } from './as-instance.ts'
import { changedGuild, type ChangedGuildNeeds } from './changed-guild.ts'

export interface NewlyReached {
  readonly guild: AdminGuildObject
  readonly oldCode: InviteCode | null
}

/**
 * Sets the custom invite URL of a guild, or takes it away, as the instance: a guild without VANITY_URL gets one too. Does nothing for
 * the code that it has. Refuses with VANITY_URL_CODE_CANNOT_CONTAIN_SERVICE_NAME, UNKNOWN_GUILD, VANITY_URL_CODE_ALREADY_TAKEN, and
 * CONFLICT as `setVanityCode` does.
 */
export function setGuildVanityUrl(ports: ChangedGuildNeeds & VanityNeeds & Pick<Ports, 'instance'>) {
  return async ({ context }: Acting, guildId: GuildId, code: InviteCode | null): Promise<NewlyReached> => {
    if (code) refuseServiceName(ports, code)
    const { state } = await ports.aggregates.guild.load(guildId)
    if (state.status !== 'active') return reject('UNKNOWN_GUILD')
    const { vanityCode: oldCode } = state.settings
    if (code !== oldCode) await setVanityCode(ports, guildId, { by: 'instance', code }, asInstance(context))
    return { guild: await changedGuild(ports, guildId, context), oldCode }
  }
}
