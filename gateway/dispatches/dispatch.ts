import type { Guild } from '../../domain/guild/state.js'
import type { AccountId, GuildId } from '../../domain/ids/ids.js'
import type { PermissionMember } from '../../domain/permissions/compute-permissions.js'
import type { Stay } from '../../domain/user-settings/guild-folders.js'
import type { Viewer } from '../../application/objects/guild-objects.js'
import type { AccountRecord } from '../../application/ports/queries/account-queries.js'
import type { PasskeyRecord } from '../../application/ports/queries/passkey-queries.js'
import type { UserGuildSettingsRecord } from '../../application/ports/queries/user-settings-queries.js'
import type { Session } from '../sessions/session.js'
import type { Change } from '../visibility/world.js'
import type { DispatchName } from './dispatch-names.js'

/** One thing that is told, to everybody whom it concerns, in as few bodies as there must be. */
export interface Dispatch {
  readonly t: DispatchName
  /** The guild that it is of; null for what concerns the account alone. */
  readonly guildId: GuildId | null
  readonly audience: Audience
  /** Whether a session without thread access hears nothing of it (reference gateway 1.7.1). */
  readonly threadAccessOnly?: boolean
  readonly body: Body
}

/** Who is to hear of it: the sessions of the guild that pass its gates, or these sessions. */
export type Audience =
  | {
      readonly kind: 'guild'
      readonly except?: AccountId
      /** Judged once for all members with the same rights. */
      readonly needs?: (guild: Guild, member: PermissionMember) => boolean
    }
  | { readonly kind: 'sessions'; readonly sessions: readonly Session[] }

/** `d`: one for all, or one for those with thread access and one for those without. */
export type Body =
  | { readonly per: 'event'; readonly value: object }
  | { readonly per: 'viewer'; readonly valueFor: (viewer: Viewer) => object }

/** Where an event is told: what it changed, and what was looked up to tell of it. */
export interface Scene extends Change {
  /** One of the accounts that the telling asked for; one that is gone looks like a deleted one. */
  readonly account: (id: AccountId) => AccountRecord
  /** Those of the account whose passkeys the telling asked for. */
  readonly passkeys: readonly PasskeyRecord[]
  /** What the account wants to hear of the guild that the telling asked for; undefined where nothing is chosen. */
  readonly guildSettings: UserGuildSettingsRecord | undefined
  /** The session's memberships now, joined last first. */
  readonly staysOf: (session: Session) => readonly Stay[]
  readonly onlineCount: (guild: GuildId) => number
  /** The sessions of an account that do not have the event in their READY. */
  readonly sessionsOf: (account: AccountId) => readonly Session[]
}

/** How an event is told: whose records that takes, and what is dispatched once it is taken in. */
export interface Telling {
  readonly accounts: readonly AccountId[]
  /** The account whose passkeys that takes; most take nobody's. */
  readonly passkeysOf?: AccountId
  /** The account whose settings its sessions have to know anew. */
  readonly settingsOf?: AccountId
  readonly guildSettingsOf?: { readonly accountId: AccountId; readonly forGuild: GuildId | null }
  readonly dispatches: (scene: Scene) => readonly Dispatch[]
}

/** Nobody hears of it. */
export const untold: Telling = { accounts: [], dispatches: () => [] }

export function same(value: object): Body {
  return { per: 'event', value }
}

export function perViewer(valueFor: (viewer: Viewer) => object): Body {
  return { per: 'viewer', valueFor }
}

/** Groups sessions, or what belongs to sessions, by their accounts. */
export function byAccount<Item>(
  items: readonly Item[],
  sessionIn: (item: Item) => Session,
): readonly (readonly [Item, ...Item[]])[] {
  const groups = new Map<AccountId, [Item, ...Item[]]>()
  for (const item of items) {
    const { accountId } = sessionIn(item)
    const group = groups.get(accountId)
    if (group) group.push(item)
    else groups.set(accountId, [item])
  }
  return [...groups.values()]
}
