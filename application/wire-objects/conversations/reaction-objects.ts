import { z } from 'zod'
import type { ReactionEmoji, ReactionGroup } from '../../../domain/messages/reactions.ts'
import { snowflakeOutput } from '../scalars.ts'

/** The emoji of a reaction. */
export const reactionEmojiSchema = z.object({
  id: snowflakeOutput.optional().describe('Of a custom emoji.'),
  name: z.string().describe('The emoji itself, or the name of a custom one.'),
  animated: z.boolean().optional().describe('True for a custom emoji that moves.'),
})

/** The reactions to a message with one emoji. */
export const reactionsSchema = z
  .array(
    z.object({
      emoji: reactionEmojiSchema,
      count: z.int().describe('How many accounts reacted with it.'),
      me: z.literal(true).optional().describe('Whether the reader is one of them.'),
    }),
  )
  .readonly()

export function reactionEmojiObject({ id, name, animated }: ReactionEmoji) {
  return { ...(id === null ? {} : { id }), name, ...(animated ? { animated } : {}) }
}

/** `isOwn`: whether the reader reacted with the emoji. */
export function reactionsObject(groups: readonly ReactionGroup[], isOwn: (emoji: ReactionEmoji) => boolean) {
  return groups.map((group) => ({
    emoji: reactionEmojiObject(group),
    count: group.count,
    ...(isOwn(group) ? { me: true as const } : {}),
  }))
}
