import { disabledOperationBits } from '../../../../domain/guild/state.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import {
  everyMention,
  mentionsIn,
  spokenMentions,
  type AllowedMentions,
  type Mentions,
  type MentionScope,
} from '../../../../domain/messages/mentions.ts'
import { privateChannelTypes } from '../../../access/private-channel-access.ts'
import type { TextPlace } from '../text-places.ts'
import type { Ports } from '../../../ports.ts'

type Needs = Pick<Ports, 'queries'>

/** Everything that determines a message's mentions: its text, its allowed mentions, and the message it replies to. */
export interface Naming {
  readonly content: string
  readonly allowedMentions: AllowedMentions | null
  /** The author of the message replied to. */
  readonly repliedTo?: AccountId | undefined
}

/** What is stored of the mentions in a message (rules/messages#mentions). */
export async function namedBy(
  { queries }: Needs,
  place: TextPlace,
  { content, allowedMentions, repliedTo }: Naming,
): Promise<Mentions> {
  const spoken = spokenMentions(content)
  const answered = answersOneOfMany(place) ? repliedTo : undefined
  const accounts = [...spoken.accounts, ...(answered === undefined ? [] : [answered])]
  const nameable = await nameableAmong({ queries }, place, accounts)
  const scope = { ...scopeOf(place), isNameable: (account: AccountId) => nameable.has(account) }
  return mentionsIn(spoken, allowedMentions ?? everyMention, scope, answered)
}

/** Whether a reply mentions whom it answers: where there are only two, or one, it is told to them anyway. */
function answersOneOfMany({ channelType }: TextPlace): boolean {
  return channelType !== privateChannelTypes.direct && channelType !== privateChannelTypes.notes
}

/** Those of the accounts that can be mentioned: in a guild all that exist, also who has left; else the recipients. */
async function nameableAmong(
  { queries }: Needs,
  place: TextPlace,
  accounts: readonly AccountId[],
): Promise<ReadonlySet<AccountId>> {
  if (accounts.length === 0) return new Set()
  if (place.kind === 'private') return new Set(place.sharers)
  const found = await queries.accounts.findMany([...new Set(accounts)])
  return new Set(found.flatMap(({ id, isErased }) => (isErased ? [] : [id])))
}

function scopeOf(place: TextPlace): Omit<MentionScope, 'isNameable'> {
  if (place.kind === 'private') return { roles: [], mayNameAll: false, hasEveryone: false }
  const { guild } = place.access
  return {
    // Only `@everyone` mentions the everyone role.
    roles: guild.roles.filter(({ id }) => String(id) !== String(guild.id)),
    mayNameAll: place.can('MENTION_EVERYONE'),
    hasEveryone: (guild.settings.disabledOperations & disabledOperationBits.EVERYONE_MENTIONS) === 0,
  }
}
