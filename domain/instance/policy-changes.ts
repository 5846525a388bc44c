import type { PolicyChanges } from './policy.ts'

type Section = Readonly<Record<string, unknown>>

const isSection = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members that differ when changes are laid over known ones; members are compared as a whole. */
export function newIn(known: PolicyChanges, changes: PolicyChanges): PolicyChanges {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([name, section]: [string, unknown]) => {
      const before: unknown = Reflect.get(known, name)
      if (!isSection(section)) return section === undefined || section === before ? [] : [[name, section]]
      const members = Object.entries(section).filter(
        ([member, value]) => value !== undefined && !isSame(isSection(before) ? before[member] : undefined, value),
      )
      return members.length === 0 ? [] : [[name, Object.fromEntries(members)]]
    }),
  )
}

/** Values are texts, flags, numbers, null, and lists of texts. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** All changes after further ones; members are replaced as a whole. */
export function mergedChanges(known: PolicyChanges, changes: PolicyChanges): PolicyChanges {
  const sections = Object.entries(changes).map(([name, section]: [string, unknown]) => {
    const before: unknown = Reflect.get(known, name)
    return [name, isSection(section) && isSection(before) ? { ...before, ...section } : section]
  })
  return { ...known, ...Object.fromEntries(sections) }
}
