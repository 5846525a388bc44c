import type { Guild } from '../../domain/guild/state.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { PermissionMember } from '../../domain/permissions/compute-permissions.ts'
import type { Viewer } from '../../application/wire-objects/communities/guild-objects.ts'
import type { Session } from '../sessions/session.ts'
import type { Link } from '../visibility/room.ts'
import type { DispatchName } from '../protocol/dispatch-names.ts'

/** One dispatch to everybody it concerns, in as few different bodies as possible. */
export interface Dispatch<Name extends DispatchName = DispatchName> {
  readonly t: Name
  /** The guild of the dispatch; null if it concerns only an account. */
  readonly guildId: GuildId | null
  readonly audience: Audience
  /** Whether only sessions with thread access get it. */
  readonly threadAccessOnly?: boolean
  readonly body: Body
}

/** The receivers: the sessions of the guild that pass its gates, or these sessions. */
export type Audience =
  | {
      readonly kind: 'guild'
      readonly except?: AccountId
      /** The member that the dispatch is about, who is told of it even while passive. */
      readonly about?: AccountId
      /** Judged once for all members with the same rights. */
      readonly needs?: (guild: Guild, member: PermissionMember) => boolean
      /** Judged for each session separately, in addition to `needs`. */
      readonly admits?: (link: Link) => boolean
      readonly mentions?: (member: PermissionMember) => Mention
    }
  | {
      readonly kind: 'sessions'
      readonly sessions: readonly Session[]
      readonly mentions?: (member: PermissionMember) => Mention
    }

/**
 * Whether a message mentions somebody. A mentioned member is notified even while passive; a directly mentioned one even
 * if its session ignores such events.
 */
export type Mention = 'directly' | 'by role' | 'not'

/**
 * `d`: one for all; or one for viewers with thread access and one for those without; or one for all except some accounts, which
 * have their own. Some accounts may have their own per viewer too.
 */
export type Body =
  | { readonly per: 'event'; readonly value: object }
  | {
      readonly per: 'viewer'
      readonly valueFor: (viewer: Viewer) => object
      readonly ownFor: (viewer: Viewer, account: AccountId) => object | undefined
    }
  | { readonly per: 'account'; readonly value: object; readonly valueFor: (account: AccountId) => object | undefined }

export function same(value: object): Body {
  return { per: 'event', value }
}

/** `ownFor` gives an account its own value, or undefined if it gets the common one. */
export function perViewer(
  valueFor: (viewer: Viewer) => object,
  ownFor: (viewer: Viewer, account: AccountId) => object | undefined = () => undefined,
): Body {
  return { per: 'viewer', valueFor, ownFor }
}

/** `valueFor` gives an account its own value, or undefined if it gets the common one. */
export function perAccount(value: object, valueFor: (account: AccountId) => object | undefined): Body {
  return { per: 'account', value, valueFor }
}

/** Groups sessions, or what belongs to sessions, by account. */
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
