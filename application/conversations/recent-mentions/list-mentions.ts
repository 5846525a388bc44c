import { relationshipTypes } from '../../../domain/relationship/relationship-types.ts'
import type { AccountId, GuildId, MessageId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { MentionPlace, MentionWishes } from '../../ports/recent-mentions.ts'
import type { Stay } from '../../ports/read-states.ts'
import type { Ports } from '../../ports.ts'
import type { MessageObject } from '../../wire-objects/conversations/message-objects.ts'
import type { TextChannelNeeds } from '../messages/text-places.ts'
import { staysOf } from '../read-states/acknowledge.ts'
import { readableAmong } from '../read-states/readable-among.ts'

type Needs = TextChannelNeeds & Pick<Ports, 'attachmentAddresses' | 'reactions' | 'recentMentions'>

export interface MentionsPage {
  /** Whether messages that mention a role of the caller are in it. */
  readonly roles: boolean
  /** Whether messages that mention everyone are in it. */
  readonly everyone: boolean
  /** Whether messages in guilds are in it: all are. */
  readonly guilds: boolean
  readonly before: MessageId | undefined
  /** 1-100. */
  readonly limit: number
}

/** What an account does not want to be mentioned by in a guild. */
interface Suppressed {
  readonly everyone: boolean
  readonly roles: boolean
}

/**
 * A page of the messages in guilds that mention the caller, the newest first. Messages that the caller can't read now are left
 * out after the page was cut (rules/messages#recent-mentions).
 */
export function listMentions(ports: Needs) {
  return async (caller: Caller, page: MentionsPage): Promise<readonly MessageObject[]> => {
    if (!page.guilds) return []
    const places = await placesOf(ports, caller, page)
    const readable = await readableAmong(ports, caller, places)
    return places.flatMap(({ messageId }) => readable.get(messageId) ?? [])
  }
}

/** Settings of guilds are looked up where a mention is found: then the page is cut again without what is suppressed there. */
async function placesOf(ports: Needs, caller: Caller, page: MentionsPage): Promise<readonly MentionPlace[]> {
  const stays = await staysOf(ports, caller)
  const notBy = await blockedBy(ports, caller.account.id)
  const suppressed = new Map<GuildId, Suppressed>()
  for (;;) {
    const wishes = wishesOf(caller.account.id, stays, suppressed, page)
    const places = await ports.recentMentions.page({ ...wishes, notBy }, page)
    const unknown = [...new Set(places.map(({ guildId }) => guildId))].filter((guild) => !suppressed.has(guild))
    for (const guild of unknown) suppressed.set(guild, await suppressedIn(ports, caller.account.id, guild))
    if (unknown.every((guild) => !isAnySuppressed(suppressed.get(guild)))) return places
  }
}

const isAnySuppressed = (found: Suppressed | undefined): boolean => found?.everyone === true || found?.roles === true

function wishesOf(
  account: AccountId,
  stays: readonly Stay[],
  suppressed: ReadonlyMap<GuildId, Suppressed>,
  { roles: wantsRoles, everyone: wantsEveryone }: MentionsPage,
): Omit<MentionWishes, 'notBy'> {
  const everyone = stays.flatMap(({ guildId }) => (suppressed.get(guildId)?.everyone === true ? [] : [guildId]))
  const roles = stays.flatMap((stay) => (suppressed.get(stay.guildId)?.roles === true ? [] : stay.roles))
  return {
    account,
    stays,
    everyoneIn: wantsEveryone ? everyone : [],
    roles: wantsRoles ? roles : [],
    without: [...(wantsEveryone ? [] : everyone), ...(wantsRoles ? [] : roles)],
  }
}

async function suppressedIn({ queries }: Needs, account: AccountId, guild: GuildId): Promise<Suppressed> {
  const found = await queries.userSettings.findForGuild(account, guild)
  return { everyone: found?.settings.suppressEveryone ?? false, roles: found?.settings.suppressRoles ?? false }
}

async function blockedBy({ queries }: Needs, account: AccountId): Promise<readonly AccountId[]> {
  const found = await queries.relationships.ofAccount(account)
  return found.flatMap(({ otherId, type }) => (type === relationshipTypes.blocked ? [otherId] : []))
}
