import { z } from 'zod'
import { guildIdInput } from '../../schemas/scalars.ts'

/** The path of an operation on a guild, for administrators. */
export const guildParams = z.object({ guild_id: guildIdInput })

/** Part of an audit rule: the target is the guild of the path. */
export const ofGuild = {
  target: 'guild',
  targetId: ({ params }: { readonly params: Pick<z.output<typeof guildParams>, 'guild_id'> }): string =>
    params.guild_id,
}
