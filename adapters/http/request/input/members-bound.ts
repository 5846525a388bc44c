import type { z } from 'zod'
import { isSchema, type Operation } from '../../operation.ts'
import { layersOf, wrappedIn } from '../../schemas/layers.ts'
import { entriesOfRecord, readAtMost } from '../../schemas/lists.ts'
import { sudoFields } from '../../schemas/sudo.ts'
import { entriesMax } from './bounded-lists.ts'
import { members_max } from './parse-json.ts'

/** Unknown members are ignored, and a list that is too long gets its own fault: a body may have some more than its schema knows. */
const slack = 2
const members_least = 10_000

const known = new WeakMap<Operation, number>()

/**
 * The most members that the JSON body of an operation may have: twice as many as its schema can accept, and at least
 * `members_least`, at most `members_max`. Derived once for each operation.
 */
export function membersBound(operation: Operation): number {
  const found = known.get(operation)
  if (found !== undefined) return found
  const accepted = (isSchema(operation.body) ? membersOf(operation.body) : 0) + membersOf(sudoFields)
  const bound = Math.min(members_max, Math.max(members_least, slack * accepted))
  known.set(operation, bound)
  return bound
}

/** The most members of a value that a schema accepts, at any depth; Infinity if it sets no bound, or contains itself. */
function membersOf(schema: z.core.$ZodType, around: readonly z.core.$ZodType[] = []): number {
  if (around.includes(schema)) return Infinity
  const within = [...around, schema]
  const kinds = layersOf(schema).filter((layer) => wrappedIn(layer).length === 0)
  return Math.max(0, ...kinds.map((kind) => ownMembers(kind, (part) => 1 + membersOf(part, within))))
}

function ownMembers(schema: z.core.$ZodTypes, withPart: (part: z.core.$ZodType) => number): number {
  const { def } = schema._zod
  switch (def.type) {
    case 'object':
      // An open object may hold more than its named members. That fits into `members_least`: a passkey's answer, or the 1,000
      // overwrites of a channel, of five members each.
      // of a channel, of five members each.
      return Object.values(def.shape).reduce((sum, part) => sum + withPart(part), 0)
    case 'array': {
      const list = schema as z.core.$ZodArray
      return Math.min(entriesMax(list), readAtMost.get(list)?.entries_max ?? Infinity) * withPart(def.element)
    }
    case 'record': {
      const record = schema as z.core.$ZodRecord
      return (entriesOfRecord.get(record)?.entries_max ?? Infinity) * withPart(def.valueType)
    }
    // Members that must be empty, and the envelopes of the stores' notifications, fit into `members_least`.
    case 'unknown':
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'null':
    case 'undefined':
    case 'literal':
    case 'enum':
    case 'never':
      return 0
    default:
      return Infinity
  }
}
