import type { ChannelWishes } from '../../../domain/guild/channel-commands.ts'
import type { ForumTag } from '../../../domain/guild/channel.ts'
import type { CommandContext } from '../../commands/command-context.ts'

/** The requested channel attributes; new tags have no id yet. */
export type WishesOfClient<Wishes extends ChannelWishes = ChannelWishes> = Omit<Wishes, 'availableTags'> & {
  readonly availableTags?: readonly (Omit<ForumTag, 'id'> & { readonly id: string | null })[] | undefined
}

/** Gives each new tag an id. */
export function withTagIds<Wishes extends ChannelWishes>(
  { availableTags, ...wishes }: WishesOfClient<Wishes>,
  context: CommandContext,
) {
  return { ...wishes, availableTags: availableTags?.map((tag) => ({ ...tag, id: tag.id ?? context.newId() })) }
}
