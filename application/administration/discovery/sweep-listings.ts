import { blocks } from '../../../domain/blocklist-entry/lists.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { knownEntries_max } from '../../content-rules/content-filter.ts'
import { contentLists, contentRules, type ContentRules } from '../../content-rules/content-rules.ts'
import type { DiscoveryWithGuild } from '../../ports/queries/discovery-queries.ts'
import type { Ports } from '../../ports.ts'
import { approvedListings } from './approved-listings.ts'

export const unfitFor = ['blocklist', 'members', 'nsfw', 'gone'] as const

/** A listing that would not be let in today, and why. `gone`: its guild is deleted, or cannot be read. */
export interface UnfitListing {
  readonly guildId: GuildId
  readonly name: string | null
  readonly reasons: readonly (typeof unfitFor)[number][]
}

interface Needs extends Pick<Ports, 'instancePolicies'> {
  readonly queries: Pick<Ports['queries'], 'blocklists' | 'discoveryReviews'>
}

/** Every listing that today's blocklists, minimum of members or nsfw mark would not let in, by ids. Changes nothing. */
export async function* unfitListings({ instancePolicies, queries }: Needs): AsyncGenerator<UnfitListing> {
  const rules = contentRules(await queries.blocklists.newestOf(contentLists, knownEntries_max))
  const { minMemberCount } = (await instancePolicies.current()).discovery
  const unfitOf = (page: readonly DiscoveryWithGuild[]): readonly UnfitListing[] =>
    page.flatMap((each) => {
      const reasons = reasonsAgainst(each, rules, minMemberCount)
      if (reasons.length === 0) return []
      return [{ guildId: each.application.guildId, name: each.guild?.name ?? null, reasons }]
    })
  for await (const unfit of approvedListings({ queries }, async (page) => unfitOf(page))) yield* unfit
}

function reasonsAgainst(
  { application: { listing }, guild }: DiscoveryWithGuild,
  rules: ContentRules,
  members_min: number,
): UnfitListing['reasons'] {
  const texts = [listing.description, ...listing.customTags, ...(guild ? [guild.name] : [])]
  const isBlocked = texts.some((text) => rules({ text, scope: null }).some(({ severity }) => blocks(severity)))
  const ofTexts = isBlocked ? (['blocklist'] as const) : []
  if (!guild) return [...ofTexts, 'gone']
  const { memberCount, nsfw } = guild
  return [
    ...ofTexts,
    ...(memberCount < members_min ? (['members'] as const) : []),
    ...(nsfw ? (['nsfw'] as const) : []),
  ]
}
