import type { RoleId } from '../../domain/ids/ids.ts'
import { compareEntries, type Entry } from './entry.ts'
import { OrderedSet } from './ordered-set.ts'

/** Members who are online stand under their highest hoisted role, or under `online`; the others under `offline`. */
export type GroupId = RoleId | 'online' | 'offline'

export interface GroupCount {
  readonly id: GroupId
  readonly count: number
}

/** A line of a list: the heading of a group, or a member. */
export type Row = { readonly heading: GroupCount } | { readonly entry: Entry }

/** Rows from one to another, both included. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Where a member was: its group, its row there, and the row of the group's heading. */
export interface Spot {
  readonly group: GroupId
  readonly row: number
  readonly heading: number
}

/** A list of more members leaves out those who are offline (rules/gateway#member-lists). */
export const offlineShown_max = 1000

/**
 * The members who see a channel, as clients show them: in groups, ordered by name within each. It is read by rows, from one to
 * another; a change costs the logarithm of its size, and the number of its groups.
 */
export class MemberList {
  readonly #order: readonly GroupId[]
  readonly #groups = new Map<GroupId, OrderedSet<Entry>>()
  #members = 0
  #touched: Span | undefined

  /** `hoisted`: the roles that have groups of their own, the first group first. */
  constructor(hoisted: readonly RoleId[]) {
    this.#order = [...hoisted, 'online', 'offline']
  }

  get memberCount(): number {
    return this.#members
  }

  get onlineCount(): number {
    return this.#members - this.#countIn('offline')
  }

  /** The groups with members that are shown. */
  get groups(): readonly GroupCount[] {
    return this.#order
      .map((id) => ({ id, count: this.#countIn(id) }))
      .filter(({ id, count }) => count > 0 && !this.#isHidden(id))
  }

  /** Whether rows may have changed since they were taken last. */
  get isTouched(): boolean {
    return this.#touched !== undefined
  }

  /** The rows that may have changed since the last call; undefined for none. */
  takeTouched(): Span | undefined {
    const touched = this.#touched
    this.#touched = undefined
    return touched
  }

  /** Takes a member out before it changes. Undefined if it is not in the list. */
  take(entry: Entry): Spot | undefined {
    const group = groupOf(entry)
    const set = this.#groups.get(group)
    if (!set) return undefined
    const row = set.rankOf(entry)
    if (!set.delete(entry)) return undefined
    this.#count(-1)
    return { group, row, heading: this.#headingOf(group) }
  }

  /** Notes that a member that was taken out does not come back. */
  leave({ group, heading }: Spot): void {
    if (!this.#isHidden(group)) this.#touch({ from: heading, to: Number.POSITIVE_INFINITY })
  }

  /** Puts a member in, who was at a spot before; undefined for one that was not in the list. One that is there stays. */
  put(entry: Entry, was: Spot | undefined): void {
    const group = groupOf(entry)
    const set = this.#groups.get(group) ?? new OrderedSet(compareEntries)
    this.#groups.set(group, set)
    if (!set.add(entry)) return
    this.#count(1)
    const heading = this.#headingOf(group)
    if (was?.group !== group) {
      if (was) this.leave(was)
      this.leave({ group, row: 0, heading })
      return
    }
    if (this.#isHidden(group)) return
    const row = set.rankOf(entry)
    this.#touch({ from: heading + 1 + Math.min(row, was.row), to: heading + 1 + Math.max(row, was.row) })
  }

  /** The rows of a span, as far as there are any. */
  rows({ from, to }: Span): readonly Row[] {
    const rows: Row[] = []
    let first = 0
    for (const { id, count } of this.groups) {
      if (first > to) break
      if (from <= first) rows.push({ heading: { id, count } })
      const entries = this.#groups.get(id)?.slice(from - first - 1, to - first) ?? []
      for (const entry of entries) rows.push({ entry })
      first += count + 1
    }
    return rows
  }

  #countIn(id: GroupId): number {
    return this.#groups.get(id)?.size ?? 0
  }

  #isHidden(id: GroupId): boolean {
    return id === 'offline' && this.#members > offlineShown_max
  }

  /** The row of a group's heading, or where it would be. */
  #headingOf(group: GroupId): number {
    let row = 0
    for (const id of this.#order) {
      if (id === group) break
      const count = this.#countIn(id)
      if (count > 0) row += count + 1
    }
    return row
  }

  #count(change: 1 | -1): void {
    const was = this.#isHidden('offline')
    this.#members += change
    if (was !== this.#isHidden('offline'))
      this.#touch({ from: this.#headingOf('offline'), to: Number.POSITIVE_INFINITY })
  }

  #touch({ from, to }: Span): void {
    const before = this.#touched
    this.#touched = before ? { from: Math.min(before.from, from), to: Math.max(before.to, to) } : { from, to }
  }
}

export function groupOf({ isOnline, roles }: Pick<Entry, 'isOnline' | 'roles'>): GroupId {
  return isOnline ? (roles.hoisted ?? 'online') : 'offline'
}
