import type { RoleId } from '../../ids/ids.ts'
import { compareRanks, type RankedRole } from '../../permissions/authority.ts'

/** The wanted positions of roles: 1 for the lowest. */
export type WantedPositions = ReadonlyMap<RoleId, number>

/**
 * The roles in the wanted order, highest first, without the everyone role. A role gets exactly its wanted position, or
 * the nearest one left. The others fill the rest in their previous order, also those of equal position. Roles that may
 * not be moved keep their positions, so nothing passes a role that the mover does not rank above
 * (rules/roles-and-permissions#order-roles). Repeating the same wishes changes nothing.
 */
export function inWantedOrder<Role extends RankedRole>(
  roles: readonly Role[],
  wanted: WantedPositions,
  mayMove: (role: Role) => boolean,
): readonly Role[] {
  const now = roles.toSorted(compareRanks)
  const movable = now.filter((role) => mayMove(role))
  const wishOf = ({ id }: Role): number => wanted.get(id) ?? 0
  const wishing = movable.filter(({ id }) => wanted.has(id)).toSorted((a, b) => wishOf(b) - wishOf(a))
  const positions = now.flatMap((role, index) => (mayMove(role) ? [now.length - index] : []))
  const rest = movable.filter(({ id }) => !wanted.has(id)).values()
  const given = new Map(ordinalsFor(wishing.map(wishOf), positions).map((ordinal, index) => [ordinal, wishing[index]]))
  const filled = positions.map((_, ordinal) => given.get(ordinal) ?? rest.next().value)
  const next = filled.values()
  return now.map((role) => (mayMove(role) ? (next.next().value ?? role) : role))
}

/**
 * Which of the free positions each wish gets, by their positions in the list. Both lists are in descending order, and so are the
 * answers: a wish gets the highest position that it does not exceed, below that of the wish before it, and leaves space for
 * those after it.
 */
function ordinalsFor(wishes: readonly number[], positions: readonly number[]): readonly number[] {
  let last = -1
  return wishes.map((wish, index) => {
    const reached = positions.findIndex((position) => position <= wish)
    const lowest = positions.length - (wishes.length - index)
    last = Math.max(last + 1, Math.min(reached === -1 ? lowest : reached, lowest))
    return last
  })
}

/**
 * The fewest items of `after` that have to be taken out so that the others stand as they stood in `before`: those that moved,
 * where the rest only made way. Of two that passed each other the one of the lower `inertia`, 0 to 3, counts as moved. Both
 * lists hold the same items; quadratic, for a few hundred.
 */
export function movedBetween<Item>(
  before: readonly Item[],
  after: readonly Item[],
  inertia: (item: Item) => number,
): ReadonlySet<Item> {
  const ordinals = new Map(before.map((item, ordinal) => [item, ordinal]))
  const ordinalOf = (item: Item): number => ordinals.get(item) ?? 0
  const rows: { readonly items: readonly Item[]; readonly end: number; readonly weight: number }[] = []
  const nothing = { items: [] as readonly Item[], end: -1, weight: 0 }
  for (const item of after) {
    const ahead = rows.filter(({ end }) => end < ordinalOf(item)).reduce(heavier, nothing)
    // One more item outweighs all inertia together.
    const weight = ahead.weight + 3 * after.length + 1 + inertia(item)
    rows.push({ items: [...ahead.items, item], end: ordinalOf(item), weight })
  }
  const stayed = new Set(rows.reduce(heavier, nothing).items)
  return new Set(after.filter((item) => !stayed.has(item)))
}

function heavier<Row extends { readonly weight: number }>(one: Row, other: Row): Row {
  return other.weight > one.weight ? other : one
}
