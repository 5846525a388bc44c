import type { CallerName } from './cast.ts'
import type { BadValue, Changes } from '../plays/modify.ts'
import type { Proof } from './rules.ts'
import type { Template } from './templates.ts'
import type { InviteWishes } from './world.ts'

/** A command, drawn before it is known what exists: its numbers refer to guilds, channels and codes. */
export type Intent =
  | {
      readonly op: 'create'
      readonly by: CallerName
      readonly name: string
      readonly isEmpty: boolean
      readonly template: Template | null
    }
  | { readonly op: 'list'; readonly by: CallerName; readonly page: PageIntent }
  | { readonly op: 'get'; readonly by: CallerName; readonly guild: number; readonly threads: boolean }
  | {
      readonly op: 'modify'
      readonly by: CallerName
      readonly guild: number
      readonly change: ChangeIntent
      readonly proof: Proof
    }
  | { readonly op: 'delete'; readonly by: CallerName; readonly guild: number; readonly proof: Proof }
  | {
      readonly op: 'leave'
      readonly by: CallerName
      readonly guild: number
      readonly deletesMessages: boolean
      readonly proof: Proof
    }
  | { readonly op: 'bulk delete mine'; readonly by: CallerName; readonly guild: number; readonly proof: Proof }
  | { readonly op: 'get custom URL'; readonly by: CallerName; readonly guild: number }
  | {
      readonly op: 'modify custom URL'
      readonly by: CallerName
      readonly guild: number
      readonly code: string | null | undefined
    }
  | {
      readonly op: 'get invite' | 'accept invite' | 'delete invite'
      readonly by: CallerName
      readonly code: number
      readonly dressing: Dressing
    }
  | {
      readonly op: 'create invite'
      readonly by: CallerName
      readonly channel: ChannelIntent
      readonly wishes: InviteWishes
    }
  | { readonly op: 'list channel invites'; readonly by: CallerName; readonly channel: ChannelIntent }
  | { readonly op: 'list guild invites'; readonly by: CallerName; readonly guild: number }
  | SetupIntent

export type SetupIntent =
  | { readonly op: 'give role'; readonly by: CallerName; readonly guild: number; readonly mask: bigint }
  | { readonly op: 'take roles' | 'ban' | 'unban' | 'add bot'; readonly by: CallerName; readonly guild: number }
  | { readonly op: 'set everyone'; readonly guild: number; readonly mask: bigint }
  | { readonly op: 'deny everyone'; readonly channel: GuildPlace; readonly mask: bigint }
  | { readonly op: 'delete channel'; readonly channel: GuildPlace }
  | { readonly op: 'set features'; readonly guild: number; readonly features: readonly string[] }
  | { readonly op: 'set operations'; readonly guild: number; readonly mask: number }
  | { readonly op: 'set MFA level'; readonly guild: number; readonly level: 0 | 1 }
  | { readonly op: 'say'; readonly by: CallerName; readonly channel: GuildPlace }
  | { readonly op: 'plant invite'; readonly by: CallerName; readonly channel: GuildPlace; readonly age: 'old' | 'over' }
  | {
      readonly op: 'open private'
      readonly kind: 'group' | 'direct'
      readonly by: CallerName
      readonly with: CallerName
    }
  | { readonly op: 'leave private'; readonly by: CallerName; readonly at: number }

export interface PageIntent {
  readonly before: number | undefined
  readonly after: number | undefined
  readonly limit: number | undefined
  readonly withCounts: boolean
  readonly threads: boolean
}

/** A channel of a guild, or a private one; the number wraps around. */
export type ChannelIntent = GuildPlace | { readonly private: number }

export interface GuildPlace {
  readonly guild: number
  /** The number of a channel in the guild, wrapping around; 9 is none of them. */
  readonly at: number
}

/** The spelling of a code. */
export type Dressing = 'plain' | 'loud' | 'dressed' | 'blank'

export interface ChangeIntent {
  readonly plain: Changes
  readonly system: GuildPlace | null | undefined
  readonly afk: GuildPlace | null | undefined
  readonly cutoff: 'none' | 'now' | 'ancient' | 'future' | undefined
  readonly bad: BadValue | undefined
}
