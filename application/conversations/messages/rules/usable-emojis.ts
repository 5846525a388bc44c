import { customEmojisIn, withoutEmojis } from '../../../../domain/messages/custom-emojis.ts'
import type { Caller } from '../../../caller.ts'
import type { Ports } from '../../../ports.ts'
import type { TextPlace } from '../text-places.ts'

type Needs = Pick<Ports, 'limits' | 'queries'>

/**
 * The text as its author may write it in a place: emojis of other guilds need the perk of expressions everywhere, and in a guild also
 * USE_EXTERNAL_EMOJIS. What the author may not use stays as its name. Emojis that nobody has stay as they are. See
 * rules/expressions#use.
 */
export async function usableText(
  { limits, queries }: Needs,
  { account }: Pick<Caller, 'account'>,
  place: TextPlace,
  content: string,
): Promise<string> {
  const ids = customEmojisIn(content)
  if (ids.length === 0) return content
  const found = await queries.expressions.emojis(ids)
  const foreign = found.filter(({ guildId }) => guildId !== place.guildId)
  if (foreign.length === 0) return content
  const hasPerk = (await limits.ofAccount(account)).feature_global_expressions > 0
  if (hasPerk && place.can('USE_EXTERNAL_EMOJIS')) return content
  return withoutEmojis(content, new Set(foreign.map(({ id }) => id)))
}
