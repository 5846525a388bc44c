import { z } from 'zod'
import { accountIdInput, guildIdInput } from '../../schemas/scalars.ts'

/** The path of an operation on a guild, for administrators. */
export const guildParams = z.object({ guild_id: guildIdInput })

/** Part of an audit rule: the target is the guild of the path. */
export const ofGuild = {
  target: 'guild',
  targetId: ({ params }: { readonly params: Pick<z.output<typeof guildParams>, 'guild_id'> }): string =>
    params.guild_id,
}

/** The path of an operation on an account in a guild. */
export const guildMemberParams = z.object({ guild_id: guildIdInput, user_id: accountIdInput })

/** Part of an audit rule: the target is the account of the path, and the guild is named besides. So the reason is the account's. */
export const ofGuildMember = {
  target: 'user',
  targetId: ({ params }: { readonly params: z.output<typeof guildMemberParams> }): string => params.user_id,
}

/** The metadata that name the guild. */
export const inGuild = ({ params }: { readonly params: z.output<typeof guildMemberParams> }) => ({
  guild_id: params.guild_id,
})
