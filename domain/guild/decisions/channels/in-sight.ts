import type { GuildActor } from '../../../permissions/authority.js'
import { viewableChannels, type ChannelGuild, type ChannelViewer } from '../../../permissions/viewable-channels.js'
import type { ChannelId } from '../../../ids/ids.js'

/** Who names channels in a request, and with what client. */
export interface Naming {
  readonly by: GuildActor
  readonly viewer: ChannelViewer
}

/**
 * Whether the actor sees every channel of the guild that a request names: the one that it writes, parents, and siblings. Asked
 * before and after: whoever names a channel that they do not see is refused with MISSING_PERMISSIONS, and so is who would stop
 * seeing it. Else a channel put below a hidden category would show that category to whoever put it there, since a category
 * shows with any child that does (reference gateway 4.8). Ids that are no channel's have faults of their own.
 */
export function seesNamed(
  guild: ChannelGuild,
  { by, viewer }: Naming,
  named: Iterable<ChannelId | null | undefined>,
): boolean {
  const ids = new Set(named)
  const seen = new Set(viewableChannels(guild, by, viewer).map(({ id }) => id))
  return guild.channels.every(({ id }) => !ids.has(id) || seen.has(id))
}
