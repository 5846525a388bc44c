/** What the model of the guild directory is about: guilds, applications, and answers. */

export const places = ['plain', 'verified'] as const
export type Place = (typeof places)[number]
export const guildNames = ['plain', 'verified', 'nowhere'] as const
export type GuildName = (typeof guildNames)[number]
export interface ListingBody {
  readonly description?: string
  readonly category_type?: number
  readonly primary_language?: string
  readonly custom_tags?: readonly string[]
}

/** An application, as answers show it without its times. */
export interface Application extends Required<ListingBody> {
  readonly status: 'pending' | 'approved' | 'rejected' | 'removed'
  readonly review_reason: string | null
  readonly removal_reason: string | null
}

/** The applications by their guilds. */
export type Applications = Readonly<Partial<Record<GuildName, Application>>>

/** Everything that answers depend on. */
export interface Directory {
  readonly applications: Applications
  /** Of these two features, those that a guild has. */
  readonly features: Readonly<Record<Place, readonly ('VERIFIED' | 'INVITES_DISABLED')[]>>
  /** The guilds that the visitor is in. */
  readonly visited: readonly Place[]
}

export interface Answer {
  readonly status: number
  readonly code?: string
  readonly application?: Application | null
  readonly moved?: { readonly updated: number; readonly failed: readonly GuildName[] }
  /** The guilds that a list or a search has, in the order of their names here. */
  readonly found?: readonly Place[]
  /** How many categories there are. */
  readonly categories?: number
}

export interface Outcome {
  readonly answer: Answer
  readonly after: Directory
}
