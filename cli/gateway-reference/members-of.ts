import { z } from 'zod'

const described = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  anyOf: z.array(z.record(z.string(), z.unknown())).optional(),
  items: z.record(z.string(), z.unknown()).optional(),
  type: z.string().optional(),
  const: z.unknown().optional(),
  $ref: z.string().optional(),
  $defs: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
})

/** The members of a payload's `d` in words: those of each form it may have; `?` marks those that may be absent. */
export function membersOf(schema: z.ZodType): string {
  const converted = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const { $defs } = described.parse(converted)
  const inWords = (given: unknown): string => {
    const { $ref, properties, required, anyOf, items, type, const: value } = described.parse(given)
    if ($ref !== undefined) return inWords($defs[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {})
    if (anyOf)
      return anyOf
        .map(inWords)
        .filter((words) => words !== '')
        .join(', or ')
    if (items) return `a list; each with ${inWords(items)}`
    if (value !== undefined) return `\`${JSON.stringify(value)}\``
    if (type === undefined) return 'anything'
    if (type !== 'object') return type
    const names = Object.keys(properties ?? {})
    if (names.length === 0) return 'no members'
    return names.map((name) => `\`${name}\`${required.includes(name) ? '' : '?'}`).join(' ')
  }
  return inWords(converted)
}
