import { expect } from 'vitest'
import { refuse } from '../support/outcomes.ts'
import { privateUser, userObject, type Body, type ModelAccount, type Sees } from './account.ts'
import type { AdminWorld } from './world.ts'

/** A request to an operation on accounts, and the model's verdict on it. */

/** What sends the request; every kind but the first two is refused. */
export type Credential = 'session' | 'key' | 'plain account' | 'bot' | 'bearer' | 'none'

export interface Actor {
  readonly credential: Credential
  /** The account behind it; undefined without one. */
  readonly id: string
  readonly authorization: string | undefined
  /** With `*`, all. */
  readonly acls: readonly string[]
}

/** An entry of the admin audit log. */
export interface AuditEntry {
  readonly action: string
  readonly targetType: string
  readonly targetId: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A dispatch, and the account whose sessions hear it. */
export interface Told {
  readonly to: string
  readonly t: string
  readonly d: unknown
}

/** Between these instants the server carried the request out. */
export interface Window {
  readonly from_ms: number
  readonly to_ms: number
}

export interface Verdict {
  readonly status: 200 | 204
  /** Changes the model, and returns what the answer must equal. */
  settle(answer: Body, window: Window): unknown
  /** Asked after `settle`. */
  entries(answer: Body): readonly AuditEntry[]
  /** Asked after `settle`. */
  readonly tells?: () => readonly Told[]
  /** The account whose connections end with this request. */
  readonly ends?: ModelAccount
}

export interface AdminPlay {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** One of these suffices. */
  readonly acls: readonly string[]
  /** What is wrong with path, query and body: `path CODE`, or the path alone where none is promised. */
  readonly faults: readonly string[]
  judge(): Verdict
}

/** Who asks for what, about which account. */
export interface Ask {
  readonly world: AdminWorld
  readonly actor: Actor
  /** As the path has it. */
  readonly id: string
  /** The reason of the header, as it counts. */
  readonly reason: string | null
}

export const sees =
  ({ acls }: Actor): Sees =>
  (acl) =>
    acls.includes('*') || acls.includes(acl)

/** The path of an operation on an account. */
export const at = (id: string, rest = ''): string => `/v1/admin/users/${id}${rest}`

export function faultsOf({ id }: Pick<Ask, 'id'>, ...faults: readonly (string | false)[]): readonly string[] {
  const isId = /^\d+$/.test(id)
  return [...(isId ? [] : ['user_id INVALID_SNOWFLAKE_FORMAT']), ...faults.filter((fault) => fault !== false)]
}

/** The account that a change is about. An erased one is missing too. */
export function target({ world, id }: Ask): ModelAccount {
  return world.accounts.get(id) ?? refuse('UNKNOWN_USER')
}

/** The account of an act that takes rights, sessions or the account: the sender holds every ACL that it holds (decision 156). */
export function targetWithin(ask: Ask): ModelAccount {
  const account = target(ask)
  if (!account.acls.every(sees(ask.actor))) refuse('MISSING_ACL')
  return account
}

/** The account that a read is about; undefined for an erased one, of which lists have nothing. */
export function readable(ask: Ask): ModelAccount | undefined {
  return ask.world.gone === ask.id ? undefined : target(ask)
}

export function entryOf({ id }: Pick<Ask, 'id'>, action: string, metadata: AuditEntry['metadata'] = {}): AuditEntry {
  return { action, targetType: 'user', targetId: id, metadata }
}

export const userUpdate = (account: ModelAccount): Told => ({
  to: account.id,
  t: 'USER_UPDATE',
  d: privateUser(account),
})

/** Guild Member Update goes to everybody in the account's guild. */
export function memberUpdate(world: AdminWorld, { id, username, globalName }: ModelAccount): readonly Told[] {
  if (!world.home.members.includes(id)) return []
  const d = { guild_id: world.home.id, user: { id, username, global_name: globalName } }
  return world.home.members.map((to) => ({ to, t: 'GUILD_MEMBER_UPDATE', d }))
}

interface Change {
  readonly action: string
  readonly change: (window: Window, user: Body) => void
  readonly metadata?: () => AuditEntry['metadata']
  readonly tells?: () => readonly Told[]
  readonly ends?: ModelAccount
}

/**
 * 200 with {user}, one entry, and User Update unless said otherwise, also where the account is as it was
 * (rules/administration#accounts). Guild Member Update follows changes only.
 */
export function changed(ask: Ask, account: ModelAccount, change: Change): Verdict {
  const everything = () => JSON.stringify(userObject(account, () => true))
  const before = everything()
  const tells = change.tells ?? (() => [userUpdate(account)])
  return {
    status: 200,
    settle(answer, window) {
      change.change(window, answer['user'] as Body)
      return { user: userObject(account, sees(ask.actor)) }
    },
    entries: () => [entryOf(ask, change.action, change.metadata?.())],
    tells: () => (everything() === before ? tells().filter(({ t }) => t === 'USER_UPDATE') : tells()),
    ...(change.ends ? { ends: change.ends } : {}),
  }
}

/** A read: the answer is known before it comes. */
export function read(ask: Ask, action: string, answer: Body | readonly unknown[], metadata: AuditEntry['metadata']) {
  return { status: 200, settle: () => answer, entries: () => [entryOf(ask, action, metadata)] } as const
}

/** Expects an instant so long after the request was carried out. */
export function expectAfter(text: unknown, { from_ms, to_ms }: Window, later_ms = 0): string {
  const found_ms = Date.parse(String(text))
  expect(found_ms).toBeGreaterThanOrEqual(from_ms + later_ms)
  expect(found_ms).toBeLessThanOrEqual(to_ms + later_ms)
  return new Date(found_ms).toISOString()
}

/** Ends every session of the account. */
export function endSessions(account: ModelAccount): number {
  const live = account.sessions.filter(({ ended }) => !ended)
  for (const session of live) session.ended = true
  return live.length
}
