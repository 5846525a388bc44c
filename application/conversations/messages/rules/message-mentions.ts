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
  const accounts = [...spoken.accounts, ...(repliedTo === undefined ? [] : [repliedTo])]
  const present = await presentAmong({ queries }, place, accounts)
  const scope = { ...scopeOf(place), takesPart: (account: AccountId) => present.has(account) }
  return mentionsIn(spoken, allowedMentions ?? everyMention, scope, repliedTo)
}

/** Those of the accounts that are in the place: members of the guild, or recipients. */
async function presentAmong(
  { queries }: Needs,
  place: TextPlace,
  accounts: readonly AccountId[],
): Promise<ReadonlySet<AccountId>> {
  if (accounts.length === 0) return new Set()
  if (place.kind === 'private') return new Set(place.sharers)
  const members = await queries.members.among(place.guildId, [...new Set(accounts)])
  return new Set(members.map(({ accountId }) => accountId))
}

function scopeOf(place: TextPlace): Omit<MentionScope, 'takesPart'> {
  if (place.kind === 'private') return { roles: [], mayNameAll: false, hasEveryone: false }
  const { guild } = place.access
  return {
    // Only `@everyone` mentions the everyone role.
    roles: guild.roles.filter(({ id }) => String(id) !== String(guild.id)),
    mayNameAll: place.can('MENTION_EVERYONE'),
    hasEveryone: (guild.settings.disabledOperations & disabledOperationBits.EVERYONE_MENTIONS) === 0,
  }
}
