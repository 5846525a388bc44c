import type { Guild } from '../../domain/guild/state.js'
import type { AccountId, GuildId } from '../../domain/ids/ids.js'
import type { PermissionMember } from '../../domain/permissions/compute-permissions.js'
import type { Viewer } from '../../application/wire-objects/communities/guild-objects.js'
import type { Session } from '../sessions/session.js'
import type { Link } from '../visibility/room.js'
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
      /** The member that it is about, who hears of it even while passive (reference gateway 2.2). */
      readonly about?: AccountId
      /** Judged once for all members with the same rights. */
      readonly needs?: (guild: Guild, member: PermissionMember) => boolean
      /** Judged for each session by itself, besides `needs`. */
      readonly admits?: (link: Link) => boolean
      readonly mentions?: (member: PermissionMember) => Mention
    }
  | {
      readonly kind: 'sessions'
      readonly sessions: readonly Session[]
      readonly mentions?: (member: PermissionMember) => Mention
    }

/**
 * Whether a message calls somebody. Who is called hears of it even while passive; who is called directly, even where its
 * session ignores such events (reference gateway 2.2).
 */
export type Mention = 'directly' | 'by role' | 'not'

/** `d`: one for all; or one for those with thread access and one for those without; or one for all but some accounts, and theirs. */
export type Body =
  | { readonly per: 'event'; readonly value: object }
  | { readonly per: 'viewer'; readonly valueFor: (viewer: Viewer) => object }
  | { readonly per: 'account'; readonly value: object; readonly valueFor: (account: AccountId) => object | undefined }

export function same(value: object): Body {
  return { per: 'event', value }
}

export function perViewer(valueFor: (viewer: Viewer) => object): Body {
  return { per: 'viewer', valueFor }
}

/** `valueFor` gives an account its own, or undefined where it gets what all get. */
export function perAccount(value: object, valueFor: (account: AccountId) => object | undefined): Body {
  return { per: 'account', value, valueFor }
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
