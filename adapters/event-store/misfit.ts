import type { MemberKind } from '../../domain/kernel/event-catalog.ts'

/** Describes the first member that is missing or of another kind; undefined if all are right. */
export function misfitIn(
  data: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, MemberKind>>,
): string | undefined {
  for (const member in members) {
    const kind = members[member]
    if (kind !== undefined && !isOfKind(data[member], kind)) return `its member ${member} is not ${kind}`
  }
  return undefined
}

function isOfKind(value: unknown, kind: MemberKind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'flag':
      return typeof value === 'boolean'
    case 'list':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'text or null':
    case 'number or null':
    case 'flag or null':
    case 'list or null':
    case 'object or null':
      return value === null || isOfKind(value, withoutNull[kind])
  }
}

const withoutNull = {
  'text or null': 'text',
  'number or null': 'number',
  'flag or null': 'flag',
  'list or null': 'list',
  'object or null': 'object',
} as const
