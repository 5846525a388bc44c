import type { AdminKeyChanges } from '../../../domain/admin-key/events.ts'
import type { EntryDetails } from '../../../domain/blocklist-entry/events.ts'
import type { DirectoryListing } from '../../../domain/discovery-application/listing.ts'
import type { Blocklist, ProfileScope } from '../../../domain/blocklist-entry/lists.ts'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import type { GuildSettings } from '../../../domain/guild/state.ts'
import type {
  AccountId,
  AdminKeyId,
  GuildId,
  InviteCode,
  RegistrationUrlId,
  ReportId,
} from '../../../domain/ids/ids.ts'
import type { BrandingAsset, PolicyChanges } from '../../../domain/instance/policy.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { LimitConfig } from '../../../domain/limits/limit-config.ts'
import type { Ports } from '../../ports.ts'
import type { RecordedEvent, StreamAsOf } from '../../ports/event-store.ts'
import type { Act } from './find-act.ts'

/** One request that takes back a part of an act. */
export type UndoStep =
  | { readonly on: 'account'; readonly accountId: AccountId; readonly undoing: AccountUndoing }
  | { readonly on: 'policy'; readonly changes: PolicyChanges }
  | { readonly on: 'branding'; readonly kind: BrandingAsset }
  | { readonly on: 'limits'; readonly config: LimitConfig }
  | { readonly on: 'registration_url'; readonly id: RegistrationUrlId }
  | { readonly on: 'admin_key'; readonly id: AdminKeyId; readonly does: 'delete' }
  | { readonly on: 'admin_key'; readonly id: AdminKeyId; readonly does: 'change'; readonly changes: AdminKeyChanges }
  | { readonly on: 'report'; readonly id: ReportId; readonly does: 'claim' | 'release' }
  | ({ readonly on: 'listing'; readonly guildId: GuildId } & ListingStep)
  | ({ readonly on: 'guild'; readonly guildId: GuildId } & GuildStep)
  | {
      readonly on: 'member'
      readonly guildId: GuildId
      readonly accountId: AccountId
      readonly does: 'add' | 'kick' | 'unban'
    }
  | { readonly on: 'categories'; readonly guilds: readonly GuildId[]; readonly categoryType: number }
  /** It is released. */
  | { readonly on: 'application_claim'; readonly guildId: GuildId }
  | ({ readonly on: 'blocklist'; readonly list: Blocklist; readonly scope: ProfileScope | null } & BlocklistStep)

/** What takes back an administrator's act on an account. */
export type AccountUndoing =
  | { readonly outcome: 'lift_ban'; readonly replacedUntil: Timestamp | null }
  | { readonly outcome: 'cancel_deletion'; readonly dueAt: Timestamp; readonly replacedDueAt: Timestamp | null }
  /** Unsigned decimal words; `isPremium` for the premium flags. */
  | { readonly outcome: 'change_flags'; readonly isPremium: boolean; readonly add: string; readonly remove: string }
  | { readonly outcome: 'set_traits'; readonly traits: readonly string[] }
  | { readonly outcome: 'set_acls'; readonly acls: readonly string[] }
  | { readonly outcome: 'set_bot_status'; readonly bot: boolean }
  | { readonly outcome: 'set_system_status'; readonly system: boolean }
  | { readonly outcome: 'change_date_of_birth'; readonly dateOfBirth: string }

type GuildStep =
  | { readonly does: 'change'; readonly name?: string; readonly settings: Partial<GuildSettings> }
  | { readonly does: 'features'; readonly add: readonly GuildFeature[]; readonly remove: readonly GuildFeature[] }
  | { readonly does: 'owner'; readonly ownerId: AccountId }
  | { readonly does: 'code'; readonly code: InviteCode | null }

type ListingStep =
  | { readonly does: 'edit'; readonly changes: Partial<DirectoryListing> }
  | { readonly does: 'remove'; readonly reason: string }
  | { readonly does: 'restore' }

/** What becomes of values of a blocklist: as texts that the list takes, at least one. */
type BlocklistStep =
  | { readonly does: 'add'; readonly values: readonly string[]; readonly details: EntryDetails }
  | { readonly does: 'remove'; readonly values: readonly string[] }
  | { readonly does: 'change'; readonly value: string; readonly changes: Partial<EntryDetails> }

/** What takes an act back: requests in their order, at least one, and the history that they follow from. */
export interface Undoing {
  readonly outcome: 'undo'
  readonly steps: readonly UndoStep[]
  readonly asOf: readonly StreamAsOf[]
}

/** Why an act cannot be taken back. `why` is a sentence. */
export type CannotUndo =
  /** It changed nothing, or only read. */
  | { readonly outcome: 'nothing_to_undo'; readonly why: string }
  /** Nothing does the opposite of it. */
  | { readonly outcome: 'no_opposite'; readonly why: string }
  /** Its account is erased, or being erased. */
  | { readonly outcome: 'erased'; readonly why: string }
  /** A job still does it. */
  | { readonly outcome: 'unfinished'; readonly why: string }
  /** What it changed was changed again. */
  | { readonly outcome: 'changed_since'; readonly by: RecordedEvent }

export type UndoNeeds = Pick<
  Ports,
  'backgroundJobs' | 'blocklistBox' | 'discoveryClaims' | 'events' | 'instancePolicies' | 'queries'
>

/** Whether and how acts of one kind are taken back. `says` is for the documents: a sentence. */
export type UndoRule =
  | { readonly says: string; readonly find: FindUndoing }
  /** Why nothing takes them back: a sentence. */
  | { readonly never: string }

/** Who asks for an act to be taken back, and when. */
export interface UndoAsker {
  readonly by: AccountId
  readonly now: Timestamp
}

/** Finds what takes an act back. */
export type FindUndoing = (needs: UndoNeeds, act: Act, asker: UndoAsker) => Promise<Undoing | CannotUndo>

export const changedNothing: CannotUndo = { outcome: 'nothing_to_undo', why: 'It changed nothing.' }

export function isImpossible(found: Undoing | CannotUndo): found is CannotUndo {
  return found.outcome !== 'undo'
}
