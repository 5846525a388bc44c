import type { GuildActor } from '../../../permissions/authority.ts'
import { viewableChannels, type ChannelGuild, type ChannelViewer } from '../../../permissions/viewable-channels.ts'
import type { ChannelId } from '../../../ids/ids.ts'

/** The actor of a request that names channels, and the actor's client. */
export interface Naming {
  readonly by: GuildActor
  readonly viewer: ChannelViewer
}

/**
 * Whether the actor can view every channel that a request names: its target, parents, and siblings. Checked before and
 * after the change: an actor who names a hidden channel, or would no longer view one of them, gets MISSING_PERMISSIONS.
 * Otherwise putting a channel below a hidden category would reveal that category, since a category shows with any
 * visible child (rules/channels#sight). Unknown ids have their own error codes.
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
