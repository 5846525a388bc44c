import type { GuildChanges } from '../../../domain/guild/modify.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { removePrevious } from '../../communities/guilds/modify-guild.ts'
import type { Ports } from '../../ports.ts'
import type { AdminGuildObject } from '../../wire-objects/administration/admin-guild-object.ts'
import { requireAcl } from '../acls/acl-bound.ts'
import { asInstance } from './as-instance.ts'
import { changedGuild, type ChangedGuildNeeds } from './changed-guild.ts'

/** What an administrator writes of a guild; absent members keep their value. */
export interface AdminGuildChanges {
  readonly name: string | undefined
  /** Images can only be taken away. */
  readonly settings: Omit<GuildChanges, 'name' | 'features'>
}

export interface UpdatedGuild {
  readonly guild: AdminGuildObject
  readonly oldName: string
}

type Needs = ChangedGuildNeeds & Pick<Ports, 'aggregates' | 'deferred' | 'images'>

/**
 * Changes the name and the settings of a guild, as the instance. Refuses, in this order, with MISSING_ACL unless the caller holds
 * `guild:update:name` for a name and `guild:update:settings` for all else, UNKNOWN_GUILD, and INVALID_FORM_BODY as Modify guild
 * does for a field. Members hear of it as of a change of their own (rules/administration#changes-of-guilds).
 */
export function updateGuild(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, { name, settings }: AdminGuildChanges): Promise<UpdatedGuild> => {
    const changesSettings = name === undefined || Object.keys(settings).length > 0
    if (name !== undefined) requireAcl(caller, 'guild:update:name')
    if (changesSettings) requireAcl(caller, 'guild:update:settings')
    const { guild } = ports.aggregates
    const { state: before } = await guild.load(guildId)
    if (before.status !== 'active') return reject('UNKNOWN_GUILD')
    const changes = { ...settings, ...(name !== undefined && { name }) }
    const { context } = caller
    const command = { type: 'ModifyGuild', by: 'instance', changes, bannerMoves: false, now: context.now } as const
    const { state: after } = await guild.execute(guildId, command, asInstance(context))
    if (after.status === 'active') removePrevious(ports, before, after)
    return { guild: await changedGuild(ports, guildId, context), oldName: before.name }
  }
}
